package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.engine.GivenAnswers;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.ReadView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * An engine with a queue on a store and clock that the test moves; everything is checked and closed
 * at the end.
 */
@Tag("slow")
@Tag("trap") // what runs by way of a server, too
abstract class TrapTest {

  /** What ends a lease of the default duration; the reaper is exact to a millisecond. */
  static final Duration LEASE_OVER = Duration.ofSeconds(30).plusMillis(1);

  /** Not long: who plants a bug into the engine may wait for it on each kind of store in turn. */
  private static final int REAL_SECONDS_MAX = 20;

  @TempDir Path folder;
  private final List<EngineHarness> started = new ArrayList<>();

  EngineHarness start(StoreKind kind) {
    return start(kind, Setup.DEFAULT);
  }

  EngineHarness start(StoreKind kind, Setup setup) {
    return start(kind, setup::options);
  }

  EngineHarness start(StoreKind kind, Function<ManualClock, EngineOptions> options) {
    return started(new EngineHarness(kind, folder.resolve("store"), options));
  }

  /** Has the harness closed after the test. */
  EngineHarness started(EngineHarness harness) {
    started.add(harness);
    return harness;
  }

  @AfterEach
  void closeAll() {
    started.forEach(EngineHarness::close);
  }

  static JobQueue mail(EngineHarness harness) {
    return harness.queues().queue("mail");
  }

  static JobId enqueue(JobQueue queue, String payload) {
    return queue.enqueue(payload.getBytes(UTF_8)).jobId();
  }

  static JobId enqueue(JobQueue queue, String payload, EnqueueOptions options) {
    return queue.enqueue(payload.getBytes(UTF_8), options).jobId();
  }

  static Lease claim(JobQueue queue) {
    List<Lease> leases = queue.claim(ClaimOptions.by("worker"));
    assertThat(leases).hasSize(1);
    return leases.get(0);
  }

  static List<Lease> claim(JobQueue queue, int max) {
    return queue.claim(ClaimOptions.by("worker").max(max));
  }

  static String payload(Lease lease) {
    return new String(lease.payload(), UTF_8);
  }

  static List<String> payloads(List<Lease> leases) {
    return leases.stream().map(TrapTest::payload).toList();
  }

  static Job job(JobReader queues, JobId id) {
    return queues.get(id).orElseThrow();
  }

  static JobState state(JobReader queues, JobId id) {
    return job(queues, id).state();
  }

  /** The payloads of a state's jobs, in their order. */
  static List<String> peek(JobQueue queue, JobState state) {
    return queue.peek(state, PageRequest.first(1_000)).items().stream()
        .map(job -> new String(job.payload(), UTF_8))
        .toList();
  }

  /** Lets time pass and waits until the engine has seen it. */
  static void advance(EngineHarness harness, Duration duration) {
    harness.clock().advanceMs(duration.toMillis());
    harness.poke();
  }

  /** Waits until what was asked for in the background is in the store: an answer may precede it. */
  static void pokeTwice(EngineHarness harness) {
    harness.poke();
    harness.poke();
  }

  /** Waits until the engine has dealt with a lease that ran out, or was left behind. */
  static void awaitJob(EngineHarness harness, JobId id, JobState state, int attempts) {
    await(
        id + " is " + state + " after " + attempts + " attempts",
        () -> {
          Job job = job(harness.queues(), id);
          return job.state() == state && job.attempts() == attempts;
        });
  }

  static void awaitRingDepth(EngineHarness harness, int depth) {
    await(depth + " requests wait", () -> harness.engine().metrics().ringDepth() == depth);
  }

  static void await(String what, BooleanSupplier condition) {
    Await.until(what, condition, REAL_SECONDS_MAX);
  }

  /** The future's result, or the exception that it failed with. */
  static <T> T join(CompletableFuture<T> future) {
    return Await.join(future, REAL_SECONDS_MAX);
  }

  /** The engine has not answered, nor is its answer on the way. */
  static void assertNotAnswered(EngineHarness harness, CompletableFuture<?> future) {
    GivenAnswers.await(harness.engine());
    assertThat(future).isNotDone();
  }

  /** How many TIMER rows there are. */
  static int timerCount(EngineHarness harness) {
    try (ReadView view = harness.store().read()) {
      return view.scan(
          Keyspace.TIMER.start(), Keyspace.TIMER.end(), Integer.MAX_VALUE, (key, value) -> true);
    }
  }

  static void assertClean(EngineHarness harness) {
    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(harness.queues().verify().isClean()).isTrue();
  }
}
