package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.Row;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that meet a filter: queue by queue in the store's order, in each state by state, in each
 * state in the order of its keys.
 *
 * <p>Only rows that the filter leaves are read: of the queues those of its name, of a queue the
 * states that have jobs, of the ready jobs the priorities, of the blocked ones the concurrency key.
 */
final class JobList {

  private static final int QUEUE_CHUNK_SIZE = 100;

  private final ViewRows rows;
  private final JobFilter filter;
  private final JobMatch match;

  JobList(ViewRows rows, JobFilter filter) {
    this.rows = rows;
    this.filter = filter;
    this.match = new JobMatch(filter);
  }

  Page<Job> page(PageRequest request) {
    KeyRange queues = queues();
    JobCursor cursor = request.cursor().map(text -> parse(text, queues)).orElse(null);
    KeyRange rest = cursor == null ? queues : queues.from(cursor.queueKey());
    PageBuilder page = new PageBuilder(rows, request.size(), match::hasHeaders);
    List<Row> chunk = rows.chunk(rest, QUEUE_CHUNK_SIZE);
    while (!chunk.isEmpty() && !page.isFull()) {
      for (Row row : chunk) {
        QueueName name = rows.decode(row.key(), row.value(), (key, value) -> QueueKeys.name(key));
        if (!page.takesQueue(name, row.key())) {
          break;
        }
        if (filter.tenant().isEmpty() || filter.tenant().get().equals(name.tenant())) {
          add(page, name, row, cursor);
        }
      }
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = page.isFull() ? List.of() : rows.chunk(rest, QUEUE_CHUNK_SIZE);
    }
    return page.build();
  }

  private KeyRange queues() {
    if (filter.queueName().isEmpty()) {
      return KeyRange.of(Keyspace.QUEUE);
    }
    String name = filter.queueName().get();
    if (filter.tenant().isEmpty()) {
      return new KeyRange(QueueKeys.nameStart(name), QueueKeys.nameEnd(name));
    }
    byte[] only = QueueKeys.key(new QueueName(name, filter.tenant().get()));
    return new KeyRange(only, Bytes.successor(only));
  }

  private void add(PageBuilder page, QueueName name, Row row, @Nullable JobCursor cursor) {
    QueueRecord queue = rows.decode(row.key(), row.value(), QueueRecord::decode);
    JobPages jobs = new JobPages(rows, name, queue.number());
    byte[] position =
        cursor != null && Arrays.equals(cursor.queueKey(), row.key())
            ? cursor.position()
            : new byte[0];
    // A queue of this name that was made anew has another number, and is listed from its start.
    boolean isMidway = position.length > 0 && jobs.isOfQueue(position);
    Optional<JobState> begin = isMidway ? Optional.of(state(position)) : Optional.empty();
    for (JobState state : filter.states()) {
      boolean isBehind = begin.isEmpty() || state.compareTo(begin.get()) >= 0;
      if (isBehind && !page.isFull() && mayHave(jobs, state)) {
        JobPages.Section section = jobs.section(state).where(job -> match.test(name, job));
        if (state == JobState.READY) {
          section = section.within(jobs.ready(filter.priorityLeast(), filter.priorityMost()));
        }
        Optional<String> key = filter.concurrencyKey();
        if (state == JobState.BLOCKED && key.isPresent()) {
          section = section.within(jobs.blocked(key.get()));
        }
        boolean isHere = begin.isPresent() && state == begin.get();
        jobs.fill(page, section, isHere ? position : section.all().startInclusive());
      }
    }
  }

  /**
   * Tells whether the queue may have jobs in the state that meet the filter. Damaged counts hide no
   * jobs but those that cannot be found without them.
   */
  private boolean mayHave(JobPages jobs, JobState state) {
    if (filter.stuckBefore().isPresent() && state != JobState.WAITING) {
      return false;
    }
    try {
      return jobs.count(state) > 0;
    } catch (CorruptDataException e) {
      return true;
    }
  }

  private JobCursor parse(String text, KeyRange queues) {
    JobCursor cursor = Cursors.parseInQueue(text, queues);
    boolean isOurs = cursor.position().length == 0 || isPosition(cursor.position());
    if (!isOurs) {
      throw Cursors.foreign(text);
    }
    return cursor;
  }

  private boolean isPosition(byte[] position) {
    for (JobState state : filter.states()) {
      if (position.length > Integer.BYTES && Keyspace.of(state).code() == position[0]) {
        return true;
      }
    }
    return false;
  }

  private static JobState state(byte[] position) {
    Keyspace keyspace = Keyspace.ofKey(position);
    return Objects.requireNonNull(keyspace.state(), "state");
  }
}
