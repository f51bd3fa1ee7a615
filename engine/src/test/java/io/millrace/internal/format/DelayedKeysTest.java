package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DelayedKeysTest extends KeysContractTest<DelayedKeysTest.Parts> {

  record Parts(int queue, long visibleAtMs, long birth) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.DELAYED;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "07 00000001 0000018bcfe56800 0000080000000002",
        new Parts(1, 1_700_000_000_000L, (1L << 43) + 2),
        "07 7fffffff 7fffffffffffffff 7fffffffffffffff",
        new Parts(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.number(), samples.number());
  }

  @Override
  byte[] key(Parts parts) {
    return DelayedKeys.key(parts.queue(), parts.visibleAtMs(), parts.birth());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(DelayedKeys.queue(key), DelayedKeys.visibleAtMs(key), DelayedKeys.birth(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue)
        .thenComparingLong(Parts::visibleAtMs)
        .thenComparingLong(Parts::birth);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "queue",
            Keyspace.DELAYED.queueStart(parts.queue()),
            Keyspace.DELAYED.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()));
  }

  @Test
  void key_ofNegativeParts_isRefused() {
    assertThatThrownBy(() -> DelayedKeys.key(-1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queue number is negative: value=-1");
    assertThatThrownBy(() -> DelayedKeys.key(1, -1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time is negative: value=-1");
  }
}
