package io.millrace.api;

import io.millrace.MillraceException;
import java.util.Optional;

/** Read access to the batches of a store. Any thread may use it. */
public interface BatchReader {

  /**
   * Returns the batch with this id; empty if it was never begun, or its retention has passed.
   *
   * @throws CorruptDataException the batch's row is damaged
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Optional<BatchStats> get(BatchId id);

  /**
   * Lists the batches in the order in which they were begun, at most {@value Limits#PAGE_SIZE_MAX}
   * a page. A page is one snapshot. A batch whose row is damaged is left out, and {@link #get} of
   * it fails.
   *
   * @throws IllegalArgumentException the cursor is not of this question
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<BatchStats> list(PageRequest page);

  /**
   * Lists the results that jobs of the batch were completed with, at most {@value
   * Limits#PAGE_SIZE_MAX} a page and those of about {@value Limits#CALL_BYTES_MAX} bytes: of one
   * queue and one call in the order in which the jobs were added. Those that a transaction has
   * added may come before others that were there already, for their ids were told before. Jobs
   * without a result are left out, and so are damaged ones. A page is one snapshot.
   *
   * @throws NoSuchBatchException there is no such batch
   * @throws IllegalArgumentException the cursor is not of this question
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<JobOutput> results(BatchId id, PageRequest page);
}
