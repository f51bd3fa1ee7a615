package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaitingKeysTest extends KeysContractTest<WaitingKeysTest.Parts> {

  record Parts(int queue, byte[] part, long birth) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.WAITING;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "0a 00000001 02 676f 0000080000000002",
        new Parts(1, new byte[] {'g', 'o'}, (1L << 43) + 2),
        "0a 00000001 00 0000000000000000",
        new Parts(1, new byte[0], 0));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.part(), samples.number());
  }

  @Override
  byte[] key(Parts parts) {
    return WaitingKeys.key(parts.queue(), parts.part(), parts.birth());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(WaitingKeys.queue(key), WaitingKeys.signal(key), WaitingKeys.birth(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue)
        .thenComparing(Parts::part, Samples.BY_LENGTH_THEN_BYTES)
        .thenComparingLong(Parts::birth);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "queue",
            Keyspace.WAITING.queueStart(parts.queue()),
            Keyspace.WAITING.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()),
        new Range<>(
            "signal",
            WaitingKeys.start(parts.queue(), parts.part()),
            WaitingKeys.end(parts.queue(), parts.part()),
            other -> other.queue() == parts.queue() && Arrays.equals(other.part(), parts.part())));
  }

  @Test
  void key_ofTooLongPart_isRefused() {
    assertThatThrownBy(() -> WaitingKeys.key(1, new byte[256], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("signal is too long: bytes=256, most=255");
  }
}
