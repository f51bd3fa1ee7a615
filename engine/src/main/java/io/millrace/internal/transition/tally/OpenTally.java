package io.millrace.internal.transition.tally;

import io.millrace.api.BatchId;
import io.millrace.api.BatchOverException;
import io.millrace.api.Limits;
import io.millrace.api.NoSuchBatchException;
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
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.move.TallyRef;
import java.util.List;

/** The beginning of a tally. The answer is its number. */
public final class OpenTally implements Operation<Long> {

  private static final Cost COST = Cost.TALLY.times(2).plus(new Cost(1, RowBytes.TIME));

  private final String name;
  private final long outer;
  private final long retentionMs;
  private final int flags;
  private final TallyRef ref;

  /** The number that was told before; 0 if it is drawn when the tally begins. */
  private final long told;

  /**
   * Creates the beginning of a tally.
   *
   * @param outer the tally that counts it as one of its jobs; 0 for none
   * @param retentionMs how long it is kept when it is final
   * @param flags those that it has from the first
   * @param ref has its number if that was told before; else takes it
   */
  public OpenTally(String name, long outer, long retentionMs, int flags, TallyRef ref) {
    this.name = name;
    this.outer = outer;
    this.retentionMs = retentionMs;
    this.flags = flags;
    this.ref = ref;
    this.told = ref.number();
  }

  /** Tells whether the number that was told can be the tally's own; true if none was told. */
  public boolean isNumberValid(OpenBatch batch) {
    return told == 0 || batch.state().isNewBirth(told);
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
    Tallies.declare(state, reads, outer);
  }

  @Override
  public Plan<Long> check(OpenBatch batch) {
    // It may have begun in a batch that was taken back.
    ref.begun(told);
    if (outer != 0) {
      checkOuter(batch);
    }
    byte[] stored = batch.get(MetaKeys.FORMAT);
    Format format = stored == null ? Format.NEW : Format.decode(stored);
    return new Opening(this, format);
  }

  private record Opening(OpenTally tally, Format format) implements Plan<Long> {

    @Override
    public Long carryOut(OpenBatch batch) {
      return tally.carryOut(batch, format);
    }

    @Override
    public void foretell(OpenBatch batch) {
      if (tally.told != 0) {
        batch.planned().open(tally.told, tally.outer);
      }
    }
  }

  private void checkOuter(OpenBatch batch) {
    long at = outer;
    for (int depth = 1; at != 0; depth++) {
      TallyRecord tally = Tallies.record(batch, at);
      if (tally == null && at == outer && !batch.planned().isOpened(at)) {
        throw new NoSuchBatchException(new BatchId(outer));
      }
      if (depth == Limits.BATCH_DEPTH_MAX) {
        throw new IllegalArgumentException(
            "batches are within each other too deep: most="
                + Limits.BATCH_DEPTH_MAX
                + ", within="
                + new BatchId(outer)
                + "; start this one within an outer batch of that one");
      }
      at = tally == null ? batch.planned().outerOf(at) : tally.outer();
    }
    if (!Tallies.isJoinable(batch, outer)) {
      throw new BatchOverException(new BatchId(outer));
    }
  }

  private long carryOut(OpenBatch batch, Format format) {
    if (format.toWrite() < Format.WITH_TALLIES.toWrite()) {
      // Older engines would forget which jobs are of a tally.
      Format raised = new Format(format.toRead(), Format.WITH_TALLIES.toWrite());
      batch.put(MetaKeys.FORMAT, raised.encode());
    }
    long number = told == 0 ? batch.state().takeSequence() : told;
    TallyRecord record =
        new TallyRecord(
            name,
            flags,
            TallyRecord.noCounts(),
            List.of(),
            List.of(),
            outer,
            retentionMs,
            batch.nowMs(),
            0,
            0,
            TallyRecord.Count.LEFT);
    batch.state().tallies().begin(number, record);
    ref.begun(number);
    if (outer != 0) {
      batch.state().tallies().add(outer, TallyRecord.Count.LEFT, 1);
    }
    return number;
  }
}
