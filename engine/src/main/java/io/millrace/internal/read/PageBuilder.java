package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Job;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.internal.format.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs that is being filled: full by jobs, by rows looked at, by payload bytes, or by
 * time.
 */
final class PageBuilder {

  private final ViewRows rows;
  private final int size;
  private final Predicate<Job> wanted;
  private final List<Job> jobs = new ArrayList<>();
  private @Nullable QueueName name;
  private byte[] cursorPrefix = {};
  private int rowsLeft = Row.CHUNK_ROWS_MAX;
  private int rowsWanted;
  private long blobBytes;
  private @Nullable String next;

  /**
   * Creates a page that has no queue's jobs yet.
   *
   * @param wanted tells of a job that was read whether it belongs on the page, for conditions that
   *     only the row of its payload answers
   */
  PageBuilder(ViewRows rows, int size, Predicate<Job> wanted) {
    this.rows = rows;
    this.size = size;
    this.wanted = wanted;
    this.rowsWanted = size;
  }

  boolean isFull() {
    return next != null;
  }

  /** Begins with the jobs of this queue; cursors begin with the prefix from here on. */
  void enter(QueueName queue, byte[] prefix) {
    name = queue;
    cursorPrefix = prefix;
  }

  /**
   * Goes on with another queue, unless the page has looked at enough: then it ends before that
   * queue. Cursors begin with the queue's key from here on.
   */
  boolean takesQueue(QueueName queue, byte[] queueKey) {
    if (!isFull() && isSpent()) {
      next = Cursors.at(queueKey);
    }
    if (isFull()) {
      return false;
    }
    rowsLeft--;
    enter(queue, queueKey);
    return true;
  }

  /**
   * Returns how many rows to bring next: twice as many each time, as most of the last were of no
   * use.
   */
  int rowsWanted() {
    int wanted = Math.max(1, Math.min(rowsWanted, rowsLeft));
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
      try {
        add(chunk.get(i).key(), found.get(i));
      } catch (CorruptDataException e) {
        endBefore(chunk.get(i).key(), e);
      }
    }
  }

  /**
   * Ends the page before a row whose job is damaged; a page that would begin with it fails, and
   * says where the next one begins.
   */
  void endBefore(byte[] rowKey, CorruptDataException damage) {
    if (jobs.isEmpty()) {
      throw new CorruptDataException(
          damage.getMessage() + ", go on behind it with cursor=" + Cursors.after(cursor(rowKey)),
          damage);
    }
    next = Cursors.at(cursor(rowKey));
  }

  Page<Job> build() {
    return new Page<>(jobs, Optional.ofNullable(next));
  }

  private void add(byte[] rowKey, @Nullable StoredJob job) {
    if (job != null) {
      boolean isFirst = blobBytes == 0;
      blobBytes += job.blobBytes();
      if (blobBytes > Row.CHUNK_BYTES_MAX && !isFirst) {
        next = Cursors.at(cursor(rowKey));
        return;
      }
      Job read = JobView.of(job, Objects.requireNonNull(name), rows);
      if (wanted.test(read)) {
        jobs.add(read);
      }
    }
    rowsLeft--;
    if (jobs.size() == size || isSpent()) {
      next = Cursors.after(cursor(rowKey));
    }
  }

  private boolean isSpent() {
    return rowsLeft <= 0 || rows.isOverTime();
  }

  private byte[] cursor(byte[] rowKey) {
    byte[] cursor = Arrays.copyOf(cursorPrefix, cursorPrefix.length + rowKey.length);
    System.arraycopy(rowKey, 0, cursor, cursorPrefix.length, rowKey.length);
    return cursor;
  }
}
