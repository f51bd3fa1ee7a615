package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlockedKeysTest extends KeysContractTest<BlockedKeysTest.Parts> {

  record Parts(int queue, byte[] part, int priority, long sequence) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.BLOCKED;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "08 00000001 02 6b00 7e 0000080000000002",
        new Parts(1, new byte[] {'k', 0}, 1, (1L << 43) + 2),
        "08 00000001 00 ff 0000000000000000",
        new Parts(1, new byte[0], -128, 0));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.part(), samples.priority(), samples.number());
  }

  @Override
  byte[] key(Parts parts) {
    return BlockedKeys.key(parts.queue(), parts.part(), parts.priority(), parts.sequence());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(
        BlockedKeys.queue(key),
        BlockedKeys.concurrencyKey(key),
        BlockedKeys.priority(key),
        BlockedKeys.sequence(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue)
        .thenComparing(Parts::part, Samples.BY_LENGTH_THEN_BYTES)
        .thenComparing(Parts::priority, Comparator.reverseOrder())
        .thenComparingLong(Parts::sequence);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "queue",
            Keyspace.BLOCKED.queueStart(parts.queue()),
            Keyspace.BLOCKED.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()),
        new Range<>(
            "concurrency key",
            BlockedKeys.start(parts.queue(), parts.part()),
            BlockedKeys.end(parts.queue(), parts.part()),
            other -> other.queue() == parts.queue() && Arrays.equals(other.part(), parts.part())));
  }

  @Test
  void rangeOfAKeyOfTheEngine_holdsItsJobsAndNoOthers() {
    byte[] host = {'h', 1};

    assertThat(isInRange(host, BlockedKeys.keyOfEngine(7, host, 127, 0))).isTrue();
    assertThat(isInRange(host, BlockedKeys.keyOfEngine(7, host, -128, Long.MAX_VALUE))).isTrue();
    assertThat(isInRange(host, BlockedKeys.keyOfEngine(7, new byte[] {'h', 0}, 0, 0))).isFalse();
    assertThat(isInRange(host, BlockedKeys.keyOfEngine(7, new byte[] {'h', 2}, 0, 0))).isFalse();
    assertThat(isInRange(host, BlockedKeys.keyOfEngine(7, new byte[] {'h'}, 0, 0))).isFalse();
    assertThat(isInRange(host, BlockedKeys.keyOfEngine(8, host, 0, 0))).isFalse();
    assertThat(isInRange(host, BlockedKeys.key(7, host, 0, 0))).isFalse();
  }

  private static boolean isInRange(byte[] concurrencyKey, byte[] key) {
    byte[] start = BlockedKeys.startOfEngine(7, concurrencyKey);
    byte[] end = BlockedKeys.endOfEngine(7, concurrencyKey);
    return Arrays.compareUnsigned(start, key) <= 0 && Arrays.compareUnsigned(key, end) < 0;
  }

  @Test
  void key_ofTooLongPart_isRefused() {
    assertThatThrownBy(() -> BlockedKeys.key(1, new byte[256], 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("concurrency key is too long: bytes=256, most=255");
  }
}
