package io.millrace.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists, active queues and next times as users ask for them. */
class JobListTest {

  private JobEngine engine;

  @BeforeEach
  void open() {
    engine = JobEngine.open("memory:list-test");
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static JobId enqueue(JobQueue queue, String payload, EnqueueOptions options) {
    return queue.enqueue(payload.getBytes(UTF_8), options).jobId();
  }

  private static JobId enqueue(JobQueue queue, String payload) {
    return enqueue(queue, payload, EnqueueOptions.DEFAULT);
  }

  @Test
  void list_byConcurrencyKey_findsItsJobsInEveryState() {
    JobQueue mail = engine.queue("mail");
    EnqueueOptions ada = EnqueueOptions.DEFAULT.concurrencyKey("ada");
    enqueue(mail, "runs", ada);
    assertThat(mail.claim("w1", ofSeconds(30))).isPresent();
    enqueue(mail, "blocked", ada);
    enqueue(mail, "other", EnqueueOptions.DEFAULT.concurrencyKey("bob"));
    enqueue(mail, "other blocked", EnqueueOptions.DEFAULT.concurrencyKey("bob"));
    enqueue(mail, "delayed", ada.delay(ofHours(1)));
    enqueue(mail, "none");

    List<String> found = list(JobFilter.ALL.concurrencyKey("ada"), 1);

    assertThat(found).containsExactlyInAnyOrder("runs", "blocked", "delayed");
    assertThat(list(JobFilter.ALL.state(JobState.BLOCKED).concurrencyKey("ada"), 10))
        .containsExactly("blocked");
    assertThat(list(JobFilter.ALL.concurrencyKey("ad"), 10)).isEmpty();
    assertThatThrownBy(() -> JobFilter.ALL.concurrencyKey(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("concurrencyKey");
  }

  /** All pages of this size, one after the other. */
  private List<String> list(JobFilter filter, int size) {
    List<String> payloads = new ArrayList<>();
    Optional<PageRequest> request = Optional.of(PageRequest.first(size));
    while (request.isPresent()) {
      Page<Job> page = engine.list(filter, request.get());
      page.items().forEach(job -> payloads.add(new String(job.payload(), UTF_8)));
      request = page.next().map(cursor -> PageRequest.after(cursor, size));
    }
    return payloads;
  }

  private List<String> list(JobFilter filter) {
    return list(filter, 100);
  }

  private List<QueueName> active(Instant now, int size) {
    List<QueueName> names = new ArrayList<>();
    Optional<PageRequest> request = Optional.of(PageRequest.first(size));
    while (request.isPresent()) {
      Page<QueueName> page = engine.activeQueues(now, request.get());
      names.addAll(page.items());
      request = page.next().map(cursor -> PageRequest.after(cursor, size));
    }
    return names;
  }

  /** A job in each state that there can be, in a queue of two tenants and one other. */
  private void fill() {
    JobQueue mail = engine.queue("mail");
    enqueue(mail, "dies", EnqueueOptions.DEFAULT.priority(100));
    mail.claim(ClaimOptions.by("w"))
        .get(0)
        .fail("no such address", FailOptions.PERMANENT)
        .orThrow();
    enqueue(mail, "leased", EnqueueOptions.DEFAULT.priority(50));
    assertThat(mail.claim(ClaimOptions.by("w"))).hasSize(1);
    enqueue(mail, "low", EnqueueOptions.DEFAULT.priority(-1));
    enqueue(mail, "high", EnqueueOptions.DEFAULT.priority(1));
    enqueue(mail, "later", EnqueueOptions.DEFAULT.delay(ofHours(1)));
    enqueue(engine.queue("mail", "acme"), "of acme");
    enqueue(engine.queue("pdf", "acme"), "pdf of acme");
  }

  @Test
  void list_all_isQueueByQueueAndStateByState() {
    fill();

    List<String> all = list(JobFilter.ALL);

    assertThat(all)
        .containsExactly("pdf of acme", "high", "low", "later", "leased", "dies", "of acme");
  }

  @Test
  void list_anyPageSize_isTheSame() {
    fill();
    List<String> all = list(JobFilter.ALL);

    for (int size = 1; size <= 8; size++) {
      assertThat(list(JobFilter.ALL, size)).as("pages of " + size).isEqualTo(all);
    }
  }

  @Test
  void list_everyCondition_leavesWhatMeetsIt() {
    fill();

    assertThat(list(JobFilter.ALL.states(Set.of(JobState.DEAD, JobState.LEASED))))
        .containsExactly("leased", "dies");
    assertThat(list(JobFilter.ALL.queueName("mail").state(JobState.READY)))
        .containsExactly("high", "low", "of acme");
    assertThat(list(JobFilter.ALL.tenant("acme"))).containsExactly("pdf of acme", "of acme");
    assertThat(list(JobFilter.ALL.tenant("").state(JobState.READY))).containsExactly("high", "low");
    assertThat(list(JobFilter.ALL.queue(new QueueName("mail", "acme")))).containsExactly("of acme");
    assertThat(list(JobFilter.ALL.queueName("nowhere"))).isEmpty();
    assertThat(list(JobFilter.ALL.priority(1, 50))).containsExactly("high", "leased");
    assertThat(list(JobFilter.ALL.priority(-128, -1))).containsExactly("low");
    assertThat(list(JobFilter.ALL.attempts(1, 1))).containsExactly("leased", "dies");
    assertThat(list(JobFilter.ALL.attempts(0, 0)))
        .containsExactly("pdf of acme", "high", "low", "later", "of acme");
    assertThat(list(JobFilter.ALL.errorContains("address"))).containsExactly("dies");
    assertThat(list(JobFilter.ALL.errorContains("Address"))).isEmpty();
  }

  @Test
  void list_byAge_takesTheInstantItself() {
    JobQueue mail = engine.queue("mail");
    JobId id = enqueue(mail, "a");
    Instant born = engine.get(id).orElseThrow().enqueuedAt();

    assertThat(list(JobFilter.ALL.enqueuedSince(born))).containsExactly("a");
    assertThat(list(JobFilter.ALL.enqueuedSince(born.plusNanos(1)))).isEmpty();
    assertThat(list(JobFilter.ALL.enqueuedBefore(born))).isEmpty();
    assertThat(list(JobFilter.ALL.enqueuedBefore(born.plusNanos(1)))).containsExactly("a");
  }

  @Tag("slow")
  @Test
  void list_jobsThatComeAndGoBetweenPages_moveNothing() {
    JobQueue mail = engine.queue("mail");
    List<JobId> ids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ids.add(enqueue(mail, "job " + i));
    }
    Page<Job> first = engine.list(JobFilter.ALL, PageRequest.first(2));

    engine.cancelIfWaiting(ids.get(0)).orThrow();
    engine.cancelIfWaiting(ids.get(3)).orThrow();
    enqueue(engine.queue("earlier"), "of a queue with a longer name, which comes later");
    enqueue(mail, "job 6");

    Page<Job> second =
        engine.list(JobFilter.ALL, PageRequest.after(first.next().orElseThrow(), 100));
    assertThat(second.items())
        .extracting(job -> new String(job.payload(), UTF_8))
        .containsExactly(
            "job 2", "job 4", "job 5", "job 6", "of a queue with a longer name, which comes later");
  }

  @Test
  void list_cursorOfAnotherQuestion_isRefused() {
    fill();
    String cursor =
        engine
            .list(JobFilter.ALL.queueName("mail").state(JobState.READY), PageRequest.first(1))
            .next()
            .orElseThrow();
    String ofPeek =
        engine.queue("mail").peek(JobState.READY, PageRequest.first(1)).next().orElseThrow();

    for (JobFilter other :
        List.of(JobFilter.ALL.queueName("pdf"), JobFilter.ALL.state(JobState.DEAD))) {
      assertThatThrownBy(() -> engine.list(other, PageRequest.after(cursor, 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("cursor is not of a page of this question: value=\"" + cursor + "\"");
    }
    for (String wrong : List.of(ofPeek, "", "AA", "not base64!", "Av8")) {
      assertThatThrownBy(() -> engine.list(JobFilter.ALL, PageRequest.after(wrong, 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("cursor is not of a page of this question: value=\"" + wrong + "\"");
    }
  }

  @Test
  void filter_wrongConditions_areRefused() {
    assertThatThrownBy(() -> JobFilter.ALL.states(Set.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("states is empty: name at least one, or leave it out");
    assertThatThrownBy(() -> JobFilter.ALL.priority(5, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("priority most is out of range: value=4, least=5, most=127");
    assertThatThrownBy(() -> JobFilter.ALL.attempts(-1, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("attempts least is out of range: value=-1, least=0, most=2147483647");
    assertThatThrownBy(() -> JobFilter.ALL.errorContains(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("errorContains has a length out of range");
    assertThatThrownBy(() -> JobFilter.ALL.queueName("x".repeat(201)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("queueName has a length out of range");
  }

  @Test
  void activeQueues_readyDelayedAndLeasedOnes_areThoseWithSomethingVisible() {
    enqueue(engine.queue("ready"), "a");
    enqueue(engine.queue("later"), "b", EnqueueOptions.DEFAULT.delay(ofHours(1)));
    enqueue(engine.queue("leased"), "c");
    assertThat(engine.queue("leased").claim(ClaimOptions.by("w"))).hasSize(1);
    enqueue(engine.queue("done"), "d");
    engine.queue("done").claim(ClaimOptions.by("w")).forEach(lease -> lease.complete().orThrow());
    engine.queue("empty").pause();
    Instant now = Instant.now();

    List<QueueName> active = active(now, 10);

    assertThat(active).containsExactly(QueueName.of("ready"));
    assertThat(active(now.plus(ofHours(2)), 1))
        .containsExactly(QueueName.of("ready"), QueueName.of("later"));
    assertThat(active(Instant.EPOCH, 10)).containsExactly(QueueName.of("ready"));
  }

  @Tag("slow")
  @Test
  void activeQueues_delayedJobThatWasCancelled_doesNotCount() {
    JobQueue queue = engine.queue("later");
    JobId first = enqueue(queue, "a", EnqueueOptions.DEFAULT.delay(ofSeconds(60)));
    enqueue(queue, "b", EnqueueOptions.DEFAULT.delay(ofHours(2)));
    engine.cancelIfWaiting(first).orThrow();

    assertThat(active(Instant.now().plus(ofHours(1)), 10)).isEmpty();
    assertThat(active(Instant.now().plus(ofHours(3)), 10)).containsExactly(queue.name());
  }

  @Test
  void nextVisible_ofEachKindOfQueue_saysWhenToLookAgain() {
    JobQueue ready = engine.queue("ready");
    Instant before = Instant.now().minusMillis(5);
    enqueue(ready, "a");
    enqueue(ready, "b", EnqueueOptions.DEFAULT.delay(ofHours(1)));
    JobQueue later = engine.queue("later");
    Instant due = Instant.ofEpochMilli(System.currentTimeMillis()).plus(ofHours(1));
    JobId first = enqueue(later, "c", EnqueueOptions.DEFAULT.visibleAt(due));
    enqueue(later, "d", EnqueueOptions.DEFAULT.visibleAt(due.plusSeconds(60)));
    JobQueue leased = engine.queue("leased");
    enqueue(leased, "e");
    assertThat(leased.claim(ClaimOptions.by("w"))).hasSize(1);

    assertThat(engine.nextVisible(ready.name()).orElseThrow())
        .isBetween(before, Instant.now().plusMillis(5));
    assertThat(engine.nextVisible(later.name())).contains(due);
    engine.cancelIfWaiting(first).orThrow();
    assertThat(engine.nextVisible(later.name())).contains(due.plusSeconds(60));
    assertThat(engine.nextVisible(leased.name())).isEmpty();
    assertThat(engine.nextVisible(QueueName.of("nowhere"))).isEmpty();
  }
}
