package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlotLogKeysTest extends KeysContractTest<SlotLogKeysTest.Parts> {

  record Parts(int queue, long number) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.SLOT;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "09 00000001 00 0000000000000002",
        new Parts(1, 2),
        "09 7fffffff 00 7fffffffffffffff",
        new Parts(Integer.MAX_VALUE, Long.MAX_VALUE));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.number());
  }

  @Override
  byte[] key(Parts parts) {
    return SlotLogKeys.key(parts.queue(), parts.number());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(SlotLogKeys.queue(key), SlotLogKeys.number(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue).thenComparingLong(Parts::number);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "queue",
            Keyspace.SLOT.queueStart(parts.queue()),
            SlotLogKeys.end(parts.queue()),
            other -> other.queue() == parts.queue()));
  }

  @Test
  void end_isBeforeTheRowsOfAllKeysInUse() {
    byte[] first = SlotKeys.key(1, new byte[] {0});

    assertThat(Arrays.compareUnsigned(SlotLogKeys.end(1), first)).isNegative();
    assertThat(SlotLogKeys.isOne(first)).isFalse();
    assertThat(SlotLogKeys.isOne(SlotLogKeys.key(1, 0))).isTrue();
  }
}
