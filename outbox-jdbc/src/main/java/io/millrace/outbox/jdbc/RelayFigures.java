package io.millrace.outbox.jdbc;

import io.millrace.api.QueueName;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The figures of a relay since it was started.
 *
 * @param state whether it can do its work
 * @param trouble a sentence on what keeps it from that; empty while nothing does
 * @param relayed the rows that were enqueued as jobs, or whose unique key was held by another job
 * @param known the rows that were found to be relayed before, and were only deleted
 * @param failed the rows that were set aside because they cannot be enqueued as they are
 * @param batches the commits in which rows were relayed
 * @param troubles how often a look at the table, or what followed it, failed
 * @param refusing the queues that take no jobs at present; their rows wait, and others do not wait
 *     for them
 */
public record RelayFigures(
    State state,
    Optional<String> trouble,
    long relayed,
    long known,
    long failed,
    long batches,
    long troubles,
    Set<QueueName> refusing) {

  /**
   * The states of a relay. In each but the first and the last it tries again, less and less often.
   */
  public enum State {
    /** The newest look at the table succeeded, or none has ended yet. */
    RUNNING,
    /** The database does not answer, or refuses what it is asked. */
    DATABASE_FAILS,
    /** The engine takes no jobs: its store is full or failed, or it has too much to do. */
    ENGINE_REFUSES,
    /** The outbox is relayed into another engine. */
    NOT_OWNER,
    /** The relay was closed, or its engine. */
    CLOSED
  }

  public RelayFigures {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(trouble, "trouble");
    refusing = Set.copyOf(refusing);
  }
}
