package io.millrace.internal.transition.tally;

import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords.Format;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.TallyRef;
import java.util.List;

/** The beginning of a tally. The answer is its number. */
public final class OpenTally implements Operation<Long> {

  private static final Cost COST = Cost.TALLY.plus(new Cost(1, RowBytes.TIME));

  private final String name;
  private final int flags;
  private final long retentionMs;
  private final TallyRef ref;

  /**
   * Creates the beginning of a tally.
   *
   * @param flags the sum of those of {@link TallyRecord} that are set from the first
   * @param retentionMs how long it is kept when it is final
   * @param ref takes its number
   */
  public OpenTally(String name, int flags, long retentionMs, TallyRef ref) {
    this.name = name;
    this.flags = flags;
    this.retentionMs = retentionMs;
    this.ref = ref;
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  public Cost cost() {
    return COST;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    reads.wantByKey(MetaKeys.FORMAT);
  }

  @Override
  public Plan<Long> check(OpenBatch batch) {
    byte[] stored = batch.get(MetaKeys.FORMAT);
    Format format = stored == null ? Format.NEW : Format.decode(stored);
    return now -> carryOut(now, format);
  }

  private long carryOut(OpenBatch batch, Format format) {
    if (format.toWrite() < Format.WITH_TALLIES.toWrite()) {
      // Older engines would forget which jobs are of a tally.
      Format raised = new Format(format.toRead(), Format.WITH_TALLIES.toWrite());
      batch.put(MetaKeys.FORMAT, raised.encode());
    }
    long number = batch.state().takeSequence();
    TallyRecord record =
        new TallyRecord(
            name,
            flags,
            TallyRecord.noCounts(),
            List.of(),
            List.of(),
            0,
            retentionMs,
            batch.nowMs(),
            0,
            0);
    batch.state().tallies().begin(number, record);
    ref.begun(number);
    return number;
  }
}
