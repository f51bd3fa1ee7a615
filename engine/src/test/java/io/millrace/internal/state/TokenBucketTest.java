package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RateLimit;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketTest {

  private static final long NOW_MS = 1_700_000_000_000L;

  private static RateLimit limit(int count, long perMs, int burst) {
    return new RateLimit(count, Duration.ofMillis(perMs), burst);
  }

  private static int takeAll(TokenBucket bucket, long nowMs) {
    int count = 0;
    while (bucket.hasToken(nowMs)) {
      bucket.take(nowMs);
      count++;
    }
    return count;
  }

  @Test
  void full_givesItsBurstAtOnceAndThenOneToken() {
    TokenBucket bucket = new TokenBucket(limit(100, 1_000, 20), NOW_MS);

    assertThat(takeAll(bucket, NOW_MS)).isEqualTo(20);
    assertThat(bucket.nextTokenMs(NOW_MS)).isEqualTo(NOW_MS + 10);
    assertThat(bucket.hasToken(NOW_MS + 9)).isFalse();
    assertThat(takeAll(bucket, NOW_MS + 10)).isEqualTo(1);
    assertThat(bucket.isFull(NOW_MS + 209)).isFalse();
    assertThat(bucket.isFull(NOW_MS + 210)).isTrue();
  }

  /** What is owed for thousands of years is no number of parts by the fastest limit there is. */
  @Test
  void giveBack_owedForLongByALimitThatIsNoMore_takesNothing() {
    long weekMs = Duration.ofDays(7).toMillis();
    RateLimit fastest = limit(1_000_000, 1, 1_000_000);
    for (int weeks = 1; weeks <= 1_000_000; weeks++) {
      TokenBucket bucket = new TokenBucket(fastest, NOW_MS);
      bucket.take(NOW_MS);

      long parts = bucket.giveBack(NOW_MS + weeks * weekMs, NOW_MS);

      if (parts != 1) {
        assertThat(parts).as("owed for %d weeks", weeks).isEqualTo(1);
      }
    }
  }

  @Test
  void giveBack_afterAnotherLimit_isTheTimeThatItTook() {
    RateLimit daily = limit(1, 86_400_000, 1);
    RateLimit burst = limit(10, 1_000, 1_000_000);
    TokenBucket bucket = new TokenBucket(daily, NOW_MS);
    long owedUntilMs = bucket.take(daily, NOW_MS);
    bucket.take(burst, NOW_MS);
    TokenBucket.Level before = bucket.level();

    long parts = bucket.giveBack(daily, owedUntilMs, NOW_MS);

    assertThat(bucket.nextTokenMs(daily, NOW_MS)).isEqualTo(NOW_MS + 100);
    RateLimit by = bucket.limit();
    bucket.take(daily, NOW_MS + 100);
    bucket.giveBack(daily, NOW_MS + 86_400_100, NOW_MS + 100);
    bucket.owe(parts, by);
    assertThat(bucket.nextTokenMs(daily, NOW_MS + 100)).isEqualTo(NOW_MS + 100 + 86_400_000);
    assertThat(before.debt()).isEqualTo(parts + 1_000);
  }

  /** Two limits of more than one start in a millisecond do not round what is owed up in turns. */
  @Test
  void twoLimitsOfTheSameRate_inTurns_losesNothing() {
    RateLimit a = limit(10_000, 1_000, 100);
    RateLimit b = limit(10_000, 1_000, 101);
    TokenBucket bucket = new TokenBucket(a, NOW_MS);
    int count = 0;
    for (long atMs = NOW_MS; atMs < NOW_MS + 1_000; atMs++) {
      while (bucket.nextTokenMs(count % 2 == 0 ? a : b, atMs) == atMs) {
        bucket.take(count % 2 == 0 ? a : b, atMs);
        count++;
      }
    }
    assertThat(count).isBetween(10_089, 10_091);
  }

  @Test
  void anotherLimit_countsWhatIsOwedAsTime_andALookChangesNothing() {
    RateLimit ten = limit(10, 1_000, 3);
    RateLimit one = limit(1, 1_000, 1);
    TokenBucket bucket = new TokenBucket(ten, NOW_MS);
    bucket.take(NOW_MS);
    bucket.take(NOW_MS);

    assertThat(bucket.nextTokenMs(one, NOW_MS)).isEqualTo(NOW_MS + 200);
    assertThat(bucket.nextTokenMs(ten, NOW_MS)).isEqualTo(NOW_MS);
    assertThat(bucket.take(one, NOW_MS + 200)).isEqualTo(NOW_MS + 1_200);

    assertThat(bucket.nextTokenMs(one, NOW_MS + 200)).isEqualTo(NOW_MS + 1_200);
    assertThat(bucket.nextTokenMs(ten, NOW_MS + 200)).isEqualTo(NOW_MS + 1_000);
    assertThat(bucket.take(ten, NOW_MS + 1_000)).isEqualTo(NOW_MS + 1_300);
  }

  /** As many starts as fit, by two limits in turn: never more than the more generous one allows. */
  @Test
  void anotherLimit_inTurns_neverAllowsMoreThanTheMoreGenerousOne() {
    RateLimit generous = limit(7, 100, 5);
    RateLimit mean = limit(3, 100, 2);
    TokenBucket bucket = new TokenBucket(generous, NOW_MS);
    int count = 0;

    for (long atMs = NOW_MS; atMs < NOW_MS + 10_000; atMs++) {
      RateLimit own = atMs % 2 == 0 ? generous : mean;
      while (bucket.nextTokenMs(own, atMs) == atMs) {
        bucket.take(own, atMs);
        count++;
      }
    }

    assertThat(count).isBetween(300, 705);
  }

  @Test
  void threeInTenMilliseconds_overAWeek_isExact() {
    TokenBucket bucket = new TokenBucket(limit(3, 10, 1), NOW_MS);
    long count = 0;

    long atMs = NOW_MS;
    while (count < 3_000_000) {
      bucket.take(atMs);
      atMs = bucket.nextTokenMs(atMs);
      count++;
    }

    // Each in the first millisecond that it may be in: no start is ever late by more than one.
    assertThat(atMs - NOW_MS).isEqualTo(12_000_000);
  }

  @Test
  void extremes_doNotOverflow() {
    RateLimit slowest = limit(1, 604_800_000, 1_000_000);
    TokenBucket bucket = new TokenBucket(slowest, NOW_MS);

    assertThat(takeAll(bucket, NOW_MS)).isEqualTo(1_000_000);
    assertThat(bucket.nextTokenMs(NOW_MS)).isEqualTo(NOW_MS + 604_800_000);
    TokenBucket.Level empty = bucket.level();
    assertThat(bucket.isFull(NOW_MS + 604_800_000_000_000L - 1)).isFalse();
    assertThat(bucket.isFull(NOW_MS + 604_800_000_000_000L)).isTrue();
    bucket.setLevel(empty);
    bucket.change(limit(1_000_000, 604_800_000, 1_000_000), NOW_MS);
    assertThat(bucket.isFull(NOW_MS + 604_800_000L - 1)).isFalse();
    assertThat(bucket.isFull(NOW_MS + 604_800_000L)).isTrue();
    bucket.setLevel(empty);
    assertThat(bucket.isFull(Long.MAX_VALUE / 2)).isTrue();
  }

  @Test
  void giveBack_isThereAtOnceAndNeverMoreThanTheBurst() {
    TokenBucket bucket = new TokenBucket(limit(1, 1_000, 2), NOW_MS);
    takeAll(bucket, NOW_MS);

    bucket.giveBack(NOW_MS + 2_000, NOW_MS);
    assertThat(takeAll(bucket, NOW_MS)).isEqualTo(1);
    bucket.giveBack(NOW_MS + 2_000, NOW_MS);
    bucket.giveBack(NOW_MS + 2_000, NOW_MS);
    bucket.giveBack(NOW_MS + 2_000, NOW_MS);
    assertThat(takeAll(bucket, NOW_MS)).isEqualTo(2);
  }

  @Test
  void giveBack_whenItIsNoLongerOwed_givesNothing() {
    TokenBucket bucket = new TokenBucket(limit(1, 1_000, 2), NOW_MS);
    long owedUntilMs = bucket.take(NOW_MS);
    takeAll(bucket, NOW_MS + 1_000);

    assertThat(owedUntilMs).isEqualTo(NOW_MS + 1_000);
    assertThat(bucket.giveBack(owedUntilMs, NOW_MS + 1_000)).isZero();
    assertThat(bucket.hasToken(NOW_MS + 1_000)).isFalse();
  }

  @Test
  void timeGoesBack_givesNothingAndWaitsNoLonger() {
    TokenBucket bucket = new TokenBucket(limit(1, 1_000, 1), NOW_MS);
    bucket.take(NOW_MS);

    assertThat(bucket.nextTokenMs(NOW_MS - 500)).isEqualTo(NOW_MS + 500);
  }

  @Test
  void change_lowerBurst_isNotWaitedForOnCredit() {
    TokenBucket bucket = new TokenBucket(limit(100, 1_000, 1_000), NOW_MS);
    takeAll(bucket, NOW_MS);

    bucket.change(limit(1, 60_000, 1), NOW_MS);

    assertThat(bucket.nextTokenMs(NOW_MS)).isEqualTo(NOW_MS + 60_000);
  }

  @Test
  void change_higherBurst_countsWhatWasTaken() {
    TokenBucket bucket = new TokenBucket(limit(1, 1_000, 5), NOW_MS);
    bucket.take(NOW_MS);
    bucket.take(NOW_MS);

    bucket.change(limit(1, 7_000, 10), NOW_MS + 500);

    // One and a half are owed: eight are there, and half a token of the ninth.
    assertThat(takeAll(bucket, NOW_MS + 500)).isEqualTo(8);
    assertThat(bucket.nextTokenMs(NOW_MS + 500)).isEqualTo(NOW_MS + 4_000);
  }

  @Test
  void change_ofPartOfAToken_roundsWhatIsOwedUp() {
    TokenBucket bucket = new TokenBucket(limit(1, 7, 3), NOW_MS);
    bucket.take(NOW_MS);

    bucket.change(limit(1, 10, 3), NOW_MS + 1);

    // Six sevenths of a token are 8.57 parts of ten.
    assertThat(bucket.isFull(NOW_MS + 9)).isFalse();
    assertThat(bucket.isFull(NOW_MS + 10)).isTrue();
  }

  @Test
  void setLevel_isAsIfNothingHadHappened() {
    TokenBucket bucket = new TokenBucket(limit(1, 1_000, 5), NOW_MS);
    bucket.take(NOW_MS);
    TokenBucket.Level before = bucket.level();
    bucket.take(NOW_MS + 10);
    bucket.change(limit(2, 50, 1), NOW_MS + 20);

    bucket.setLevel(before);

    assertThat(bucket.level()).isEqualTo(before);
    assertThat(takeAll(bucket, NOW_MS)).isEqualTo(4);
  }

  /**
   * In no span of time are there more starts than the burst and what came meanwhile; and a start
   * that is refused would have been one too many in some span.
   */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void starts_overAnyTimes_areAsManyAsTheLimitSaysAndNoFewer(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 200; i++) {
      RateLimit limit =
          limit(
              1 + random.nextInt(1 << random.nextInt(20)),
              1 + random.nextLong(1L << random.nextInt(30)) % 604_800_000,
              1 + random.nextInt(20));
      checkStarts(limit, random);
    }
  }

  private static void checkStarts(RateLimit limit, SplittableRandom random) {
    TokenBucket bucket = new TokenBucket(limit, NOW_MS);
    List<Long> starts = new ArrayList<>();
    long tokenMs = Math.max(1, limit.per().toMillis() / limit.count());
    long nowMs = NOW_MS;
    for (int i = 0; i < 80; i++) {
      nowMs +=
          switch (random.nextInt(9)) {
            case 0, 1, 2 -> 0;
            case 3 -> random.nextLong(30 * tokenMs);
            default -> random.nextLong(1 + tokenMs * 3 / 2);
          };
      boolean mayStart = mayStart(limit, starts, nowMs);
      assertThat(bucket.hasToken(nowMs)).isEqualTo(mayStart);
      long nextMs = bucket.nextTokenMs(nowMs);
      assertThat(mayStart(limit, starts, nextMs)).isTrue();
      assertThat(nextMs == nowMs || !mayStart(limit, starts, nextMs - 1)).isTrue();
      if (mayStart) {
        bucket.take(nowMs);
        starts.add(nowMs);
      }
    }
  }

  /** Whether with one start more each span that ends now has no more than burst + n × t / p. */
  private static boolean mayStart(RateLimit limit, List<Long> starts, long nowMs) {
    BigInteger per = BigInteger.valueOf(limit.per().toMillis());
    for (int i = 0; i < starts.size(); i++) {
      BigInteger count = BigInteger.valueOf(starts.size() - i + 1L);
      BigInteger passed = BigInteger.valueOf(nowMs - starts.get(i));
      BigInteger most =
          BigInteger.valueOf(limit.burst())
              .multiply(per)
              .add(BigInteger.valueOf(limit.count()).multiply(passed));
      if (count.multiply(per).compareTo(most) > 0) {
        return false;
      }
    }
    return true;
  }
}
