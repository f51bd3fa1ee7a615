package io.millrace.internal.copy;

import io.millrace.api.RepairReport;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.Sequences;
import io.millrace.spi.OrderedStore;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A new store of what the records of another say.
 *
 * <p><b>What counts.</b> Records count, indexes do not: every row that says no more than a record
 * says (COUNTERS, AGENDA, SLOT, MOVED, and UNIQUE and TIMER where a job's record tells them) is
 * written anew, and the one that was there is only held against it. Whatever else cannot stay is
 * set aside in QUARANTINE as it was found, so no payload is lost.
 *
 * <p><b>A job in two states</b> stays where its MOVED row leads, for that is written in the batch
 * that moves it; without one, with the record that has more attempts behind it, then the later end
 * of an attempt, then the one where it was born, then the one that is nearest to the job's end. The
 * other record is set aside.
 *
 * <p><b>Steps.</b> Queues; job records, each looked up in the new store before it is put there, so
 * that a second record of the job is seen; rows beside records, which need their job; what follows
 * from the jobs; counts. The origin is only read, and the new store is no store to anybody until
 * the last batch: a repair that was cut off is begun again. In place, each of these steps would
 * need its own way back, and a wrong rule could not be taken back at all.
 */
public final class Repair {

  private final OrderedStore from;
  private final SourceRows source;
  private final TargetRows target;
  private final RepairLog log;
  private final QueueRepair queues;
  private final PlacedJobs jobs;
  private final MetaRecords.Time lastTime;
  private final long nowMs;
  private long nextSequence;

  private Repair(
      OrderedStore from,
      SourceRows source,
      TargetRows target,
      long nowMs,
      Consumer<RepairReport.Finding> listener) {
    this.from = from;
    this.source = source;
    this.target = target;
    this.lastTime = lastTime(source);
    this.nowMs = Math.max(nowMs, lastTime.lastCommitMs());
    this.log = new RepairLog(target, this.nowMs, listener);
    this.queues = new QueueRepair(this);
    this.jobs = new PlacedJobs(source, target);
    // A store without epochs can be repaired, if only to be looked at.
    long epoch = Math.min(target.store().epoch(), Sequences.EPOCH_MAX);
    this.nextSequence = Sequences.first(epoch) + 1;
  }

  /**
   * Repairs everything; on return the new store is whole and durable. The caller's thread becomes
   * the target's writer.
   *
   * @param from nobody may write to it meanwhile
   * @param to empty, or an unfinished copy, which is begun again
   * @param nowMs the wall clock, epoch ms
   * @param listener is told of each finding
   */
  public static RepairReport run(
      OrderedStore from, OrderedStore to, long nowMs, Consumer<RepairReport.Finding> listener) {
    StoreCopy.checkOrigin(from);
    try (SourceRows source = new SourceRows(from);
        NewCopy copy = NewCopy.begin(to, from.info().storeId())) {
      Repair repair = new Repair(from, source, copy.rows(), nowMs, listener);
      copy.finish(repair.run());
      return new RepairReport(
          to.info().storeId(),
          to.epoch(),
          repair.queues.count(),
          repair.jobs.count(),
          repair.log.findingCount(),
          repair.log.setAsideCount());
    }
  }

  /** Answers the format row. */
  private byte @Nullable [] run() {
    LooseRepair loose = new LooseRepair(this);
    loose.run();
    queues.run();
    new JobRepair(this).run();
    new BesideRepair(this).run();
    new JobFollowers(this).run();
    new CountersRepair(this).run();
    return loose.finish(queues.numberMax());
  }

  private static MetaRecords.Time lastTime(SourceRows source) {
    byte[] time = source.get(MetaKeys.TIME);
    return time != null && Keyspace.flaw(MetaKeys.TIME, time) == null
        ? MetaRecords.Time.decode(time)
        : MetaRecords.Time.NONE;
  }

  /** The times of the origin's last commit. */
  MetaRecords.Time lastTime() {
    return lastTime;
  }

  SourceRows source() {
    return source;
  }

  TargetRows target() {
    return target;
  }

  RepairLog log() {
    return log;
  }

  QueueRepair queues() {
    return queues;
  }

  PlacedJobs jobs() {
    return jobs;
  }

  long nowMs() {
    return nowMs;
  }

  /** The origin's epoch: it gave no token of a later one. */
  long sourceEpoch() {
    return from.epoch();
  }

  /** Exclusive end of all keys of the origin. */
  byte[] sourceEnd() {
    return NewCopy.end(from);
  }

  /** A sequence that no store of this line ever gave. */
  long takeSequence() {
    return nextSequence++;
  }

  /** Hands over the origin's rows of the keyspace. */
  void eachOfSource(Keyspace keyspace, BiConsumer<byte[], byte[]> consumer) {
    source.each(keyspace.start(), keyspace.end(), consumer);
  }

  /** Hands over the new store's rows of the keyspace. */
  void eachOfTarget(Keyspace keyspace, BiConsumer<byte[], byte[]> consumer) {
    target.each(keyspace.start(), keyspace.end(), consumer);
  }
}
