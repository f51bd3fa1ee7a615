package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DoneKeysTest extends KeysContractTest<DoneKeysTest.Parts> {

  record Parts(int queue, long timeMs, long birth) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.DONE;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "0d 00000001 0000018bcfe56800 0000080000000002",
        new Parts(1, 1_700_000_000_000L, (1L << 43) + 2),
        "0d 7fffffff 7fffffffffffffff 7fffffffffffffff",
        new Parts(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.number(), samples.number());
  }

  @Override
  byte[] key(Parts parts) {
    return DoneKeys.key(parts.queue(), parts.timeMs(), parts.birth());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(DoneKeys.queue(key), DoneKeys.timeMs(key), DoneKeys.birth(key));
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
            Keyspace.DONE.queueStart(parts.queue()),
            Keyspace.DONE.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()));
  }

  @Test
  void key_ofNegativeParts_isRefused() {
    assertThatThrownBy(() -> DoneKeys.key(-1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queue number is negative: value=-1");
    assertThatThrownBy(() -> DoneKeys.key(1, -1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time is negative: value=-1");
  }
}
