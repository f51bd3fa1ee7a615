package io.millrace.test;

import static io.millrace.api.JobEvent.Kind.CLAIMED;
import static io.millrace.api.JobEvent.Kind.COMPLETED;
import static io.millrace.api.JobEvent.Kind.ENQUEUED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EngineClock;
import io.millrace.api.JobEnd;
import io.millrace.api.JobEvent;
import io.millrace.api.JobId;
import io.millrace.api.JobListening;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.ResultJobType;
import io.millrace.api.Submitted;
import io.millrace.api.Wake;
import io.millrace.worker.WorkerDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Time, runs and what goes wrong; the jobs are claimed by hand. */
class TestEngineTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final ResultJobType<String, String> COUNT =
      JobType.of("count", Codec.TEXT).returning(Codec.TEXT);
  private static final Instant START = TestEngine.START_DEFAULT;

  private final TestEngine engine = TestEngine.create();
  private final List<Instant> starts = new ArrayList<>();

  @AfterEach
  void close() {
    engine.close();
  }

  /** Claims the next job of a queue and does something with the lease. */
  private BooleanSupplier worker(String queue, Consumer<Lease> work) {
    BooleanSupplier worker =
        () -> {
          List<Lease> leases = engine.queue(queue).claim(ClaimOptions.by(queue + "-worker"));
          leases.forEach(
              lease -> {
                starts.add(engine.now());
                work.accept(lease);
              });
          return !leases.isEmpty();
        };
    engine.drive(worker);
    return worker;
  }

  private static Duration sinceStart(Instant instant) {
    return Duration.between(START, instant);
  }

  @Test
  void now_untilTheTestMovesIt_standsStill() {
    assertThat(engine.now()).isEqualTo(START);

    engine.enqueue(MAIL, "ada");
    engine.run();
    assertThat(engine.now()).isEqualTo(START);

    engine.advance(Duration.ofDays(400));
    assertThat(engine.now()).isEqualTo(START.plus(Duration.ofDays(400)));
  }

  @Test
  void advance_jobsThatFail_runAtTheInstantsOfTheirBackoff() {
    worker("mail", lease -> lease.fail("smtp").orThrow());
    engine.enqueue(MAIL, "ada", o -> o.maxAttempts(5));

    assertThat(engine.run()).isEqualTo(1);
    engine.assertJobs(MAIL).delayed(1).nextIn(Duration.ofSeconds(1)).nothingElse();
    assertThat(engine.advance(Duration.ofDays(90))).isEqualTo(4);

    engine.assertJobs(MAIL).dead(1).anyError("smtp").hasSize(1);
    assertThat(starts)
        .extracting(TestEngineTest::sinceStart)
        .containsExactly(
            Duration.ZERO,
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(7),
            Duration.ofSeconds(15));
  }

  @Tag("slow")
  @Test
  void advance_anInstantAMinuteForAWeek_runsEachAtItsInstant() {
    int minutes = 7 * 24 * 60;
    worker(
        "mail",
        lease ->
            engine
                .transact(
                    tx -> {
                      tx.complete(lease);
                      return tx.enqueue(MAIL, "next", o -> o.delay(Duration.ofMinutes(1)));
                    })
                .orThrow());
    engine.enqueue(MAIL, "first", o -> o.delay(Duration.ofMinutes(1)));

    int ran = engine.advance(Duration.ofMinutes(minutes));

    assertThat(ran).isEqualTo(minutes);
    assertThat(starts)
        .isEqualTo(
            IntStream.rangeClosed(1, minutes)
                .mapToObj(minute -> START.plus(Duration.ofMinutes(minute)))
                .toList());
  }

  @Test
  void advance_toTheInstantOfAJob_runsItAndNoLater() {
    worker("mail", lease -> lease.complete().orThrow());
    engine.enqueue(MAIL, "ada", o -> o.visibleAt(START.plusSeconds(60)));

    assertThat(engine.advance(Duration.ofMillis(59_999))).isZero();
    engine.assertJobs(MAIL).delayed(1).nextIn(Duration.ofMillis(1));
    assertThat(engine.advanceTo(START.plusSeconds(60))).isEqualTo(1);

    engine.assertJobs(MAIL).hasSize(0);
  }

  @Test
  void advance_intoThePast_isRefused() {
    assertThatThrownBy(() -> engine.advance(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time is negative: value=PT-0.001S");
    assertThatThrownBy(() -> engine.advanceTo(START.minusSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the clock never goes back: value=2023-12-31T23:59:59Z, now=" + START);
  }

  @Test
  void advance_furtherThanTheClockGoes_isRefusedAndNothingHasMoved() {
    Duration most = Duration.ofDays(36_525);

    assertThatThrownBy(() -> engine.advance(Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time is too long: value=PT2562047788015215H30M7S, most=PT876600H");
    assertThatThrownBy(() -> engine.advanceTo(START.plus(most).plusMillis(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the clock goes no further from its start; begin a later test engine:"
                + " value=2124-01-02T00:00:00.001Z, most=2124-01-02T00:00:00Z");
    assertThat(engine.now()).isEqualTo(START);

    assertThat(engine.advance(most)).isZero();
    assertThat(engine.now()).isEqualTo(START.plus(most));
  }

  @Test
  void advance_leaseThatNobodyKeeps_expiresAtItsInstant() {
    engine.enqueue(MAIL, "ada");
    Lease lost = engine.queue("mail").claim("w1", Duration.ofSeconds(30)).orElseThrow();
    worker("mail", lease -> lease.complete().orThrow());

    assertThat(engine.advance(Duration.ofMillis(29_999))).isZero();
    assertThat(lost.remaining()).isEqualTo(Duration.ofMillis(1));
    assertThat(engine.advance(Duration.ofMinutes(1))).isEqualTo(1);

    assertThat(lost.complete()).isEqualTo(CompleteResult.GONE);
    assertThat(starts).containsExactly(START.plusSeconds(30));
  }

  @Test
  void advance_timeToLiveThatEnds_dropsTheJob() {
    engine.enqueue(MAIL, "ada", o -> o.timeToLive(Duration.ofHours(1)));

    engine.advance(Duration.ofMinutes(59));
    engine.assertJobs(MAIL).ready(1);
    engine.advance(Duration.ofMinutes(1));

    engine.assertJobs(MAIL).hasSize(0);
  }

  @Test
  void advance_signalWithDeadline_wakesTheJobWhenThatPasses() {
    List<Wake> wakes = new ArrayList<>();
    worker(
        "mail",
        lease -> {
          wakes.add(lease.wake());
          if (wakes.size() == 1) {
            lease.waitFor("paid", Duration.ofDays(3)).orThrow();
          } else {
            lease.complete().orThrow();
          }
        });
    engine.enqueue(MAIL, "ada");
    engine.run();
    engine.assertJobs(MAIL).waiting(1).nextIn(Duration.ofDays(3)).nothingElse();

    assertThat(engine.advance(Duration.ofDays(4))).isEqualTo(1);

    assertThat(wakes).containsExactly(new Wake.First(), new Wake.TimedOut("paid"));
    assertThat(starts).containsExactly(START, START.plus(Duration.ofDays(3)));
  }

  @Test
  void advance_insideAHandler_letsTimePassAndRunsNoOther() {
    worker(
        "mail",
        lease -> {
          assertThat(engine.advance(Duration.ofMinutes(10))).isZero();
          assertThat(lease.complete()).isEqualTo(CompleteResult.STALE_LEASE);
          engine.queue("mail").pause();
        });
    engine.enqueue(MAIL, "ada");
    engine.enqueue(MAIL, "bob");

    assertThat(engine.run()).isEqualTo(1);

    assertThat(engine.now()).isEqualTo(START.plus(Duration.ofMinutes(10)));
    engine.assertJobs(MAIL).ready(2).nothingElse();
  }

  @Test
  void run_insideAHandler_isRefused() {
    worker(
        "mail",
        lease -> {
          assertThatThrownBy(engine::run)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageStartingWith("run was called inside a handler");
          lease.complete().orThrow();
        });
    engine.enqueue(MAIL, "ada");

    assertThat(engine.run()).isEqualTo(1);
  }

  @Test
  void run_twoWorkers_takeTurns() {
    List<String> done = new ArrayList<>();
    worker("mail", lease -> complete(lease, done));
    worker("count", lease -> complete(lease, done));
    for (int i = 1; i <= 3; i++) {
      engine.enqueue(MAIL, "mail " + i);
    }
    engine.enqueue(COUNT, "count 1");

    assertThat(engine.run()).isEqualTo(4);

    assertThat(done).containsExactly("mail 1", "count 1", "mail 2", "mail 3");
  }

  private static void complete(Lease lease, List<String> done) {
    done.add(new String(lease.payload(), UTF_8));
    lease.complete().orThrow();
  }

  @Test
  void run_workerThatIsReleased_isCalledNoMore() {
    BooleanSupplier worker = worker("mail", lease -> lease.complete().orThrow());
    engine.release(worker);
    engine.enqueue(MAIL, "ada");

    assertThat(engine.run()).isZero();
  }

  @Tag("slow")
  @Test
  void run_jobsThatMakeJobsForEver_endsWithWhatIsReady() {
    worker(
        "mail",
        lease -> {
          lease.complete().orThrow();
          engine.enqueue(MAIL, "again");
        });
    engine.enqueue(MAIL, "once");
    engine.enqueue(COUNT, "nobody is there for it");

    assertThatThrownBy(engine::run)
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "handlers keep running at one instant: ran=10001, most=10000, now="
                + START
                + ", still ready by type={count=1, mail=1}");
  }

  @Test
  void run_jobThatAnEndEnqueues_runsAsWell() {
    worker("mail", lease -> lease.complete().orThrow());
    worker("count", lease -> lease.complete("3".getBytes(UTF_8)).orThrow());
    Submitted<String> count = engine.submit(COUNT, "words");
    count.end().thenAccept(end -> assertThat(engine.enqueueAsync(MAIL, "counted")).isNotNull());

    assertThat(engine.run()).isEqualTo(2);

    assertThat(count.end()).isCompletedWithValue(new JobEnd.Completed<>("3"));
  }

  @Test
  void create_startThatNoClockShows_isRefusedByItsName() {
    for (Instant bad : new Instant[] {Instant.MIN, Instant.EPOCH.minusMillis(1), Instant.MAX}) {
      assertThatThrownBy(() -> TestEngine.create(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("start is out of range: value=" + bad);
    }
  }

  @Test
  void options_ofTheTestsOwn_areUsedBesideTheClock() {
    try (TestEngine other =
        TestEngine.create(
            Instant.EPOCH.plusSeconds(60), o -> o.clock(EngineClock.SYSTEM).awaitCountMax(1))) {
      assertThat(other.now()).isEqualTo(Instant.EPOCH.plusSeconds(60));
      JobId job = other.enqueue(MAIL, "ada").jobId();

      assertThat(other.await(job)).isNotDone();
      assertThat(other.await(job)).failsWithin(Duration.ofSeconds(20));
    }
  }

  @Test
  void with_anotherDurability_isATestEngineToo() {
    JobQueues buffered = engine.with(Durability.BUFFERED);
    assertThat(buffered).isInstanceOf(WorkerDriver.class).isNotEqualTo(engine);

    buffered.enqueue(MAIL, "ada");
    worker("mail", lease -> lease.complete().orThrow());

    assertThat(engine.run()).isEqualTo(1);
    assertThat(engine).hasToString("TestEngine[now=2024-01-01T00:00:00Z]");
    JobQueues itself = engine;
    assertThat(engine).isEqualTo(itself).hasSameHashCodeAs(itself);
  }

  @Test
  void calls_thatFail_throwWhatTheEngineThrows() {
    assertThatThrownBy(() -> engine.queue(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause();
  }

  /** A library that gets its queues by the interface listens to those of a test as to any other. */
  @Test
  void listen_codeThatKnowsTheInterfaceAlone_hearsWhatHappens() throws Exception {
    JobQueues queues = engine;
    BlockingQueue<JobEvent.Kind> heard = new LinkedBlockingQueue<>();
    BlockingQueue<JobEvent.Kind> heardOfMail = new LinkedBlockingQueue<>();
    worker("mail", lease -> lease.complete().orThrow());

    try (JobListening all = queues.listen(event -> heard.add(event.kind()));
        JobListening ofMail =
            queues.listen(
                QueueName.of("mail"), Set.of(COMPLETED), event -> heardOfMail.add(event.kind()))) {
      queues.enqueue(MAIL, "ada");
      engine.run();

      assertThat(heard.poll(30, SECONDS)).isEqualTo(ENQUEUED);
      assertThat(heard.poll(30, SECONDS)).isEqualTo(CLAIMED);
      assertThat(heard.poll(30, SECONDS)).isEqualTo(COMPLETED);
      assertThat(heardOfMail.poll(30, SECONDS)).isEqualTo(COMPLETED);
      assertThat(all.missedCount() + ofMail.missedCount()).isZero();
    }
  }
}
