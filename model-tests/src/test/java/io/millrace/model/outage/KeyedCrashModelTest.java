package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.Lease;
import io.millrace.spi.testkit.fault.Trials;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Jobs with concurrency keys on a store that fails and loses power as a seed says: whatever becomes
 * of a call, each slot is held by a job that is ready or leased, no key is idle while jobs of it
 * are blocked, no claim is given more of a key than it may have, and in the end every job is
 * served.
 */
class KeyedCrashModelTest extends KeyedCalls {

  private static final int SEED_COUNT = Trials.count("keyedSeeds", 12, 100, 2_000);

  KeyedCrashModelTest() {
    super(List.of("mail"));
  }

  @Test
  void calls_storeFailsAndPowerGoes_everySlotIsAccountedFor() {
    run(SEED_COUNT);
  }

  @Override
  EnqueueOptions withKey(EnqueueOptions options) {
    return options.concurrencyKey(anyKey());
  }

  /** In one claim there are never more of a key than it may have. */
  @Override
  void claimed(List<Lease> leases) {
    Map<String, Integer> counts = new HashMap<>();
    for (Lease lease : leases) {
      String key = harness.engine().get(lease.jobId()).orElseThrow().concurrencyKey().orElseThrow();
      assertThat(counts.merge(key, 1, Integer::sum)).isLessThanOrEqualTo(MOST_MAX);
    }
  }
}
