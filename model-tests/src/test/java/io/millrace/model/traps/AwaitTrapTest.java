package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;

import io.millrace.api.Backoff;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.model.rig.EngineHarness;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** What the tests of waits for the ends of jobs share. */
abstract class AwaitTrapTest extends TrapTest {

  static final EnqueueOptions ONCE = EnqueueOptions.DEFAULT.maxAttempts(1);

  static final EnqueueOptions TWICE =
      EnqueueOptions.DEFAULT.maxAttempts(2).backoff(Backoff.fixed(ofSeconds(9)));

  static String text(JobEnd<byte[]> end) {
    if (end instanceof JobEnd.Completed<byte[]> completed) {
      return "completed [" + new String(completed.result(), UTF_8) + "]";
    }
    if (end instanceof JobEnd.Died<byte[]> died) {
      return "died of " + died.error() + " after " + died.attempts();
    }
    return end.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  static String end(CompletableFuture<JobEnd<byte[]>> future) {
    return text(join(future));
  }

  static CompletableFuture<JobEnd<byte[]>> await(EngineHarness harness, JobId id) {
    return harness.queues().await(id);
  }

  /** Waits until the engine has taken up all waits that began, and given up those that ended. */
  static void awaitCount(EngineHarness harness, int count) {
    await(
        count + " waits are known",
        () -> {
          harness.poke();
          return harness.engine().metrics().awaitCount() == count;
        });
  }
}
