package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeadKeysTest extends KeysContractTest<DeadKeysTest.Parts> {

  record Parts(int queue, long timeMs, long birth) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.DEAD;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "0c 00000001 0000018bcfe56800 0000080000000002",
        new Parts(1, 1_700_000_000_000L, (1L << 43) + 2),
        "0c 7fffffff 7fffffffffffffff 7fffffffffffffff",
        new Parts(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.number(), samples.number());
  }

  @Override
  byte[] key(Parts parts) {
    return DeadKeys.key(parts.queue(), parts.timeMs(), parts.birth());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(DeadKeys.queue(key), DeadKeys.timeMs(key), DeadKeys.birth(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue)
        .thenComparingLong(Parts::timeMs)
        .thenComparingLong(Parts::birth);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "queue",
            Keyspace.DEAD.queueStart(parts.queue()),
            Keyspace.DEAD.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()));
  }

  @Test
  void key_ofNegativeParts_isRefused() {
    assertThatThrownBy(() -> DeadKeys.key(-1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queue number is negative: value=-1");
    assertThatThrownBy(() -> DeadKeys.key(1, -1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time is negative: value=-1");
  }
}
