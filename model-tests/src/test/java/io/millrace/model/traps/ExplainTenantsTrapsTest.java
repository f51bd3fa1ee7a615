package io.millrace.model.traps;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.RateLimit;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Why a job is not running that a claim across tenants waits for, though its queue is unloaded. */
@Tag("calls")
class ExplainTenantsTrapsTest extends TrapTest {

  private static final Setup UNLOADING =
      new Setup(
          Setup.DEFAULT.durability(),
          Setup.DEFAULT.claimsAnswer(),
          Setup.DEFAULT.leasesAtOpen(),
          Setup.Loading.WHILE_USED);

  private static JobQueue tenant(EngineHarness harness) {
    return harness.queues().queue("mail", "ada");
  }

  private static CompletableFuture<List<Lease>> wait(EngineHarness harness, int capacity) {
    ClaimOptions claim = ClaimOptions.by("waiting").capacity(capacity).waiting(ofMinutes(30));
    return harness.queues().claimAcrossTenantsAsync("mail", claim);
  }

  private static List<String> sentences(EngineHarness harness, JobId id) {
    return ExplainTrapsTest.sentences(harness, id);
  }

  @Test
  void paused_claimAcrossTenantsWaits_isNotToldThatNobodyClaims() {
    EngineHarness harness = start(StoreKind.MEMORY, UNLOADING);
    JobId id = enqueue(tenant(harness), "a");
    tenant(harness).pause();
    CompletableFuture<List<Lease>> claim = wait(harness, 5);
    assertNotAnswered(harness, claim);
    advance(harness, ofMinutes(2));
    harness.awaitNothingDue();

    assertThat(sentences(harness, id)).containsExactly("its queue is paused");
    claim.cancel(false);
  }

  @Test
  void tooHeavy_queueHasLeftMemoryMeanwhile_isToldForWhom() {
    EngineHarness harness = start(StoreKind.MEMORY, UNLOADING);
    JobId id = enqueue(tenant(harness), "a", EnqueueOptions.DEFAULT.weight(9));
    CompletableFuture<List<Lease>> claim = wait(harness, 5);
    assertNotAnswered(harness, claim);
    List<String> told = List.of("weighs 9, and no worker that waits takes more than 5");
    assertThat(sentences(harness, id)).isEqualTo(told);
    advance(harness, ofMinutes(2));
    harness.awaitNothingDue();

    assertThat(sentences(harness, id)).isEqualTo(told);
    claim.cancel(false);
  }

  @Test
  void noToken_queueHasLeftMemoryMeanwhile_isToldWhenTheNextComes() {
    EngineHarness harness = start(StoreKind.MEMORY, UNLOADING);
    tenant(harness).configure(settings -> settings.rateLimit(RateLimit.of(1, ofMinutes(10))));
    enqueue(tenant(harness), "a");
    JobId id = enqueue(tenant(harness), "b");
    claim(tenant(harness)).complete().orThrow();
    CompletableFuture<List<Lease>> claim = wait(harness, 5);
    assertNotAnswered(harness, claim);
    advance(harness, ofMinutes(2));
    harness.awaitNothingDue();

    assertThat(ExplainTrapsTest.explain(harness, id).reasons())
        .extracting(Reason::kind)
        .containsExactly("RateLimited");
    assertThat(ExplainTrapsTest.explain(harness, id).earliest())
        .contains(Instant.ofEpochMilli(harness.clock().epochMs()).plus(ofMinutes(8)));
    advance(harness, ofMinutes(8));
    assertThat(payloads(join(claim))).containsExactly("b");
  }
}
