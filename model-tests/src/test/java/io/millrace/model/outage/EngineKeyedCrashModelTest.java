package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.internal.format.Keyspace;
import io.millrace.spi.ReadView;
import io.millrace.spi.testkit.fault.Trials;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Jobs with concurrency keys of the engine, and some of their queues', in several queues on a store
 * that fails and loses power as a seed says: whatever becomes of a call, each slot is held by a job
 * that is ready or leased, each blocked job has its turn, no key is idle while the job whose turn
 * it is may go on, and in the end every job is served. Queues are purged and deleted meanwhile.
 */
class EngineKeyedCrashModelTest extends KeyedCalls {

  private static final int SEED_COUNT = Trials.count("engineKeyedSeeds", 12, 100, 2_000);

  EngineKeyedCrashModelTest() {
    super(List.of("mail", "sms", "web", "fax"));
  }

  @Test
  void calls_storeFailsAndPowerGoes_everySlotIsAccountedFor() {
    run(SEED_COUNT);
  }

  @Override
  EnqueueOptions withKey(EnqueueOptions options) {
    String key = anyKey();
    return random.nextInt(5) == 0
        ? options.concurrencyKey(key)
        : options.engineConcurrencyKey(key, 1 + random.nextInt(MOST_MAX));
  }

  @Override
  void change(JobQueue queue) {
    if (random.nextInt(4) == 0) {
      queue.delete();
    } else {
      super.change(queue);
    }
  }

  @Override
  void serveAll() {
    super.serveAll();
    try (ReadView view = harness.store().read()) {
      int rows =
          view.scan(
              Keyspace.SLOT.start(), Keyspace.SLOT.end(), Integer.MAX_VALUE, (key, value) -> true);
      assertThat(rows).as("rows of keys that nobody has").isZero();
    }
  }
}
