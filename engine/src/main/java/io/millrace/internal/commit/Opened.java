package io.millrace.internal.commit;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The facts that are logged of a store that was taken over.
 *
 * @param lastStop the state in which its last owner left it
 * @param takenBackCount the number of leases that ended, for their holders are gone
 * @param honouredCount the number of leases that go on
 */
record Opened(String lastStop, long takenBackCount, int honouredCount) {

  private static final Logger LOG = LoggerFactory.getLogger(Opened.class);

  /** The most queues whose jobs are counted, so that an opening with many costs no more. */
  static final int QUEUE_COUNT_MAX = 1_000;

  /**
   * Logs the facts at INFO. Counts ready jobs only if that level is on; a failing read fails
   * nothing.
   */
  void log(String event, ReopenableStore store) {
    if (LOG.isInfoEnabled()) {
      LOG.info(
          "{}: location={}, epoch={}, last stop={}, leases taken back={}, leases honoured={},"
              + " jobs ready={}",
          event,
          store.location(),
          store.store().epoch(),
          lastStop,
          takenBackCount,
          honouredCount,
          readyJobs(store.store()));
    }
  }

  private static String readyJobs(OrderedStore store) {
    Counted counted = new Counted();
    try (ReadView view = store.read()) {
      view.scan(
          Keyspace.COUNTERS.start(), Keyspace.COUNTERS.end(), QUEUE_COUNT_MAX + 1, counted::visit);
    } catch (StoreException e) {
      return "unknown, for " + e.getMessage();
    }
    return (counted.isAll ? "" : "at least ") + counted.jobCount;
  }

  /** The ready jobs of the queues that were visited so far. */
  private static final class Counted {
    private long jobCount;
    private int queueCount;
    private boolean isAll = true;

    boolean visit(byte[] key, byte[] value) {
      if (queueCount == QUEUE_COUNT_MAX) {
        isAll = false;
        return false;
      }
      queueCount++;
      try {
        jobCount += CountersRecord.decode(key, value).states()[JobState.READY.ordinal()];
      } catch (CorruptDataException e) {
        // It is set aside and counted anew when its queue is used.
        isAll = false;
      }
      return true;
    }
  }
}
