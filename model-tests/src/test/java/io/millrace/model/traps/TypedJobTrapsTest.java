package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.CompleteResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.Job;
import io.millrace.api.JobEnd;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.ResultJobType;
import io.millrace.api.SignalResult;
import io.millrace.api.Submitted;
import io.millrace.api.WaitResult;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Jobs of a type are what the same calls with bytes and options make of them. */
@Tag("calls")
class TypedJobTrapsTest extends TrapTest {

  private static final JobType<Long> COUNT =
      JobType.of("count", Codec.LONG)
          .queue("numbers")
          .tenant("acme")
          .defaults(options -> options.priority(3));
  private static final ResultJobType<Long, String> NAME = COUNT.returning(Codec.TEXT);
  private static final QueueName NUMBERS = new QueueName("numbers", "acme");

  private static Lease claimNumber(JobQueues jobs) {
    return jobs.queue(NUMBERS).claim("w1", Duration.ofSeconds(30)).orElseThrow();
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_typed_isServedWithItsTypesOptions(StoreKind kind) throws Exception {
    JobQueues jobs = start(kind).queues();

    Enqueued first = jobs.enqueue(COUNT, 1L);
    Enqueued urgent = jobs.enqueue(COUNT, 2L, options -> options.priority(9));
    Enqueued later = jobs.enqueueAsync(COUNT, 3L).get();
    List<Enqueued> more = jobs.enqueueAll(COUNT, List.of(4L, 5L));

    assertThat(jobs.queue(NUMBERS).stats().orElseThrow().count(JobState.READY)).isEqualTo(5);
    assertThat(more).hasSize(2);
    for (JobId expected : List.of(urgent.jobId(), first.jobId(), later.jobId())) {
      Lease lease = claimNumber(jobs);
      assertThat(lease.jobId()).isEqualTo(expected);
      assertThat(lease.type()).isEqualTo("count");
      assertThat(lease.priority()).isEqualTo(expected.equals(urgent.jobId()) ? 9 : 3);
    }
    assertThat(COUNT.codec().decode(claimNumber(jobs).payload())).isEqualTo(4L);
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueueAll_optionsOfEachPayload_areThoseOfItsJob(StoreKind kind) {
    JobQueues jobs = start(kind).queues();

    List<Enqueued> some =
        jobs.enqueueAll(
            COUNT,
            List.of(1L, 2L, 1L),
            (number, options) -> options.unique("n" + number).priority((int) (number + 3)));

    assertThat(some).extracting(Enqueued::isDuplicate).containsExactly(false, false, true);
    assertThat(some.get(2).jobId()).isEqualTo(some.get(0).jobId());
    Job second = jobs.get(some.get(1).jobId()).orElseThrow();
    assertThat(second.uniqueKey()).contains("n2");
    assertThat(second.priority()).isEqualTo(5);
    assertThat(second.type()).isEqualTo("count");
    assertThat(second.payload()).isEqualTo(Codec.LONG.encode(2L));
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueueAll_optionsOfOneAreNotOfTheType_nothingHappened(StoreKind kind) {
    JobQueues jobs = start(kind).queues();

    assertThatThrownBy(
            () ->
                jobs.enqueueAll(
                    COUNT,
                    List.of(1L, 2L),
                    (number, options) -> number == 2 ? EnqueueOptions.DEFAULT : options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("options must keep the type of the job: type=none, allowed=count");
    assertThat(jobs.queue(NUMBERS).stats()).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void payload_ofItsType_isReadOfJobAndLease(StoreKind kind) {
    JobQueues jobs = start(kind).queues();
    JobId id = jobs.enqueue(COUNT, 7L).jobId();

    assertThat(jobs.get(id).orElseThrow().payload(COUNT)).isEqualTo(7L);
    assertThat(jobs.list(JobFilter.ALL, PageRequest.first(1)).items().get(0).payload(COUNT))
        .isEqualTo(7L);
    assertThat(claimNumber(jobs).payload(COUNT)).isEqualTo(7L);
  }

  @Test
  void payload_ofAnotherType_isRefusedAlsoIfItsCodecReadsIt() {
    JobQueues jobs = start(StoreKind.MEMORY).queues();
    JobType<Long> other = JobType.of("other", Codec.LONG);
    JobId id = jobs.enqueue(COUNT, 7L).jobId();
    String error =
        "payload is of another type: job="
            + id
            + ", type=count, asked for=other; look at the type of the job before";

    Job job = jobs.get(id).orElseThrow();
    Lease lease = claimNumber(jobs);

    assertThatThrownBy(() -> job.payload(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(error);
    assertThatThrownBy(() -> lease.payload(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(error);
  }

  @Test
  void payload_codecDoesNotReadIt_saysSo() {
    JobQueues jobs = start(StoreKind.MEMORY).queues();
    JobId id = jobs.queue(NUMBERS).enqueue(new byte[3], COUNT.options()).jobId();

    Job job = jobs.get(id).orElseThrow();

    assertThatThrownBy(() -> job.payload(COUNT)).isInstanceOf(CodecException.class);
    assertThat(job.payload()).hasSize(3);
  }

  @Test
  void signal_typed_isReadByItsCodec() {
    JobQueues jobs = start(StoreKind.MEMORY).queues();
    JobId woken = jobs.enqueue(COUNT, 1L).jobId();
    assertThat(claimNumber(jobs).waitFor("paid")).isEqualTo(WaitResult.WAITING);

    SignalResult first = jobs.signal(woken, "paid", Codec.LONG, 250L);
    SignalResult second =
        jobs.transact(tx -> tx.signal(woken, "paid", Codec.LONG, 300L)).orThrow().get();

    assertThat(first).isEqualTo(SignalResult.WOKEN);
    assertThat(second).isEqualTo(SignalResult.KEPT);
    Lease lease = claimNumber(jobs);
    assertThat(lease.signalled("paid", Codec.LONG)).contains(250L);
    assertThat(lease.signalled("other", Codec.LONG)).isEmpty();
    assertThat(lease.waitFor("paid")).isEqualTo(WaitResult.SIGNALLED);
    assertThat(claimNumber(jobs).signalled("paid", Codec.LONG)).contains(300L);
  }

  @ParameterizedTest
  @EachStoreKind
  void offer_typedAndRefused_answersWhy(StoreKind kind) {
    JobQueues jobs = start(kind).queues();
    jobs.queue(NUMBERS).configure(settings -> settings.depthMax(1));
    jobs.enqueue(COUNT, 1L);

    EnqueueResult refused = jobs.offer(COUNT, 2L, options -> options.delay(Duration.ofHours(1)));

    assertThat(refused).isEqualTo(new EnqueueResult.QueueFull(NUMBERS, 1));
  }

  @ParameterizedTest
  @EachStoreKind
  void submit_typed_endsWithItsResult(StoreKind kind) throws Exception {
    JobQueues jobs = start(kind).queues();

    Submitted<String> submitted = jobs.submit(NAME, 7L);
    Lease lease = claimNumber(jobs);
    CompleteResult completed = lease.complete(NAME.results().encode("seven"));

    assertThat(completed).isEqualTo(CompleteResult.COMPLETED);
    assertThat(lease.jobId()).isEqualTo(submitted.jobId());
    assertThat(submitted.end().get()).isEqualTo(new JobEnd.Completed<>("seven"));
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_typedJob_isThereWithTheRest(StoreKind kind) {
    EngineHarness harness = start(kind);
    harness.queues().enqueue(COUNT, 1L);
    Lease lease = claimNumber(harness.queues());

    JobId next =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.complete(lease);
                  return tx.enqueue(COUNT, 2L, options -> options.priority(-1));
                })
            .orThrow();
    harness.crash();

    Lease served = claimNumber(harness.queues());
    assertThat(served.jobId()).isEqualTo(next);
    assertThat(served.priority()).isEqualTo(-1);
    assertThat(COUNT.codec().decode(served.payload())).isEqualTo(2L);
  }
}
