package io.millrace.model.traps;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.UpdateOptions;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What kind of work a job is: told in every state, kept for life, the queue's name by default. */
class TypeTrapsTest extends TrapTest {

  private static final EnqueueOptions RESIZE = EnqueueOptions.DEFAULT.type("resize");

  private static List<JobId> listed(EngineHarness harness, JobFilter filter) {
    List<JobId> ids = new ArrayList<>();
    PageRequest page = PageRequest.first(100);
    harness.queues().list(filter, page).items().forEach(job -> ids.add(job.id()));
    return ids;
  }

  private static void assertType(EngineHarness harness, JobId id, JobState state, String type) {
    Job job = job(harness.queues(), id);
    assertThat(job.state()).isEqualTo(state);
    assertThat(job.type()).isEqualTo(type);
    assertThat(listed(harness, JobFilter.ALL.type(type))).containsExactly(id);
    assertThat(listed(harness, JobFilter.ALL.type(type).state(state))).containsExactly(id);
    assertThat(listed(harness, JobFilter.ALL.type("other"))).isEmpty();
    assertThat(harness.queues().peek(job.queue(), state, PageRequest.first(1)).items())
        .extracting(Job::type)
        .containsExactly(type);
  }

  @ParameterizedTest
  @EachStoreKind
  void type_ofAJob_isToldThroughItsWholeLife(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (int payloadBytes : List.of(10, 3_000)) {
      EnqueueOptions options =
          RESIZE
              .delay(ofSeconds(5))
              .maxAttempts(2)
              .backoff(Backoff.fixed(ofSeconds(5)))
              .resultRetention(Duration.ofHours(1));
      JobId id = mail(harness).enqueue(new byte[payloadBytes], options).jobId();
      assertType(harness, id, JobState.DELAYED, "resize");
      advance(harness, ofSeconds(5));
      assertType(harness, id, JobState.READY, "resize");
      Lease lease = claim(mail(harness));
      assertThat(lease.type()).isEqualTo("resize");
      harness.storeLeases();
      assertType(harness, id, JobState.LEASED, "resize");
      lease.checkpoint(new byte[payloadBytes]).orThrow();
      lease.fail("broken").orThrow();
      harness.crash();
      assertType(harness, id, JobState.DELAYED, "resize");
      harness.queues().update(id, UpdateOptions.NOTHING.payload(new byte[4]).priority(3)).orThrow();
      advance(harness, ofSeconds(5));
      claim(mail(harness)).fail("broken").orThrow();
      assertType(harness, id, JobState.DEAD, "resize");
      assertThat(mail(harness).deadLetters().list(DeadFilter.ALL, PageRequest.first(9)).items())
          .extracting(Job::type)
          .containsExactly("resize");
      mail(harness).deadLetters().redrive(id).orThrow();
      Lease last = claim(mail(harness));
      assertThat(last.type()).isEqualTo("resize");
      assertThat(harness.queues().lease(id, last.token()).type()).isEqualTo("resize");
      last.complete(new byte[1]).orThrow();
      assertType(harness, id, JobState.DONE, "resize");
      advance(harness, Duration.ofHours(1).plusMillis(1));
      await("it is swept", () -> harness.queues().get(id).isEmpty());
      assertClean(harness);
    }
  }

  @Test
  void type_notSaid_isTheQueuesNameForEveryTenant() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue acme = harness.queues().queue("mail", "acme");
    JobId silent = enqueue(acme, "silent");
    final JobId said = enqueue(acme, "said", EnqueueOptions.DEFAULT.type("mail"));
    final JobId other = enqueue(harness.queues().queue("news"), "a", RESIZE);

    assertThat(job(harness.queues(), silent).type()).isEqualTo("mail");
    assertThat(listed(harness, JobFilter.ALL.type("mail"))).containsExactly(silent, said);
    assertThat(listed(harness, JobFilter.ALL.type("news"))).isEmpty();
    assertThat(listed(harness, JobFilter.ALL.type("resize"))).containsExactly(other);
    assertThat(listed(harness, JobFilter.ALL.type("mail@acme"))).isEmpty();
    assertThat(claim(acme, 2)).extracting(Lease::type).containsExactly("mail", "mail");
    assertThat(claim(harness.queues().queue("news")).type()).isEqualTo("resize");
  }

  @Test
  void types_ofSeveralKindsInOneQueue_areServedInTheQueuesOrder() {
    EngineHarness harness = start(StoreKind.LMDB);
    mail(harness)
        .enqueueAll(
            List.of(
                new NewJob(new byte[1], RESIZE),
                NewJob.of(new byte[1]),
                new NewJob(new byte[1], EnqueueOptions.DEFAULT.type("scan")),
                new NewJob(new byte[3_000], RESIZE)));
    harness.restartCleanly();

    List<Lease> leases = claim(mail(harness), 9);

    assertThat(leases).extracting(Lease::type).containsExactly("resize", "mail", "scan", "resize");
    assertThat(listed(harness, JobFilter.ALL.type("resize").queueName("mail"))).hasSize(2);
    assertThat(listed(harness, JobFilter.ALL.type("resize").queueName("news"))).isEmpty();
    assertClean(harness);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "with space/and/slash", "nul\0in it", "ünïcödé", "200 bytes"})
  void type_ofAnyCharacters_isToldBack(String some) {
    EngineHarness harness = start(StoreKind.LMDB);
    String type = some.equals("200 bytes") ? "x".repeat(200) : some;
    JobId id = enqueue(mail(harness), "a", EnqueueOptions.DEFAULT.type(type));

    harness.crash();

    assertThat(job(harness.queues(), id).type()).isEqualTo(type);
    assertThat(listed(harness, JobFilter.ALL.type(type))).containsExactly(id);
    assertThat(claim(mail(harness)).type()).isEqualTo(type);
  }

  @Test
  void type_badInput_isRefusedWithTheLimit() {
    for (String bad : List.of("", "x".repeat(201), "ü".repeat(101))) {
      assertThatThrownBy(() -> EnqueueOptions.DEFAULT.type(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("type has a length out of range")
          .hasMessageContaining("least=1, most=200");
      assertThatThrownBy(() -> JobFilter.ALL.type(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("type has a length out of range");
    }
  }

  @Test
  void type_ofADeadJob_isKeptWhenItIsRedrivenWithItsStateCleared() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a", RESIZE);
    claim(mail(harness)).fail("broken", FailOptions.PERMANENT).orThrow();

    mail(harness).deadLetters().redrive(id, Checkpointed.CLEAR).orThrow();

    assertThat(claim(mail(harness)).type()).isEqualTo("resize");
  }
}
