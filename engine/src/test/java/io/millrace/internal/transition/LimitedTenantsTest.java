package io.millrace.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.transition.due.WakeLimited;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Claim;
import io.millrace.internal.transition.lease.Grant;
import io.millrace.internal.transition.queue.ConfigureName;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A claim across tenants does not cost more for those whose rate limit has no token. */
@Tag("slow")
class LimitedTenantsTest {

  private static final int TENANT_COUNT = 10_000;
  private static final RateLimit ONE_A_MINUTE = RateLimit.of(1, Duration.ofMinutes(1));

  private final TransitionRig rig = new TransitionRig(32 << 20);

  @AfterEach
  void close() {
    rig.close();
  }

  private void limit(QueueSettings before, QueueSettings settings) {
    assertThat(rig.apply(new ConfigureName("mail", before, settings))).isEmpty();
  }

  private void enqueue(String tenant, int count, EnqueueOptions options) {
    NewJob job = new NewJob(new byte[0], options);
    rig.apply(new Enqueue(new QueueName("mail", tenant), Collections.nCopies(count, job)));
  }

  private static Claim claimOf(int max) {
    return new Claim(
        new ClaimSpec(
            List.of(), "w", max, 30_000, 65_535, 65_535, 1 << 30, Map.of(), 0, List.of("mail")));
  }

  private List<Grant> claimOnce(int max) {
    return rig.apply(claimOf(max));
  }

  private List<Grant> claim(int max) {
    Claim claim = claimOf(max);
    List<Grant> grants = Claim.UNFINISHED;
    while (grants == Claim.UNFINISHED) {
      grants = rig.apply(claim);
    }
    return grants;
  }

  private void exhaust(EnqueueOptions options) {
    for (int i = 0; i < TENANT_COUNT; i++) {
      enqueue("t" + i, 2, options);
    }
    int count = 0;
    while (count < TENANT_COUNT) {
      count += claim(10_000).size();
    }
    assertThat(count).isEqualTo(TENANT_COUNT);
    // Finds out that nobody has a token.
    assertThat(claim(1)).isEmpty();
  }

  private void wakeAll() {
    int count = 1;
    while (count > 0) {
      count = rig.apply(new WakeLimited());
    }
  }

  @Test
  void claim_manyTenantsWithoutToken_costsNoMoreForThem() {
    limit(QueueSettings.DEFAULT, QueueSettings.DEFAULT.rateLimit(ONE_A_MINUTE));
    exhaust(EnqueueOptions.DEFAULT);

    enqueue("quiet", 1, EnqueueOptions.DEFAULT);

    assertThat(claimOnce(1)).hasSize(1);
    rig.nowMs += 60_000;
    wakeAll();
    assertThat(claim(10_000)).hasSize(10_000);
  }

  @Test
  void claim_manyTenantsWhoseKeysHaveNoToken_costsNoMoreForThem() {
    limit(QueueSettings.DEFAULT, QueueSettings.DEFAULT.perKey(10).rateLimitPerKey(ONE_A_MINUTE));
    exhaust(EnqueueOptions.DEFAULT.concurrencyKey("key"));

    enqueue("t9000", 1, EnqueueOptions.DEFAULT.concurrencyKey("other"));

    assertThat(claimOnce(1)).hasSize(1);
    rig.nowMs += 60_000;
    wakeAll();
    assertThat(claim(10_000)).hasSize(10_000);
  }

  @Test
  void limitOfTheName_changed_doesNotLookAtAllBucketsForEachQueue() {
    QueueSettings limited = QueueSettings.DEFAULT.rateLimit(ONE_A_MINUTE);
    limit(QueueSettings.DEFAULT, limited);
    exhaust(EnqueueOptions.DEFAULT);

    long beforeNs = System.nanoTime();
    limit(limited, limited.rateLimit(ONE_A_MINUTE.burst(2)));
    long tookMs = (System.nanoTime() - beforeNs) / 1_000_000;

    assertThat(tookMs).isLessThan(5_000);
  }
}
