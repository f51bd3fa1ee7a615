package io.millrace.engine.jmx;

import static io.millrace.engine.jmx.ToolAnswers.tell;

import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.TableRange;
import io.millrace.describe.Description;
import io.millrace.describe.Descriptions;
import io.millrace.describe.OpenData;
import io.millrace.management.JobEngineMBean;
import io.millrace.options.Checks;
import java.util.Optional;
import java.util.function.Supplier;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/** The pages of lists that an engine shows to tools. Any thread. */
final class EnginePages {

  private final JobQueues queues;

  EnginePages(JobQueues queues) {
    this.queues = queues;
  }

  CompositeData queues(@Nullable String cursor) {
    PageRequest page = small(JobEngineMBean.QUEUE_PAGE_SIZE, cursor);
    return told(Descriptions.QUEUES, () -> queues.queues(page));
  }

  CompositeData queueStats(int size, @Nullable String cursor) {
    PageRequest page = small(size, cursor);
    return told(Descriptions.QUEUE_STATS, () -> queues.stats(page));
  }

  CompositeData tables(int size, @Nullable String cursor) {
    PageRequest page = small(size, cursor);
    return told(Descriptions.TABLES, () -> queues.tables(page));
  }

  CompositeData tableRows(String table, byte[] prefix, int size, @Nullable String cursor) {
    PageRequest page = large(size, cursor);
    return told(
        Descriptions.TABLE_ROWS,
        () -> queues.table(table, Codec.BYTES, Codec.BYTES).scan(TableRange.prefix(prefix), page));
  }

  CompositeData batches(int size, @Nullable String cursor) {
    PageRequest page = small(size, cursor);
    return told(Descriptions.BATCHES, () -> queues.batches().list(page));
  }

  CompositeData peek(QueueName queue, JobState state, @Nullable String cursor) {
    PageRequest page = large(JobEngineMBean.JOB_PAGE_SIZE, cursor);
    return told(Descriptions.JOBS, () -> queues.peek(queue, state, page));
  }

  /** Returns jobs as they are described, whole or without their users' bytes. */
  CompositeData jobs(
      Description<Page<Job>> described, JobFilter filter, int size, @Nullable String cursor) {
    PageRequest page = large(size, cursor);
    return told(described, () -> queues.list(filter, page));
  }

  CompositeData deadLetters(QueueName queue, DeadFilter filter, @Nullable String cursor) {
    PageRequest page = large(JobEngineMBean.JOB_PAGE_SIZE, cursor);
    return told(Descriptions.JOBS, () -> queues.deadLetters(queue, filter, page));
  }

  /** Returns the request for items that are small. */
  private static PageRequest small(int size, @Nullable String cursor) {
    return page(size, JobEngineMBean.QUEUE_PAGE_SIZE, cursor);
  }

  /** Returns the request for items that may have many megabytes each. */
  private static PageRequest large(int size, @Nullable String cursor) {
    return page(size, JobEngineMBean.JOB_PAGE_SIZE, cursor);
  }

  private static PageRequest page(int size, int sizeMax, @Nullable String cursor) {
    int checked = (int) Checks.inRange("size", size, 1, sizeMax);
    return new PageRequest(checked, Optional.ofNullable(cursor));
  }

  private static <T> CompositeData told(Description<T> description, Supplier<T> question) {
    return tell(() -> OpenData.write(description, question.get()));
  }
}
