package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Completion;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.UpdateOptions;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A store that hangs holds nobody for longer than they said, and nothing is left to those who left.
 */
@Tag("thorough")
@Timeout(120)
class CallTimeoutTrapsTest extends TrapTest {

  /** Long enough for a busy machine to answer while nothing hangs. */
  private static final Duration TIMEOUT = ofSeconds(2);

  private static final String TOLD =
      "no answer within the call timeout; the request may still be carried out: callTimeout=PT2S";

  private static final byte[] PAYLOAD = "payload".getBytes(UTF_8);

  /** On the machine's own clock: who waits for an answer waits in real time. */
  private static EngineOptions options(ManualClock unused) {
    return Setup.DEFAULT.options(EngineClock.SYSTEM).callTimeout(TIMEOUT);
  }

  private EngineHarness start() {
    return start(StoreKind.MEMORY, CallTimeoutTrapsTest::options);
  }

  /** What the store hangs in. */
  enum Hang {
    WRITE,
    SYNC
  }

  /** Makes the store hang; answers the request that made it. */
  private static CompletableFuture<Enqueued> hang(EngineHarness harness, Hang hang)
      throws InterruptedException {
    if (hang == Hang.WRITE) {
      harness.store().holdNextWrite();
    } else {
      harness.store().holdNextSync();
    }
    CompletableFuture<Enqueued> held =
        harness.queues().queue("other").enqueueAsync(PAYLOAD, EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    return held;
  }

  /** Calls them all at once; answers what each threw. */
  private static Map<String, Throwable> failures(Map<String, Callable<?>> calls) {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Map<String, CompletableFuture<Throwable>> running = new LinkedHashMap<>();
      calls.forEach(
          (name, call) ->
              running.put(
                  name, CompletableFuture.supplyAsync(() -> catchThrowable(call::call), threads)));
      Map<String, Throwable> thrown = new LinkedHashMap<>();
      running.forEach((name, future) -> thrown.put(name, join(future)));
      return thrown;
    } finally {
      threads.shutdownNow();
    }
  }

  private static Callable<?> call(Runnable runnable) {
    return Executors.callable(runnable);
  }

  @ParameterizedTest
  @EnumSource(Hang.class)
  void blockingCalls_storeHangs_eachIsToldItsOutcomeIsUnknown(Hang hang) throws Exception {
    EngineHarness harness = start();
    JobEngine engine = harness.engine();
    JobQueues queues = harness.queues();
    JobId id = enqueue(mail(harness), "a");
    enqueue(mail(harness), "b");
    Lease lease = claim(mail(harness));
    hang(harness, hang);
    Map<String, Callable<?>> calls = new LinkedHashMap<>();
    calls.put("enqueue", () -> mail(harness).enqueue(PAYLOAD));
    calls.put("offer", () -> mail(harness).offer(PAYLOAD, EnqueueOptions.DEFAULT));
    calls.put("enqueueAll", () -> mail(harness).enqueueAll(List.of(NewJob.of(PAYLOAD))));
    calls.put("claim", () -> mail(harness).claim(ClaimOptions.by("late")));
    calls.put("claim of several", () -> claimOfSeveral(harness));
    calls.put("leaseQueue", () -> queues.leaseQueue(mail(harness).name(), "late"));
    calls.put("endQueueLease", () -> engine.admin().endQueueLease(mail(harness).name()));
    calls.put("complete", lease::complete);
    calls.put("fail", () -> lease.fail("broken"));
    calls.put("release", lease::release);
    calls.put("snooze", () -> lease.snooze(ofSeconds(9)));
    calls.put("extend", () -> lease.extend(ofMinutes(9)));
    calls.put("checkpoint", () -> lease.checkpoint(PAYLOAD));
    calls.put("completeAll", () -> queues.completeAll(List.of(lease)));
    calls.put(
        "completeAllWithResults",
        () -> queues.completeAllWithResults(List.of(new Completion(lease, PAYLOAD))));
    calls.put("failAll", () -> queues.failAll(List.of(lease), "broken", FailOptions.RETRY));
    calls.put("releaseAll", () -> queues.releaseAll(List.of(lease)));
    calls.put("extendAll", () -> queues.extendAll(List.of(lease), ofMinutes(9)));
    calls.put("lease told", () -> queues.lease(id, lease.token()).complete());
    calls.put("cancel", () -> queues.cancel(id));
    calls.put("cancelIfWaiting", () -> queues.cancelIfWaiting(id));
    calls.put("release job", () -> engine.admin().release(id));
    calls.put("reschedule", () -> queues.reschedule(id, Instant.EPOCH));
    calls.put("update", () -> queues.update(id, UpdateOptions.NOTHING.weight(3)));
    calls.put("configure", call(() -> mail(harness).configure(s -> s.depthMax(99))));
    calls.put("configure name", call(() -> engine.admin().configure("mail", s -> s.depthMax(99))));
    calls.put("pause", call(() -> mail(harness).pause()));
    calls.put("purge", () -> mail(harness).purge(Set.of(JobState.DEAD)));
    calls.put("delete", () -> queues.queue("other").delete());
    calls.put("redrive", () -> mail(harness).deadLetters().redrive(id));

    Map<String, Throwable> thrown = failures(calls);

    assertThat(thrown)
        .allSatisfy(
            (name, failure) ->
                assertThat(failure)
                    .as(name)
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessage(TOLD));
    assertThat(engine.get(id)).as("reads go on").isPresent();
    assertThat(engine.health().status()).isEqualTo(Status.UP);
    harness.store().letGo();
    awaitRingDepth(harness, 0);
    harness.poke();
    assertThat(engine.health().status()).isEqualTo(Status.UP);
    assertThat(engine.admin().queueLeases()).isEmpty();
    assertClean(harness);
  }

  private static List<Lease> claimOfSeveral(EngineHarness harness) {
    return harness
        .queues()
        .claim(
            List.of(mail(harness).name(), harness.queues().queue("more").name()),
            ClaimOptions.by("late"));
  }

  @InProcess("a client has threads of its own for answers")
  @Test
  void futures_storeHangs_failOnceOnTheAnswerThread() throws Exception {
    EngineHarness harness = start();
    enqueue(mail(harness), "a");
    enqueue(mail(harness), "b");
    Lease lease = claim(mail(harness));
    hang(harness, Hang.WRITE);
    List<Thread> answering = new CopyOnWriteArrayList<>();
    List<Supplier<CompletableFuture<?>>> calls =
        Arrays.asList(
            () -> mail(harness).enqueueAsync(PAYLOAD, EnqueueOptions.DEFAULT),
            () -> mail(harness).offerAllAsync(List.of(NewJob.of(PAYLOAD))),
            () -> mail(harness).claimAsync(ClaimOptions.by("late")),
            lease::completeAsync,
            lease::releaseAsync,
            () -> lease.snoozeAsync(ofMinutes(1)),
            () -> lease.checkpointAsync(PAYLOAD),
            () -> lease.failAsync("broken", FailOptions.RETRY),
            () -> lease.extendAsync(ofMinutes(9)),
            () -> harness.queues().completeAllAsync(List.of(lease)));
    List<CompletableFuture<Throwable>> failures = new ArrayList<>();
    for (Supplier<CompletableFuture<?>> call : calls) {
      failures.add(
          call.get()
              .handle(
                  (done, thrown) -> {
                    answering.add(Thread.currentThread());
                    return thrown;
                  }));
    }

    for (CompletableFuture<Throwable> failure : failures) {
      assertThat(rootOf(join(failure)))
          .isInstanceOf(OutcomeUnknownException.class)
          .hasMessage(TOLD);
    }
    harness.store().letGo();

    awaitRingDepth(harness, 0);
    CompletableFuture<Thread> ordinary =
        hang(harness, Hang.WRITE).thenApply(done -> Thread.currentThread());
    harness.store().letGo();
    Thread answerThread = join(ordinary);
    harness.poke();
    assertThat(answering).hasSize(calls.size()).containsOnly(answerThread);
    assertClean(harness);
  }

  private static Throwable rootOf(Throwable thrown) {
    return thrown.getCause() == null ? thrown : thrown.getCause();
  }

  @InProcess("a client has threads of its own for answers")
  @Test
  void futures_storeHangsAndUserHasAnExecutor_failThere() throws Exception {
    ExecutorService users = Executors.newSingleThreadExecutor(work -> new Thread(work, "user's"));
    try {
      EngineHarness harness =
          start(StoreKind.MEMORY, clock -> options(clock).futureExecutor(users));
      hang(harness, Hang.WRITE);

      CompletableFuture<String> failed =
          mail(harness)
              .offerAsync(PAYLOAD, EnqueueOptions.DEFAULT)
              .handle((done, thrown) -> Thread.currentThread().getName());

      assertThat(join(failed)).isEqualTo("user's");
      harness.store().letGo();
    } finally {
      users.shutdown();
    }
  }

  @Test
  void futures_storeHangsAndMoreThanClaimsWait_leaveNothingInLineBehindThem() throws Exception {
    EngineHarness harness = start();
    hang(harness, Hang.WRITE);
    List<CompletableFuture<Enqueued>> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(mail(harness).enqueueAsync(PAYLOAD, EnqueueOptions.DEFAULT));
    }

    for (CompletableFuture<Enqueued> call : calls) {
      assertThat(rootOf(catchThrowable(() -> join(call)))).hasMessage(TOLD);
    }

    assertThat(harness.engine().metrics().ringDepth()).isEqualTo(calls.size());
    harness.store().letGo();
  }

  @Test
  void futures_storeHangsAndTheLineIsFull_areToldWithoutWaitingForRoom() throws Exception {
    Duration room = ofMinutes(1);
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> options(clock).ringSize(8).overloadWait(room));
    hang(harness, Hang.WRITE);
    final long beganNs = System.nanoTime();
    List<CompletableFuture<List<Lease>>> calls = new ArrayList<>();
    for (int i = 0; i < harness.engine().metrics().ringSize(); i++) {
      calls.add(mail(harness).claimAsync(ClaimOptions.by("late")));
    }

    for (CompletableFuture<List<Lease>> call : calls) {
      assertThat(rootOf(catchThrowable(() -> join(call)))).hasMessage(TOLD);
    }

    assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(room);
    harness.store().letGo();
  }

  /** How a claim is made that nobody waits for any more. */
  enum Claiming {
    BLOCKING {
      @Override
      List<Lease> claim(EngineHarness harness, ClaimOptions options) {
        return mail(harness).claim(options);
      }
    },
    FUTURE {
      @Override
      List<Lease> claim(EngineHarness harness, ClaimOptions options) {
        return join(mail(harness).claimAsync(options));
      }
    };

    abstract List<Lease> claim(EngineHarness harness, ClaimOptions options);
  }

  @ParameterizedTest
  @EnumSource(Claiming.class)
  void claim_timedOut_leavesNoLeaseBehindAndCountsNoAttempt(Claiming claiming) throws Exception {
    EngineHarness harness = start();
    List<JobId> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(enqueue(mail(harness), "job " + i));
    }
    hang(harness, Hang.WRITE);

    assertThatThrownBy(() -> claiming.claim(harness, ClaimOptions.by("late").max(5)))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessage(TOLD);
    harness.store().letGo();
    pokeTwice(harness);

    List<Lease> leases = claim(mail(harness), 5);
    assertThat(leases).extracting(Lease::jobId).containsExactlyElementsOf(ids);
    assertThat(leases).extracting(Lease::attempt).containsOnly(1);
    assertThat(harness.engine().metrics().leaseCount()).isEqualTo(5);
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Claiming.class)
  void claim_thatWaitsForAJob_mayWaitForLongerThanACall(Claiming claiming) {
    EngineHarness harness = start();
    long beganNs = System.nanoTime();

    List<Lease> none = claiming.claim(harness, ClaimOptions.by("worker").waiting(ofMillis(2_500)));

    assertThat(none).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isGreaterThan(TIMEOUT);
  }

  @Test
  void enqueue_timedOutInItsSync_isCarriedOutAllTheSame() throws Exception {
    EngineHarness harness = start();
    harness.store().holdNextSync();

    assertThatThrownBy(() -> enqueue(mail(harness), "a"))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessage(TOLD);
    harness.store().letGo();
    pokeTwice(harness);

    assertThat(peek(mail(harness), JobState.READY)).containsExactly("a");
    assertClean(harness);
  }

  @Test
  void complete_timedOut_isNotDoneTwice() throws Exception {
    EngineHarness harness = start();
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    hang(harness, Hang.WRITE);
    assertThatThrownBy(lease::complete).isInstanceOf(OutcomeUnknownException.class);
    harness.store().letGo();
    pokeTwice(harness);

    boolean wasCarriedOut = harness.queues().get(id).isEmpty();
    assertThat(lease.complete().isDone()).isNotEqualTo(wasCarriedOut);

    assertThat(harness.queues().get(id)).isEmpty();
    assertClean(harness);
  }

  @Test
  void unset_storeHangsForADay_callAndFutureAreAnsweredInTheEnd() throws Exception {
    assertThat(EngineOptions.DEFAULT.callTimeout()).isEmpty();
    EngineHarness harness = start(StoreKind.MEMORY);
    hang(harness, Hang.WRITE);
    CompletableFuture<JobId> blocking =
        CompletableFuture.supplyAsync(() -> enqueue(mail(harness), "a"));
    CompletableFuture<Enqueued> future =
        mail(harness).enqueueAsync(PAYLOAD, EnqueueOptions.DEFAULT);
    awaitRingDepth(harness, 2);

    harness.clock().advanceMs(Duration.ofDays(1).toMillis());
    assertThat(blocking).isNotDone();
    assertThat(future).isNotDone();
    harness.store().letGo();

    assertThat(join(blocking)).isNotNull();
    assertThat(join(future).jobId()).isNotNull();
    assertThat(mail(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(2);
  }

  @Test
  void callTimeout_badInput_isRefusedWithTheLimit() {
    for (Duration bad : List.of(Duration.ZERO, ofMillis(-1), Duration.ofDays(3_651))) {
      assertThatThrownBy(() -> EngineOptions.DEFAULT.callTimeout(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("callTimeout")
          .hasMessageContaining(bad.toString());
    }
  }
}
