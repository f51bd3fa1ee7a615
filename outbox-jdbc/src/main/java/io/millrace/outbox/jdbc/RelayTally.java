package io.millrace.outbox.jdbc;

import io.millrace.outbox.jdbc.RelayFigures.State;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of a relay, and what it says in the log: each kind of trouble once when it begins,
 * and once when all is well again. Written by the thread of the relay, read by any.
 */
final class RelayTally {

  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

  private final String name;
  private final Refusals refusals = new Refusals();
  private State state = State.RUNNING;
  private Optional<String> trouble = Optional.empty();
  private long relayed;
  private long known;
  private long failed;
  private long batches;
  private long troubles;

  RelayTally(String name) {
    this.name = name;
  }

  Refusals refusals() {
    return refusals;
  }

  /** Counts what became of the rows of a look. */
  synchronized void add(Relaying relaying, long nowMs) {
    relayed += relaying.relayedCount;
    known += relaying.knownCount;
    batches += relaying.batchCount;
    failed += relaying.failed.size();
    refusals.remove(relaying.taking);
    relaying.refusing.forEach(queue -> refusals.add(queue, nowMs));
    if (!relaying.failed.isEmpty()) {
      Map.Entry<String, String> first = relaying.failed.entrySet().iterator().next();
      LOG.warn(
          "rows of an outbox cannot be enqueued and are set aside: outbox=\"{}\", count={},"
              + " first={}, why={}",
          name,
          relaying.failed.size(),
          first.getKey(),
          first.getValue());
    }
  }

  synchronized void succeeded() {
    if (state != State.RUNNING) {
      LOG.info("outbox is relayed again: outbox=\"{}\"", name);
    }
    state = State.RUNNING;
    trouble = Optional.empty();
  }

  synchronized void failed(State now, Throwable why) {
    if (state != now) {
      LOG.warn("outbox is not relayed at present: outbox=\"{}\", state={}", name, now, why);
    }
    state = now;
    trouble = Optional.of(why.toString());
    troubles++;
  }

  /** Says that notes could not be looked through. */
  void sweepFailed(Throwable why) {
    LOG.warn("notes of an outbox cannot be read, and are kept: outbox=\"{}\"", name, why);
  }

  synchronized void closed() {
    state = State.CLOSED;
    trouble = Optional.empty();
  }

  synchronized RelayFigures figures() {
    return new RelayFigures(
        state, trouble, relayed, known, failed, batches, troubles, refusals.all());
  }
}
