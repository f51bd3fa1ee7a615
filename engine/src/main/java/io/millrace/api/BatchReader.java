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
}
