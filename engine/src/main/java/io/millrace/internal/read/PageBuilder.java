package io.millrace.internal.read;

import io.millrace.api.Job;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.internal.read.Rows.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A page of jobs that is being filled: full by jobs, by rows looked at, or by payload bytes. */
final class PageBuilder {

  private final Rows rows;
  private final QueueName name;
  private final int size;
  private final List<Job> jobs = new ArrayList<>();
  private int rowsLeft = Rows.CHUNK_ROWS_MAX;
  private int rowsWanted;
  private long blobBytes;
  private @Nullable String next;

  PageBuilder(Rows rows, QueueName name, int size) {
    this.rows = rows;
    this.name = name;
    this.size = size;
    this.rowsWanted = size;
  }

  boolean isFull() {
    return next != null;
  }

  /** How many rows to bring next: twice as many each time, as most of the last were of no use. */
  int rowsWanted() {
    int wanted = Math.min(rowsWanted, rowsLeft);
    rowsWanted = 2 * wanted;
    return wanted;
  }

  /**
   * Takes rows until the page is full.
   *
   * @param found the job of each row, null for those that are of no job asked for
   */
  void add(List<Row> chunk, List<@Nullable StoredJob> found) {
    for (int i = 0; i < chunk.size() && !isFull(); i++) {
      add(chunk.get(i).key(), found.get(i));
    }
  }

  Page<Job> build() {
    return new Page<>(jobs, Optional.ofNullable(next));
  }

  private void add(byte[] rowKey, @Nullable StoredJob job) {
    if (job != null) {
      blobBytes += job.blobBytes();
      if (blobBytes > Rows.CHUNK_BYTES_MAX && !jobs.isEmpty()) {
        next = Cursors.at(rowKey);
        return;
      }
      jobs.add(job.toJob(name, rows));
    }
    rowsLeft--;
    if (jobs.size() == size || rowsLeft == 0) {
      next = Cursors.after(rowKey);
    }
  }
}
