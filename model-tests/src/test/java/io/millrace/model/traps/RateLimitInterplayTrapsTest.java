package io.millrace.model.traps;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.StoreCall;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Rate limits beside what else holds jobs back: tokens that are forgotten, or waited for in vain.
 */
class RateLimitInterplayTrapsTest extends TrapTest {

  private static final ClaimOptions BY = ClaimOptions.by("worker");
  private static final RateLimit ONE_A_DAY = RateLimit.of(1, ofDays(1));
  private static final EnqueueOptions ADA = EnqueueOptions.DEFAULT.concurrencyKey("ada");

  @Test
  void perKey_queueDeletedAndMadeAnew_keyGetsNoBurstForIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    harness
        .queues()
        .admin()
        .configure("mail", settings -> settings.perKey(9).rateLimitPerKey(ONE_A_DAY));
    enqueue(mail(harness), "a1", ADA);
    claim(mail(harness)).complete().orThrow();

    mail(harness).delete();
    enqueue(mail(harness), "a2", ADA);

    assertThat(claim(mail(harness), 5)).isEmpty();
  }

  @Test
  void perKey_limitChangedAndBackWhileNobodyClaims_tokenIsSeen() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.perKey(9).rateLimitPerKey(ONE_A_DAY));
    enqueue(mail, "a1", ADA);
    enqueue(mail, "a2", ADA);
    claim(mail);
    assertThat(claim(mail, 5)).isEmpty();

    mail.configure(QueueSettings::noRateLimitPerKey);
    mail.configure(settings -> settings.rateLimitPerKey(ONE_A_DAY));

    assertThat(claim(mail, 5)).hasSize(1);
  }

  @Test
  void perKey_limitChangedAndBackWhilePaused_claimThatWaits_isServed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.perKey(9).rateLimitPerKey(ONE_A_DAY));
    enqueue(mail, "a1", ADA);
    enqueue(mail, "a2", ADA);
    claim(mail);
    CompletableFuture<List<Lease>> claim = mail.claimAsync(BY.waiting(ofDays(1)));
    assertNotAnswered(harness, claim);
    mail.pause();
    mail.configure(settings -> settings.rateLimitPerKey(RateLimit.of(1, ofSeconds(1))));
    advance(harness, ofSeconds(2));
    mail.configure(settings -> settings.rateLimitPerKey(ONE_A_DAY));

    mail.resume();

    assertThat(join(claim)).hasSize(1);
  }

  @Test
  void leaseOfUnknownOutcome_nobodyWasTold_tokenComesBack() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.rateLimit(ONE_A_DAY));
    CompletableFuture<List<Lease>> claim = mail.claimAsync(BY.waiting(ofMinutes(10)));
    harness.poke();
    harness.machine().failNext(StoreCall.WRITE, Fault.AFTER);
    assertThatThrownBy(() -> enqueue(mail, "a")).isInstanceOf(OutcomeUnknownException.class);
    assertThat(claim).failsWithin(ofSeconds(20));

    harness.engine().reopen();

    assertThat(claim(mail, 5)).hasSize(1);
  }

  @Test
  void release_leaseWhoseTokenHasComeBackLongAgo_startsNoMoreThanTheLimit() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.rateLimit(RateLimit.of(1, ofSeconds(1))));
    enqueue(mail, "1");
    enqueue(mail, "2");
    enqueue(mail, "3");
    Lease first = claim(mail);
    advance(harness, ofSeconds(10));
    claim(mail);

    first.release().orThrow();

    // A burst of 1, and "2" has started in this millisecond.
    assertThat(claim(mail, 5)).isEmpty();
  }

  @Test
  void release_leaseOfAnEarlierLimit_givesNothingToTheNewOne() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.rateLimit(ONE_A_DAY));
    enqueue(mail, "1");
    enqueue(mail, "2");
    enqueue(mail, "3");
    Lease first = claim(mail);
    mail.configure(QueueSettings::noRateLimit);
    mail.configure(settings -> settings.rateLimit(ONE_A_DAY));
    claim(mail);

    first.release().orThrow();

    assertThat(claim(mail, 5)).isEmpty();
  }

  @Test
  void barredClaim_heavyJobsKeyLosesItsToken_lighterOneIsServed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.perKey(9).rateLimitPerKey(ONE_A_DAY));
    enqueue(mail, "heavy", ADA.weight(5));
    ClaimOptions narrow = BY.capacity(5).maxWeight(1);
    for (int i = 0; i < ClaimOptions.PASSES_MAX; i++) {
      enqueue(mail, "passes" + i);
      assertThat(mail.claim(narrow)).hasSize(1);
    }
    enqueue(mail, "light", ADA);
    enqueue(mail, "free");
    CompletableFuture<List<Lease>> barred = mail.claimAsync(narrow.waiting(ofMinutes(10)));
    assertNotAnswered(harness, barred);

    assertThat(payloads(mail.claim(ClaimOptions.by("other").capacity(1)))).containsExactly("light");

    // The heavy job is not eligible for want of a token.
    assertThat(payloads(join(barred))).containsExactly("free");
  }

  @Test
  void barredClaim_keyOfALowerLineGetsItsToken_engineDoesNotSpin() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.perKey(9).rateLimitPerKey(RateLimit.of(1, ofMinutes(1))));
    enqueue(mail, "a1", ADA);
    enqueue(mail, "a2", ADA);
    claim(mail);
    assertThat(claim(mail, 5)).isEmpty();
    enqueue(mail, "heavy", EnqueueOptions.DEFAULT.weight(5).priority(5));
    ClaimOptions narrow = BY.capacity(5).maxWeight(1);
    for (int i = 0; i < ClaimOptions.PASSES_MAX; i++) {
      enqueue(mail, "passes" + i);
      assertThat(mail.claim(narrow)).hasSize(1);
    }
    CompletableFuture<List<Lease>> barred = mail.claimAsync(narrow.waiting(ofMinutes(10)));
    assertNotAnswered(harness, barred);

    harness.clock().advanceMs(60_000);

    harness.awaitNothingDue();
    assertNotAnswered(harness, barred);
    assertThat(payloads(claim(mail, 5))).startsWith("heavy", "a2");
  }
}
