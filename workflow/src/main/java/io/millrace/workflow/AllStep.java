package io.millrace.workflow;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Batches;
import io.millrace.api.JobId;
import io.millrace.api.JobOutput;
import io.millrace.api.JobQueues;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.ResultJobType;
import io.millrace.api.Transaction;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The batch of a step that many jobs do, and what is kept of it. */
final class AllStep {

  /** The time for which results are kept for a workflow that nobody runs. */
  static final Duration RETENTION = Duration.ofDays(30);

  /** The length of the content of an {@link Entry.Kind#ALL_STARTED}: the ids of batch and job. */
  static final int CONTENT_BYTES = 3 * Long.BYTES;

  /** The id that stands for the last job of a step without jobs. */
  private static final JobId NO_JOB = new JobId(0, 0);

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

  /** Starts the batch in the transaction, and returns the content of the entry that says so. */
  static byte[] start(Transaction tx, Batch batch) {
    BatchId id = tx.open(Batch.of(batch.name()).retention(RETENTION).keepResults());
    ByteBuffer content = ByteBuffer.allocate(CONTENT_BYTES).putLong(id.value());
    JobId last = NO_JOB;
    for (Batch.Placed placed : batch.jobs()) {
      NewJob job = placed.job();
      last = tx.enqueue(placed.queue(), job.payload(), job.options().batch(id));
    }
    tx.seal(id);
    return content.putLong(last.high()).putLong(last.low()).array();
  }

  /** Returns the job of the last payload of an {@link Entry.Kind#ALL_STARTED}. */
  private static JobId last(Entry entry) {
    ByteBuffer content = ByteBuffer.wrap(entry.content(), Long.BYTES, 2 * Long.BYTES);
    return new JobId(content.getLong(), content.getLong());
  }

  /** Returns the batch of an {@link Entry.Kind#ALL_STARTED}. */
  static BatchId id(Entry entry) {
    return new BatchId(ByteBuffer.wrap(entry.content()).getLong());
  }

  /**
   * Returns the results of the first jobs as the content of an entry: for each its length, 4 bytes,
   * big-endian, and the result. Jobs that these have added to the batch come behind them, and never
   * stand in for one whose result is missing: the last result has to be that of the last payload.
   *
   * @param count the number of payloads
   * @throws WorkflowException there are fewer results, or they are more than a checkpoint can keep
   */
  static byte[] results(JobQueues queues, Entry started, int count) {
    BatchId id = id(started);
    JobId last = NO_JOB;
    Batches batches = queues.batches();
    List<byte[]> results = new ArrayList<>();
    long length = 0;
    Iterator<JobOutput> found =
        Page.stream(page -> batches.results(id, page)).limit(count).iterator();
    while (found.hasNext()) {
      JobOutput output = found.next();
      byte[] result = output.result();
      last = output.jobId();
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
    if (results.size() < count || !last.equals(last(started))) {
      throw new WorkflowException(
          "jobs of a step have succeeded without results, or these are damaged, or the payloads are"
              + " others than before: batch="
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
