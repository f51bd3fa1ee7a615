package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lost rows of MOVED, TIMER and UNIQUE, which follow from other rows ({@link OwnedRows}): they are
 * made anew from their owners, for which their whole queue is read.
 */
public final class LostRows {

  private LostRows() {}

  /** A row that is to be made anew, and the place of its owner. */
  private record OwnedRow(byte[] owner, Row row) {}

  /**
   * Puts the row at the key anew, which was set aside, if another row owns it. A unique key that
   * was taken for a time by a job that is gone is free then, for nothing else knows of it.
   */
  public static void restore(OpenBatch batch, byte[] key) {
    OwnedRow found = find(batch, key);
    if (found == null) {
      return;
    }
    batch.putOwned(found.row());
    if (Keyspace.ofKey(key) == Keyspace.UNIQUE) {
      batch.putOwned(OwnedRows.timer(key, found.row().value()));
    }
  }

  /** Returns the place of the row that owns the one at the key; null if there is none. */
  public static byte @Nullable [] owner(OpenBatch batch, byte[] key) {
    OwnedRow found = find(batch, key);
    return found == null ? null : found.owner();
  }

  private static @Nullable OwnedRow find(OpenBatch batch, byte[] key) {
    int queue = Keyspace.queue(key);
    OwnedRow[] found = new OwnedRow[1];
    for (Keyspace keyspace : owners(key)) {
      batch.scan(
          keyspace.queueStart(queue),
          keyspace.queueEnd(queue),
          (place, value) -> {
            Row row = owned(batch, key, place, value);
            if (row != null && Arrays.equals(row.key(), key)) {
              found[0] = new OwnedRow(place, row);
            }
            return found[0] == null;
          });
      if (found[0] != null) {
        break;
      }
    }
    return found[0];
  }

  private static List<Keyspace> owners(byte[] key) {
    TimerKeys.Kind kind = Keyspace.ofKey(key) == Keyspace.TIMER ? TimerKeys.kind(key) : null;
    if (kind == TimerKeys.Kind.UNIQUE_EXPIRY) {
      return List.of(Keyspace.UNIQUE);
    }
    return kind == TimerKeys.Kind.SIGNAL_EXPIRY ? List.of(Keyspace.SIGNAL) : Keyspace.ofJobs();
  }

  /**
   * Returns the row of the lost one's kind that the row at the place owns; null if it owns none.
   */
  private static @Nullable Row owned(OpenBatch batch, byte[] lost, byte[] place, byte[] value) {
    try {
      return switch (Keyspace.ofKey(place)) {
        case UNIQUE, SIGNAL -> OwnedRows.timer(place, value);
        default -> ofJob(batch, lost, place, Records.decode(batch, place, value));
      };
    } catch (CorruptDataException e) {
      return null;
    }
  }

  private static @Nullable Row ofJob(
      OpenBatch batch, byte[] lost, byte[] place, @Nullable JobRecord job) {
    if (job == null) {
      return null;
    }
    return switch (Keyspace.ofKey(lost)) {
      case MOVED -> job.birth() == MovedKeys.birth(lost) ? OwnedRows.moved(place, job) : null;
      case TIMER -> {
        boolean isDue =
            job.birth() == TimerKeys.birthOrHash(lost)
                && !batch.state().leases().isLeased(job.birth());
        yield isDue ? OwnedRows.timer(place, job) : null;
      }
      default -> {
        boolean isOver =
            job.uniqueScope() == UniqueRecord.FOR && job.uniqueUntilMs() <= batch.steadyMs();
        yield isOver ? null : OwnedRows.unique(place, job);
      }
    };
  }
}
