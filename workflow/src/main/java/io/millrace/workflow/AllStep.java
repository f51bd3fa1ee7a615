package io.millrace.workflow;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Batches;
import io.millrace.api.JobOutput;
import io.millrace.api.JobQueues;
import io.millrace.api.Limits;
import io.millrace.api.Page;
import io.millrace.api.ResultJobType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The batch of a step that many jobs do, and what is kept of it. */
final class AllStep {

  /** The time for which results are kept for a workflow that nobody runs. */
  static final Duration RETENTION = Duration.ofDays(30);

  private AllStep() {}

  /** Returns the batch of one job for each payload. */
  static <T> Batch batch(String name, ResultJobType<T, ?> type, List<? extends T> payloads) {
    Batch batch = Batch.of(name).retention(RETENTION).keepResults();
    payloads.forEach(payload -> batch.add(type, payload));
    if (batch.jobs().stream().anyMatch(placed -> placed.job().options().unique().isPresent())) {
      throw new IllegalArgumentException(
          "jobs of a step have no unique key, for then there could be fewer than payloads: type="
              + type.name());
    }
    return batch;
  }

  /** Returns the id as the content of an entry. */
  static byte[] content(BatchId id) {
    return ByteBuffer.allocate(Long.BYTES).putLong(id.value()).array();
  }

  /** Returns the batch of an {@link Entry.Kind#ALL_STARTED}. */
  static BatchId id(Entry entry) {
    return new BatchId(ByteBuffer.wrap(entry.content()).getLong());
  }

  /**
   * Returns the results of the first jobs as the content of an entry: for each its length, 4 bytes,
   * big-endian, and the result. Jobs that these have added to the batch come behind them.
   *
   * @param count the number of payloads
   * @throws WorkflowException there are fewer results, or they are more than a checkpoint can keep
   */
  static byte[] results(JobQueues queues, BatchId id, int count) {
    Batches batches = queues.batches();
    List<byte[]> results = new ArrayList<>();
    long length = 0;
    Iterator<JobOutput> found =
        Page.stream(page -> batches.results(id, page)).limit(count).iterator();
    while (found.hasNext()) {
      byte[] result = found.next().result();
      results.add(result);
      length += Integer.BYTES + result.length;
      if (length > Limits.CHECKPOINT_BYTES_MAX) {
        throw new WorkflowException(
            "results of a step are more than a checkpoint can keep: batch="
                + id
                + ", most="
                + Limits.CHECKPOINT_BYTES_MAX
                + ". Let jobs put large results into a table, and answer the keys of their rows");
      }
    }
    if (results.size() < count) {
      throw new WorkflowException(
          "jobs of a step have succeeded without results, or these are damaged: batch="
              + id
              + ", results="
              + results.size()
              + ", payloads="
              + count
              + ". Redrive the job without its checkpoint to begin anew");
    }
    ByteBuffer buffer = ByteBuffer.allocate((int) length);
    results.forEach(result -> buffer.putInt(result.length).put(result));
    return buffer.array();
  }

  /** Returns the results that the content of an {@link Entry.Kind#ALL} has. */
  static List<byte[]> results(Entry entry) {
    ByteBuffer buffer = ByteBuffer.wrap(entry.content());
    List<byte[]> results = new ArrayList<>();
    while (buffer.hasRemaining()) {
      byte[] result = new byte[buffer.getInt()];
      buffer.get(result);
      results.add(result);
    }
    return results;
  }

  /** Returns why the step of the batch failed for good. */
  static String reason(BatchStats over) {
    return "not all jobs of the step succeeded: batch="
        + over.id()
        + ", total="
        + over.total()
        + ", succeeded="
        + over.succeeded()
        + ", dead="
        + over.dead()
        + ", others="
        + (over.total() - over.succeeded() - over.dead());
  }
}
