package io.millrace.internal.transition.due;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.Cost;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;

/**
 * A commit of the time alone, if engine time and steady time are not as far apart as they were at
 * the last one. The answer tells whether the time was put.
 */
public final class StoreTime implements Transition<Boolean> {

  /** The milliseconds that are worth a commit: less is left to the next one. */
  private static final long APART_MS = 1_000;

  /**
   * Tells whether engine time and steady time have moved apart, or come together, between the two
   * leads.
   */
  public static boolean isApart(long leadMs, long storedLeadMs) {
    return Math.abs(leadMs - storedLeadMs) >= APART_MS;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return new Cost(1, RowBytes.TIME);
  }

  @Override
  public Boolean apply(OpenBatch batch) {
    byte[] stored = batch.stored(MetaKeys.TIME);
    OpenBatch.Context now = batch.context();
    if (stored == null || !isApart(now.steadyLeadMs(), leadMs(stored, now))) {
      return false;
    }
    batch.put(MetaKeys.TIME, new MetaRecords.Time(now.nowMs(), now.steadyMs()).encode());
    return true;
  }

  /**
   * Returns how far the two were apart; a damaged row, which the next commit mends, counts as
   * right.
   */
  private static long leadMs(byte[] stored, OpenBatch.Context now) {
    try {
      return MetaRecords.Time.decode(stored).steadyLeadMs();
    } catch (CorruptDataException e) {
      return now.steadyLeadMs();
    }
  }
}
