package io.millrace.internal.copy;

import io.millrace.api.RepairReport;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.RowCheck;
import io.millrace.spi.OrderedStore;
import java.util.function.Consumer;

/**
 * A new store of what the records of another say.
 *
 * <p><b>What counts.</b> Records count, index rows do not: every row that says no more than records
 * say (COUNTERS, AGENDA, SLOT, MOVED, and UNIQUE and TIMER where a job's record tells them) is
 * written anew, and the one that was there is only held against it. Whatever else cannot stay is
 * set aside in QUARANTINE as it was found, so no payload is lost.
 *
 * <p><b>A job in two states</b> stays where its MOVED row leads, for that is written in the batch
 * that moves it; without one, with the record that has more attempts behind it, then the later end
 * of an attempt, then the one where it was born, then the one that is nearest to the job's end. The
 * other record is set aside.
 *
 * <p><b>Steps.</b> Queues; job records, each looked up in the new store before it is put there, so
 * that a second record of the job is seen; owned rows, which need their job; index rows; counters.
 * The origin is only read, and the new store is no store to anybody until the last batch: a repair
 * that was cut off is begun again. In place, each of these steps would need its own way back, and a
 * wrong rule could not be taken back at all.
 */
public final class Repair {

  private Repair() {}

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
      MetaRecords.Time lastTime = lastTime(source);
      long repairMs = Math.max(nowMs, lastTime.lastCommitMs());
      RepairLog log = new RepairLog(copy.rows(), repairMs, listener);
      RepairStores stores = new RepairStores(source, copy.rows(), log, repairMs);
      QueueRepair queues = new QueueRepair(stores);
      PlacedJobs jobs = new PlacedJobs(source, copy.rows());
      StoreRowsRepair storeRows = new StoreRowsRepair(stores, NewCopy.end(from));

      storeRows.run();
      queues.run();
      new JobRepair(stores, queues, jobs).run();
      new OwnedRowsRepair(stores, queues, jobs, from.epoch()).run();
      new IndexRowsRepair(stores, queues, jobs).run();
      new CountersRepair(stores, queues, lastTime.steadyLeadMs()).run();
      copy.finish(storeRows.finish(queues.numberMax()));
      return new RepairReport(
          to.info().storeId(),
          to.epoch(),
          queues.count(),
          jobs.count(),
          log.findingCount(),
          log.setAsideCount());
    }
  }

  /** Returns the times of the origin's last commit. */
  private static MetaRecords.Time lastTime(SourceRows source) {
    byte[] time = source.get(MetaKeys.TIME);
    return time != null && RowCheck.flaw(MetaKeys.TIME, time) == null
        ? MetaRecords.Time.decode(time)
        : MetaRecords.Time.NONE;
  }
}
