package io.millrace.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Distribution;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineMetrics;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.QueueStats.Total;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EngineMetricsTest {

  private JobEngine engine;
  private JobQueue mail;

  @BeforeEach
  void open() {
    engine = JobEngine.open("memory:metrics-test", EngineOptions.DEFAULT.ringSize(1_000));
    mail = engine.queue("mail");
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void metrics_newEngine_hasDoneNothing() {
    EngineMetrics metrics = engine.metrics();

    assertThat(metrics.operations()).hasSize(Total.values().length);
    assertThat(metrics.operations().values()).containsOnly(0L);
    assertThat(metrics.groupRequests().sinceOpening()).isEqualTo(Distribution.EMPTY);
    assertThat(metrics.leaseCount()).isZero();
    assertThat(metrics.parkedClaimCount()).isZero();
    assertThat(metrics.windowBytes()).isZero();
    assertThat(metrics.setAsideCount()).isZero();
    assertThat(metrics.oldestReaderAge()).isEmpty();
    assertThat(metrics.ringDepth()).isZero();
    assertThat(metrics.ringSize()).isEqualTo(1_024);
    assertThat(metrics.health().status()).isEqualTo(EngineHealth.Status.UP);
  }

  @Test
  void metrics_afterKnownOperations_countsThemExactly() {
    for (int i = 0; i < 5; i++) {
      mail.enqueue(("job " + i).getBytes(UTF_8));
    }
    List<Lease> leases = mail.claim(ClaimOptions.by("w1").max(4));
    leases.get(0).complete().orThrow();
    leases.get(1).fail("broken", FailOptions.PERMANENT).orThrow();
    leases.get(2).release().orThrow();

    EngineMetrics metrics = engine.metrics();

    assertThat(metrics.operations(Total.ENQUEUED)).isEqualTo(5);
    assertThat(metrics.operations(Total.CLAIMED)).isEqualTo(4);
    assertThat(metrics.operations(Total.COMPLETED)).isEqualTo(1);
    assertThat(metrics.operations(Total.DIED)).isEqualTo(1);
    assertThat(metrics.operations(Total.RELEASED)).isEqualTo(1);
    assertThat(metrics.operations(Total.RETRIED)).isZero();
    assertThat(metrics.leaseCount()).isEqualTo(1);
    assertThat(metrics.windowBytes()).isPositive();
    assertThat(metrics.storeBytes()).isPositive();
  }

  @Test
  void metrics_afterOneCallerAtATime_hasGroupsOfOne() {
    for (int i = 0; i < 20; i++) {
      mail.enqueue(new byte[0]);
    }

    EngineMetrics metrics = engine.metrics();

    assertThat(metrics.groupRequests().sinceOpening())
        .isEqualTo(new Distribution(20, 20, 1, 1, 1, 1));
    assertThat(metrics.groupRequests().recent()).isEqualTo(new Distribution(20, 20, 1, 1, 1, 1));
    assertThat(metrics.commitNs().sinceOpening().count()).isGreaterThanOrEqualTo(20);
    assertThat(metrics.syncNs().sinceOpening().count()).isGreaterThanOrEqualTo(20);
    assertThat(metrics.commitNs().recent().p50())
        .isPositive()
        .isLessThanOrEqualTo(metrics.commitNs().recent().max());
  }

  @Test
  void metrics_claimThatWaits_isParkedUntilServed() throws Exception {
    CompletableFuture<List<Lease>> claim =
        mail.claimAsync(ClaimOptions.by("w1").waiting(ofSeconds(60)));
    engine.queue("other").enqueue(new byte[0]);

    int whileWaiting = engine.metrics().parkedClaimCount();
    mail.enqueue("at last".getBytes(UTF_8), EnqueueOptions.DEFAULT);
    claim.get(20, TimeUnit.SECONDS);

    assertThat(whileWaiting).isEqualTo(1);
    assertThat(engine.metrics().parkedClaimCount()).isZero();
    assertThat(engine.metrics().leaseCount()).isEqualTo(1);
  }

  @Test
  void metrics_afterClose_saysSo() {
    mail.enqueue(new byte[0]);
    assertThat(mail.claim("w1", ofSeconds(10))).isPresent();
    engine.close();

    EngineMetrics metrics = engine.metrics();

    assertThat(metrics.health().status()).isEqualTo(EngineHealth.Status.CLOSED);
    assertThat(metrics.health().reason()).isEqualTo("engine was closed");
    assertThat(metrics.operations(Total.RELEASED)).isEqualTo(1);
    assertThat(metrics.leaseCount()).isZero();
  }
}
