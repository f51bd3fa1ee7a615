package io.millrace.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.MillraceException;
import io.millrace.api.AfterCommit;
import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NotAllowedException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.ReleaseResult;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.TransactionResult;
import io.millrace.tables.ReservedTables;
import io.millrace.worker.JobRunEnd.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how often a running job was handed back because its worker stopped, in a table of the
 * store. Any thread.
 *
 * <p>A start that was cut short in this way does not count, for a deployment is not the job's
 * fault. But a job that ends its process, and gives up when it is asked to, looks the same. So a
 * job is handed back {@value #FREE} times uncounted; after that each start counts, and the job dies
 * in the end. A checkpoint in between shows that the job makes progress, and its count begins anew.
 *
 * <p>Only jobs that were cut short have a row, and only a worker that wrote one looks for rows
 * whose jobs are gone. Nothing else is ever looked up.
 */
final class HandBacks {

  /** The number of times that a job is handed back without counting its start. */
  static final int FREE = 5;

  private static final String CUT_SHORT =
      "its worker stopped while it ran, as often before, and it kept no state";

  private static final Logger LOG = LoggerFactory.getLogger(HandBacks.class);

  private final JobQueues queues;
  private volatile boolean hasWritten;

  HandBacks(JobQueues queues) {
    this.queues = queues;
  }

  private Table<byte[], byte[]> table() {
    // Whatever rows others have put there.
    return queues.table(ReservedTables.HAND_BACKS, Codec.BYTES, Codec.BYTES);
  }

  private static long count(byte[] value) {
    try {
      return Codec.LONG.decode(value);
    } catch (CodecException e) {
      return 0;
    }
  }

  private static Optional<JobId> id(byte[] key) {
    try {
      return Optional.of(JobId.parse(new String(key, US_ASCII)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the ending of a job's lease that was cut short.
   *
   * @param isComingForward whether this attempt has kept a state
   * @param retry how the job is tried again if this start counts
   */
  Supplier<CompletableFuture<Outcome>> ending(
      Lease lease, boolean isComingForward, FailOptions retry) {
    return () -> {
      try {
        return CompletableFuture.completedFuture(end(lease, isComingForward, retry));
      } catch (RuntimeException e) {
        if (e instanceof MillraceException && !(e instanceof NotAllowedException)) {
          throw e;
        } // Else there are no tables for it.
        LOG.debug("hand-backs of a job are not counted: job={}", lease.jobId(), e);
        return Endings.released(lease).get();
      }
    };
  }

  private Outcome end(Lease lease, boolean isComingForward, FailOptions retry) {
    Table<byte[], byte[]> table = table();
    byte[] key = lease.jobId().toString().getBytes(US_ASCII);
    TransactionResult<Supplier<Outcome>> result =
        queues.transact(
            tx -> {
              long before = tx.get(table, key).map(HandBacks::count).orElse(0L);
              if (isComingForward && before > 0) {
                tx.delete(table, key);
              } else if (!isComingForward && before < FREE) {
                tx.put(table, key, Codec.LONG.encode(before + 1));
              } else if (!isComingForward) {
                AfterCommit<FailResult> failed = tx.fail(lease, CUT_SHORT, retry);
                return () -> Endings.failed(failed.get());
              }
              AfterCommit<ReleaseResult> released = tx.release(lease);
              return () -> Endings.handedBack(released.get(), Outcome.RELEASED);
            });
    if (result instanceof TransactionResult.StaleLease) {
      return Outcome.LOST;
    }
    hasWritten = true;
    return result.orThrow().get();
  }

  /** Deletes the rows of jobs that are gone, if this worker wrote any rows. */
  void sweep() {
    if (!hasWritten) {
      return;
    }
    try {
      Optional<String> cursor = Optional.empty();
      do {
        PageRequest request =
            cursor
                .map(last -> PageRequest.after(last, Limits.PAGE_SIZE_MAX))
                .orElseGet(() -> PageRequest.first(Limits.PAGE_SIZE_MAX));
        Page<TableRow<byte[], byte[]>> page = table().scan(TableRange.all(), request);
        table()
            .deleteAll(page.items().stream().map(TableRow::key).filter(this::isOfGoneJob).toList());
        cursor = page.next();
      } while (cursor.isPresent());
    } catch (RuntimeException e) {
      LOG.debug("hand-backs of jobs that are gone are not forgotten yet", e);
    }
  }

  private boolean isOfGoneJob(byte[] key) {
    return id(key).filter(id -> queues.get(id).isEmpty()).isPresent();
  }
}
