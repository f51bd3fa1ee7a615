package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Jobs found by their keys, whatever has become of them, and what a job tells of its keys. */
@Tag("calls")
class ListFilterTrapsTest extends TrapTest {

  private static final EnqueueOptions HOST =
      EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 1).maxAttempts(1);

  /** The payloads of all that meet the filter, in pages of this size. */
  private static List<String> list(EngineHarness harness, JobFilter filter, int pageSize) {
    List<String> payloads = new ArrayList<>();
    Optional<PageRequest> request = Optional.of(PageRequest.first(pageSize));
    while (request.isPresent()) {
      Page<Job> page = harness.queues().list(filter, request.get());
      page.items().forEach(job -> payloads.add(new String(job.payload(), UTF_8)));
      request = page.next().map(cursor -> PageRequest.after(cursor, pageSize));
    }
    return payloads;
  }

  private static void assertListed(EngineHarness harness, JobFilter filter, String... payloads) {
    for (int pageSize : new int[] {1, 2, 100}) {
      assertThat(list(harness, filter, pageSize)).as(filter.toString()).containsExactly(payloads);
    }
    JobFilter told = JobFilter.ALL.with(filter.texts());
    assertThat(told).isEqualTo(filter);
  }

  /** Two keys of one text, of the engine and of a queue, each held and waited for. */
  private static void fill(EngineHarness harness) {
    JobQueue mail = mail(harness);
    JobQueue news = harness.queues().queue("news", "acme");
    enqueue(mail, "plain");
    enqueue(mail, "engine's first", HOST);
    enqueue(mail, "engine's second", HOST);
    enqueue(news, "engine's third", HOST.unique("u"));
    enqueue(news, "queue's first", EnqueueOptions.DEFAULT.concurrencyKey("host"));
    enqueue(news, "queue's second", EnqueueOptions.DEFAULT.concurrencyKey("host").unique("v"));
    enqueue(news, "later", EnqueueOptions.DEFAULT.concurrencyKey("host2").delay(ofHours(1)));
  }

  @ParameterizedTest
  @EachStoreKind
  void list_byKeys_findsThoseOfQueuesAndOfTheEngineInEveryState(StoreKind kind) {
    EngineHarness harness = start(kind);
    fill(harness);
    for (int round = 0; round < 2; round++) {
      JobFilter host = JobFilter.ALL.concurrencyKey("host");
      assertListed(
          harness,
          host,
          "engine's first",
          "engine's second",
          "queue's first",
          "engine's third",
          "queue's second");
      assertListed(
          harness,
          host.state(JobState.BLOCKED),
          "engine's second",
          "engine's third",
          "queue's second");
      assertListed(
          harness,
          host.queueName("news").state(JobState.BLOCKED),
          "engine's third",
          "queue's second");
      assertListed(harness, JobFilter.ALL.concurrencyKey("host2"), "later");
      assertListed(harness, JobFilter.ALL.concurrencyKey("hos"));
      assertListed(harness, JobFilter.ALL.uniqueKey("u"), "engine's third");
      assertListed(harness, JobFilter.ALL.uniqueKey("v").tenant("acme"), "queue's second");
      assertListed(harness, JobFilter.ALL.uniqueKey("v").tenant(""));
      harness.crash();
    }
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void job_withAKeyOfTheEngine_tellsItsNumberThroughItsLife(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId first = enqueue(mail(harness), "a", HOST);
    JobId second = enqueue(mail(harness), "b", HOST.engineConcurrencyKey("host", 1_000_000));
    JobId plain = enqueue(mail(harness), "c", EnqueueOptions.DEFAULT.concurrencyKey("host"));
    assertThat(state(harness.queues(), first)).isEqualTo(JobState.READY);
    assertMost(harness, first, 1);
    claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();

    harness.crash();

    assertThat(state(harness.queues(), first)).isEqualTo(JobState.DEAD);
    assertMost(harness, first, 1);
    assertMost(harness, second, 1_000_000);
    assertThat(job(harness.queues(), plain).engineConcurrencyMost()).isEmpty();
    assertThat(job(harness.queues(), plain).engineConcurrencyKey()).isEmpty();
  }

  private static void assertMost(EngineHarness harness, JobId id, int most) {
    Job job = job(harness.queues(), id);
    assertThat(job.engineConcurrencyKey()).contains("host");
    assertThat(job.engineConcurrencyMost()).isEqualTo(OptionalInt.of(most));
    assertThat(job.concurrencyKey()).isEmpty();
  }

  @Test
  void explain_blockedJobs_sayWhetherTheKeyIsTheEngines() {
    EngineHarness harness = start(StoreKind.MEMORY);
    fill(harness);

    assertThat(reason(harness, "engine's second").isOfEngine()).isTrue();
    assertThat(reason(harness, "engine's third").isOfEngine()).isTrue();
    assertThat(reason(harness, "queue's second").isOfEngine()).isFalse();
  }

  private static Explanation.KeyTaken reason(EngineHarness harness, String payload) {
    JobFilter blocked = JobFilter.ALL.state(JobState.BLOCKED);
    JobId id =
        harness.queues().list(blocked, PageRequest.first(100)).items().stream()
            .filter(job -> new String(job.payload(), UTF_8).equals(payload))
            .findFirst()
            .orElseThrow()
            .id();
    Explanation told = harness.queues().explain(id).orElseThrow();
    return (Explanation.KeyTaken) told.reasons().get(0);
  }

  /** Headers of long payloads are in a row of their own. */
  @ParameterizedTest
  @EachStoreKind
  void list_byHeaders_findsJobsOfShortAndLongPayloadsThatHaveAll(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    EnqueueOptions ofAda = EnqueueOptions.DEFAULT.header("customer", "42");
    String text = "x".repeat(5_000);
    enqueue(mail, "short", ofAda);
    enqueue(mail, "urgent", ofAda.header("urgent", "").delay(ofHours(1)));
    enqueue(mail, text, ofAda.header("urgent", ""));
    enqueue(mail, text + ", another's", EnqueueOptions.DEFAULT.header("customer", "4"));
    enqueue(mail, text + ", nobody's");
    enqueue(mail, "bob's", EnqueueOptions.DEFAULT.header("customer", "43"));
    enqueue(mail, "swapped", EnqueueOptions.DEFAULT.header("42", "customer"));

    JobFilter ofCustomer = JobFilter.ALL.header("customer", "42");
    assertListed(harness, ofCustomer, "short", text, "urgent");
    assertListed(harness, ofCustomer.header("urgent", ""), text, "urgent");
    assertListed(harness, ofCustomer.header("urgent", "").state(JobState.DELAYED), "urgent");
    assertListed(harness, JobFilter.ALL.header("Customer", "42"));
  }
}
