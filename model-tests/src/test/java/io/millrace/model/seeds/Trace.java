package io.millrace.model.seeds;

import io.millrace.internal.format.Incarnation;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.spi.WriteBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that an engine asked of its store and was answered, and all that its callers were, as one
 * number: two runs with the same number did the same.
 *
 * <p>Every byte counts, but for the number of the process in the rows of leases, which the system
 * gives. By whoever's turn it is.
 */
public final class Trace {

  private static final long START = 0xCBF29CE484222325L;
  private static final long FACTOR = 0x100000001B3L;

  private final @Nullable List<String> lines;
  private long hash = START;
  private long eventCount;

  private Trace(@Nullable List<String> lines) {
    this.lines = lines;
  }

  /** A trace that is a number only. */
  public static Trace ofHash() {
    return new Trace(null);
  }

  /** A trace that can tell what happened. */
  public static Trace ofLines() {
    return new Trace(new ArrayList<>());
  }

  public long hash() {
    return hash;
  }

  public long eventCount() {
    return eventCount;
  }

  /** What happened, an event a line, each with the number up to there. */
  public List<String> lines() {
    return lines == null ? List.of() : lines;
  }

  /** Adds an event without bytes of its own. */
  public void add(String event) {
    add(event.getBytes(StandardCharsets.UTF_8));
    end(event);
  }

  void addBatch(WriteBatch batch, String outcome) {
    add(batch.number());
    add(batch.reserve().ordinal());
    for (int i = 0; i < batch.size(); i++) {
      addRow(batch.key(i), batch.value(i));
    }
    add(outcome.getBytes(StandardCharsets.UTF_8));
    end("write " + batch.number() + " of " + batch.size() + " rows: " + outcome);
  }

  void addRead(String what, byte[] key, byte @Nullable [] value) {
    addRow(key, value);
    end(what);
  }

  /** Adds a part of an event. */
  void addRow(byte[] key, byte @Nullable [] value) {
    add(key);
    if (value == null) {
      add(-1);
    } else if (key.length > 0 && key[0] == Keyspace.LEASE.code()) {
      add(anywhere(key, value));
    } else {
      add(value);
    }
  }

  private static byte[] anywhere(byte[] key, byte[] value) {
    LeaseRecord lease = LeaseRecord.decode(key, value);
    return new LeaseRecord(
            lease.token(),
            lease.worker(),
            new Incarnation(1, lease.incarnation().processStartMs()),
            lease.grantedMs(),
            lease.startedAtMs(),
            lease.attempt(),
            lease.priority(),
            lease.readySequence(),
            lease.cancelRequested())
        .encode(key);
  }

  /** The parts since the last end were one event. */
  void end(String event) {
    eventCount++;
    if (lines != null) {
      lines.add(Long.toHexString(hash) + " " + event);
    }
  }

  void add(byte[] bytes) {
    add(bytes.length);
    long next = hash;
    for (byte one : bytes) {
      next = (next ^ one) * FACTOR;
    }
    hash = next;
  }

  private void add(long number) {
    long next = (hash ^ number) * FACTOR;
    hash = next ^ next >>> 32;
  }
}
