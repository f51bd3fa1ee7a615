package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Limits;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.state.Holdings;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A step of what is stored of a deleted queue is removed, keyspace by keyspace; at last that there
 * was one. Answers where the next step begins, unless that was all.
 */
public final class EmptyDropped implements Transition<Optional<byte[]>> {

  /** Keyspaces whose keys begin with the queue's number, in the order of their codes. */
  private static final Set<Keyspace> KEYSPACES =
      EnumSet.of(
          Keyspace.READY,
          Keyspace.LEASE,
          Keyspace.DELAYED,
          Keyspace.BLOCKED,
          Keyspace.SLOT,
          Keyspace.WAITING,
          Keyspace.SIGNAL,
          Keyspace.DEAD,
          Keyspace.DONE,
          Keyspace.HISTORY,
          Keyspace.UNIQUE,
          Keyspace.MOVED,
          Keyspace.BLOB);

  /** The row, and TIMER. */
  private static final int ROW_OPERATIONS = 2;

  private static final int ROW_BYTES = 2 * RowBytes.KEY + Limits.KEY_BYTES_MAX;

  private final int queue;
  private final byte @Nullable [] from;

  /** The first step begins with null. */
  public EmptyDropped(int queue, byte @Nullable [] from) {
    this.queue = queue;
    this.from = from;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return ROW_OPERATIONS * StepRows.COUNT_MAX + 2;
  }

  @Override
  public long bytesMax() {
    return (long) ROW_BYTES * (StepRows.COUNT_MAX + 1);
  }

  @Override
  public Optional<byte[]> apply(Change change) {
    int left = StepRows.countWithRoom(change, ROW_OPERATIONS, ROW_BYTES);
    for (Keyspace keyspace : KEYSPACES) {
      boolean isPassed = from != null && from[0] > keyspace.code();
      if (isPassed) {
        continue;
      }
      byte[] start = start(keyspace);
      byte[] begin = from != null && from[0] == keyspace.code() ? from : start;
      StepRows step = StepRows.read(change, begin, Bytes.prefixEnd(start), left);
      for (StepRows.Row row : step.rows()) {
        remove(change, keyspace, row);
      }
      left -= step.rows().size();
      if (step.next() != null) {
        return Optional.of(step.next());
      }
    }
    change.delete(QueueNameKeys.key(queue));
    change.delete(AgendaKeys.key(AgendaKeys.DROPPED_MS, queue));
    change.state().unmarkDropped(queue);
    change.onUndo(() -> change.state().markDropped(queue));
    return Optional.empty();
  }

  private void remove(Change change, Keyspace keyspace, StepRows.Row row) {
    change.delete(row.key());
    if (!keyspace.isOfJobs()) {
      return;
    }
    try {
      Holdings.of(queue, row.key(), JobRecord.decode(row.key(), row.value()))
          .endTimer(change.batch());
    } catch (CorruptDataException e) {
      // Its TIMER row, if there is one, means nothing without it and is dropped when it is due.
      return;
    }
  }

  private byte[] start(Keyspace keyspace) {
    byte[] start = new byte[1 + Integer.BYTES];
    start[0] = keyspace.code();
    Bytes.putInt(start, 1, queue);
    return start;
  }
}
