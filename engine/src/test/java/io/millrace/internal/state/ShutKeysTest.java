package io.millrace.internal.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RateLimit;
import io.millrace.internal.format.EngineRate;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class ShutKeysTest {

  private static final long NOW_MS = 1_700_000_000_000L;
  private static final RateLimit LIMIT = RateLimit.of(1, Duration.ofSeconds(1));

  private final ShutKeys shut = new ShutKeys(LIMIT, new WindowBudget(Long.MAX_VALUE));
  private int askCount;

  private static Gates gates(int slot, int rate) {
    byte[] slotKey = slot < 0 ? null : ("slot " + slot).getBytes(UTF_8);
    byte[] rateKey = ("rate " + rate).getBytes(UTF_8);
    return new Gates(slotKey, rate < 0 ? null : new EngineRate(rateKey, LIMIT));
  }

  /** However many keys wait for one token, it is the first of them that is looked at. */
  @Test
  void first_manyKeysOfOneRate_looksAtFewWhenTheTokenComes() {
    for (int i = 0; i < 10_000; i++) {
      shut.add(gates(i, 0), ReadyWindowTest.job(i + 1), NOW_MS + 100);
    }
    long[] opensAtMs = {NOW_MS + 100};
    for (int i = 0; i < 50; i++) {
      long nowMs = opensAtMs[0];
      assertThat(shut.first(1, nowMs, key -> ask(opensAtMs[0]))).isEqualTo(i + 1);
      shut.remove(i + 1);
      opensAtMs[0] += 100;
      assertThat(shut.first(1, nowMs, key -> ask(opensAtMs[0]))).isEqualTo(ShutKeys.NONE);
      assertThat(shut.opensAtMs(nowMs)).isEqualTo(nowMs + 100);
      assertThat(shut.shutCount()).isEqualTo(shut.size());
    }
    assertThat(askCount).isLessThan(50 * 20);
  }

  private long ask(long answer) {
    askCount++;
    return answer;
  }

  /** Against a walk over all jobs. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anySteps_answerAsAWalkOverAllDoes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Long, Gates> jobs = new TreeMap<>();
    Map<Integer, Long> slots = new HashMap<>();
    Map<Integer, Long> rates = new HashMap<>();
    long nowMs = NOW_MS;
    for (long step = 1; step <= 20_000; step++) {
      long atMs = nowMs;
      int slot = random.nextInt(6) - 1;
      int rate = slot < 0 ? random.nextInt(3) : random.nextInt(4) - 1;
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          Gates key = gates(slot, rate);
          jobs.put(step, key);
          shut.add(key, ReadyWindowTest.job(step), openAtMs(key, slots, rates, atMs));
        }
        case 2 -> nowMs += random.nextInt(50);
        case 3 -> {
          int of = random.nextInt(5);
          slots.put(of, atMs);
          shut.reopen(Objects.requireNonNull(gates(of, -1).slotKey()));
        }
        case 4 -> {
          int of = random.nextInt(3);
          rates.put(of, atMs);
          shut.reopenOfEngine(("rate " + of).getBytes(UTF_8));
        }
        default -> {
          long first = shut.first(1, atMs, key -> openAtMs(key, slots, rates, atMs));
          long expected =
              jobs.entrySet().stream()
                  .filter(job -> openAtMs(job.getValue(), slots, rates, atMs) <= atMs)
                  .mapToLong(Map.Entry::getKey)
                  .findFirst()
                  .orElse(ShutKeys.NONE);
          assertThat(first).isEqualTo(expected);
          if (first == ShutKeys.NONE) {
            assertThat(shut.shutCount()).isEqualTo(jobs.size());
            assertThat(shut.opensAtMs(atMs)).isGreaterThan(atMs);
          } else {
            take(jobs.remove(first), slots, rates, atMs + 1 + random.nextInt(100));
            shut.remove(first);
          }
        }
      }
      assertThat(jobs.keySet().stream().allMatch(shut::holds)).isTrue();
      assertThat(shut.size()).isEqualTo(jobs.size());
      assertThat(shut.lowest()).isEqualTo(jobs.isEmpty() ? Long.MAX_VALUE : jobs.firstKey());
    }
  }

  private static void take(
      Gates key, Map<Integer, Long> slots, Map<Integer, Long> rates, long untilMs) {
    for (int i = 0; i < 6; i++) {
      int of = i;
      if (key.slotKey() != null && gates(of, -1).equals(new Gates(key.slotKey(), null))) {
        slots.merge(of, untilMs, Math::max);
      }
      if (key.rate() != null && gates(-1, of).equals(new Gates(null, key.rate()))) {
        rates.merge(of, untilMs, Math::max);
      }
    }
  }

  private static long openAtMs(
      Gates key, Map<Integer, Long> slots, Map<Integer, Long> rates, long nowMs) {
    long opensAtMs = nowMs;
    for (int i = 0; i < 6; i++) {
      if (key.slotKey() != null && gates(i, -1).equals(new Gates(key.slotKey(), null))) {
        opensAtMs = Math.max(opensAtMs, slots.getOrDefault(i, nowMs));
      }
      if (key.rate() != null && gates(-1, i).equals(new Gates(null, key.rate()))) {
        opensAtMs = Math.max(opensAtMs, rates.getOrDefault(i, nowMs));
      }
    }
    return opensAtMs;
  }
}
