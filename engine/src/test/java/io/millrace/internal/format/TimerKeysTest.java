package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimerKeysTest extends KeysContractTest<TimerKeysTest.Parts> {

  record Parts(long timeMs, int queue, TimerKeys.Kind kind, long birthOrHash) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.TIMER;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "0f 0000018bcfe56800 00000001 01 0000080000000002",
        new Parts(1_700_000_000_000L, 1, TimerKeys.Kind.TIME_TO_LIVE, (1L << 43) + 2),
        "0f 7fffffffffffffff 7fffffff 06 ffffffffffffffff",
        new Parts(Long.MAX_VALUE, Integer.MAX_VALUE, TimerKeys.Kind.DEAD_RETENTION, -1));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(
        samples.number(),
        samples.integer(),
        TimerKeys.Kind.values()[samples.below(6)],
        samples.flag() ? samples.number() : -1 - samples.number());
  }

  @Override
  byte[] key(Parts parts) {
    return TimerKeys.key(parts.timeMs(), parts.queue(), parts.kind(), parts.birthOrHash());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(
        TimerKeys.timeMs(key),
        TimerKeys.queue(key),
        TimerKeys.kind(key),
        TimerKeys.birthOrHash(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingLong(Parts::timeMs)
        .thenComparingInt(Parts::queue)
        .thenComparingInt(parts -> parts.kind().code())
        .thenComparing(Parts::birthOrHash, Long::compareUnsigned);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "from",
            TimerKeys.start(parts.timeMs()),
            Keyspace.TIMER.end(),
            other -> other.timeMs() >= parts.timeMs()),
        new Range<>(
            "due",
            Keyspace.TIMER.start(),
            TimerKeys.end(parts.timeMs()),
            other -> other.timeMs() <= parts.timeMs()));
  }

  @Test
  void kindCodes_areWhatIsOnDisk() {
    assertThat(Arrays.stream(TimerKeys.Kind.values()).map(kind -> kind.code() + " " + kind))
        .containsExactly(
            "1 TIME_TO_LIVE",
            "2 WAIT_DEADLINE",
            "3 UNIQUE_EXPIRY",
            "4 SIGNAL_EXPIRY",
            "5 RESULT_RETENTION",
            "6 DEAD_RETENTION");
  }

  @Test
  void kind_ofUnknownCode_isCorrupt() {
    for (String code : List.of("00", "07", "80", "ff")) {
      byte[] key = Samples.hex("0f 0000018bcfe56800 00000001 " + code + " 0000080000000002");

      assertThatThrownBy(() -> TimerKeys.kind(key))
          .hasMessageStartingWith("stored row is corrupt: keyspace=TIMER")
          .hasMessageContaining("reason=kind is not known");
    }
  }

  @Test
  void hash_ofKnownInputs_isFnv1a() {
    assertThat(TimerKeys.hash(new byte[0])).isEqualTo(0xcbf29ce484222325L);
    assertThat(TimerKeys.hash(new byte[] {'a'})).isEqualTo(0xaf63dc4c8601ec8cL);
    assertThat(TimerKeys.hash(new byte[] {'f', 'o', 'o', 'b', 'a', 'r'}))
        .isEqualTo(0x85944171f73967e8L);
  }
}
