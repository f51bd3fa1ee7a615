package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.crash.BatchWork;
import io.millrace.spi.testkit.fault.Trials;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Batches begin, end in all ways and go on, on a store that fails and loses power as a seed says:
 * their counts agree with their jobs, and what comes after a batch comes once.
 */
class BatchCrashModelTest extends FaultyCalls {

  private static final int SEED_COUNT = Trials.count("batchSeeds", 12, 60, 2_000);
  private static final Duration LEASE_OVER = Duration.ofSeconds(31);

  private final Set<String> acknowledged = new HashSet<>();

  @Test
  void batches_storeFailsAndPowerGoes_countsAgreeAndWhatComesAfterComesOnce() {
    run(SEED_COUNT);
  }

  @Override
  void begin() {
    acknowledged.clear();
  }

  @Override
  void call(int number) {
    switch (random.nextInt(20)) {
      case 0, 1, 2 -> beginBatch("batch " + number);
      case 3 -> stop();
      case 4 -> harness.clock().advanceMs(LEASE_OVER.toMillis());
      case 5, 6, 7 -> work().tend(random);
      case 8, 9, 10 -> work().goOn();
      default -> work().work(random);
    }
  }

  private void beginBatch(String name) {
    work().begin(random, name);
    acknowledged.add(name);
  }

  private BatchWork work() {
    return new BatchWork(harness.engine());
  }

  @Override
  void failed() {
    withoutFaults(this::restarted);
  }

  @Override
  void restarted() {
    harness.awaitNothingDue();
    assertThat(work().flaws(acknowledged)).isEmpty();
  }

  @Override
  void serveAll() {
    pass(LEASE_OVER);
    work().finish();
    restarted();
    assertThat(work().left()).isEmpty();
  }
}
