package io.millrace.internal.read;

import static io.millrace.internal.read.StoredRows.FIRST;
import static io.millrace.internal.read.StoredRows.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.internal.format.QueueRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A page looks at so much and no more, and the next one goes on. */
final class JobListBoundsTest {

  private static final int SECOND_NS = 1_000_000_000;

  private final StoredRows rows = new StoredRows();
  private final AtomicLong clockNs = new AtomicLong();
  private long tickNs;
  private final StoreReader reader =
      new StoreReader(
          rows::store,
          () -> 5_000,
          key -> {},
          () -> {},
          new OpenViews(() -> clockNs.addAndGet(tickNs), 1, Duration.ZERO));

  @AfterEach
  void close() {
    rows.close();
  }

  private Page<Job> after(JobFilter filter, Page<Job> page) {
    return reader.list(filter, PageRequest.after(page.next().orElseThrow(), 10));
  }

  @Test
  void list_moreThatDoNotMatchThanAPageLooksAt_goesOnWithTheNextPage() {
    for (int i = 0; i < 1_500; i++) {
      rows.ready(0, FIRST + i);
    }
    JobId wanted = rows.dead(4_000, FIRST + 2_000, "broken");
    JobFilter filter = JobFilter.ALL.errorContains("broken");

    Page<Job> first = reader.list(filter, PageRequest.first(10));
    Page<Job> second = after(filter, first);

    assertThat(first.items()).isEmpty();
    assertThat(second.items()).extracting(Job::id).containsExactly(wanted);
    assertThat(second.next()).isEmpty();
  }

  @Test
  void list_longPayloadsThatAreReadForTheirHeaders_endThePageByTheirBytes() {
    byte[] payload = new byte[3 << 20];
    for (int i = 0; i < 5; i++) {
      rows.readyWithBlob(FIRST + i, payload, Map.of("customer", "4" + i));
    }
    JobFilter filter = JobFilter.ALL.header("customer", "44");

    Page<Job> first = reader.list(filter, PageRequest.first(10));
    Page<Job> second = after(filter, first);
    Page<Job> third = after(filter, second);

    assertThat(first.items()).isEmpty();
    assertThat(second.items()).isEmpty();
    assertThat(third.items()).extracting(Job::headers).containsExactly(Map.of("customer", "44"));
  }

  @Test
  void list_stateThatIsNotAskedFor_isNotLookedAt() {
    for (int i = 0; i < 1_500; i++) {
      rows.ready(0, FIRST + i);
    }
    JobId wanted = rows.dead(4_000, FIRST + 2_000, "broken");

    Page<Job> page = reader.list(JobFilter.ALL.state(JobState.DEAD), PageRequest.first(10));

    assertThat(page.items()).extracting(Job::id).containsExactly(wanted);
  }

  @Test
  void list_readyJobsOfOnePriority_looksAtNoOther() {
    for (int i = 0; i < 1_500; i++) {
      rows.ready(5, FIRST + i);
    }
    JobId wanted = rows.ready(-5, FIRST + 2_000);

    Page<Job> page = reader.list(JobFilter.ALL.priority(-5, 4), PageRequest.first(10));

    assertThat(page.items()).extracting(Job::id).containsExactly(wanted);
  }

  @Test
  void list_moreQueuesThanAPageLooksAt_goesOnWithTheNextPage() {
    for (int i = 0; i < 1_100; i++) {
      rows.putQueue(QueueName.of("a%04d".formatted(i)), QueueRecord.selfMade(100 + i, 1));
    }
    JobId wanted = rows.ready(0, FIRST);
    JobFilter ofTenant = JobFilter.ALL.tenant("");

    Page<Job> first = reader.list(ofTenant.priority(0, 1), PageRequest.first(1));
    Page<Job> second = reader.list(JobFilter.ALL.queueName("mail"), PageRequest.first(1));

    assertThat(first.items()).extracting(Job::id).containsExactly(wanted);
    assertThat(second.items()).extracting(Job::id).containsExactly(wanted);
    Page<Job> rest = after(JobFilter.ALL, first);
    assertThat(rest.items()).isEmpty();
    assertThat(after(JobFilter.ALL, rest).next()).isEmpty();
  }

  @Test
  void list_slowStore_endsThePageAfterASecond() {
    for (int i = 0; i < 10; i++) {
      rows.ready(0, FIRST + i);
    }
    tickNs = SECOND_NS / 2;

    Page<Job> page = reader.list(JobFilter.ALL, PageRequest.first(10));

    assertThat(page.items()).hasSize(1);
    assertThat(after(JobFilter.ALL, page).items()).hasSize(1);
  }

  @Test
  void peek_slowStore_endsThePageAfterASecond() {
    for (int i = 0; i < 10; i++) {
      rows.ready(0, FIRST + i);
    }
    tickNs = SECOND_NS / 2;

    Page<Job> page = reader.peek(MAIL, JobState.READY, PageRequest.first(10));

    assertThat(page.items()).hasSize(2);
    assertThat(page.next()).isPresent();
  }

  @Test
  void list_cursorInAQueueThatWasMadeAnew_beginsAtItsStart() {
    rows.ready(0, FIRST);
    rows.ready(0, FIRST + 1);
    Page<Job> page = reader.list(JobFilter.ALL, PageRequest.first(1));
    rows.putQueue(MAIL, QueueRecord.selfMade(StoredRows.QUEUE + 1, 2));

    Page<Job> next = after(JobFilter.ALL, page);

    assertThat(next.items()).isEmpty();
    assertThat(next.next()).isEmpty();
  }

  @Test
  void activeQueues_slowStore_endsThePageAfterASecond() {
    rows.ready(0, FIRST);
    rows.agenda(1_000);
    tickNs = SECOND_NS;

    Page<QueueName> page = reader.activeQueues(Instant.ofEpochMilli(1_000), PageRequest.first(10));

    assertThat(page.items()).containsExactly(MAIL);
    assertThat(page.next()).isPresent();
  }

  @Test
  void activeQueues_rowThatIsNotTheQueuesOwn_isPassedOver() {
    rows.ready(0, FIRST);
    rows.agenda(1_000);
    rows.agenda(2_000);

    Page<QueueName> page = reader.activeQueues(Instant.ofEpochMilli(5_000), PageRequest.first(10));

    assertThat(page.items()).containsExactly(MAIL);
    assertThat(page.next()).isEmpty();
  }

  @Test
  void nextVisible_everyJobNearTheHeadLeased_isNow() {
    for (int i = 0; i < 1_100; i++) {
      rows.ready(0, FIRST + i);
      rows.putLease(FIRST + i, FIRST + 2_000 + i);
    }

    assertThat(reader.nextVisible(MAIL)).contains(Instant.ofEpochMilli(5_000));
  }
}
