package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlotKeysTest extends KeysContractTest<SlotKeysTest.Parts> {

  record Parts(int queue, byte[] part) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.SLOT;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "09 00000001 03 612f62",
        new Parts(1, new byte[] {'a', '/', 'b'}),
        "09 7fffffff 00",
        new Parts(Integer.MAX_VALUE, new byte[0]));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.part());
  }

  @Override
  byte[] key(Parts parts) {
    return SlotKeys.key(parts.queue(), parts.part());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(SlotKeys.queue(key), SlotKeys.concurrencyKey(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue)
        .thenComparing(Parts::part, Samples.BY_LENGTH_THEN_BYTES);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "queue",
            Keyspace.SLOT.queueStart(parts.queue()),
            Keyspace.SLOT.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()));
  }

  @Test
  void logEnd_isBehindRowsOfALogAndBeforeAllKeysInUse() {
    byte[] log = Samples.hex("09 00000001 00 0000000000000007");
    byte[] least = SlotKeys.key(1, new byte[1]);

    assertThat(SlotKeys.logEnd(1)).isEqualTo(Samples.hex("09 00000001 01"));
    assertThat(List.of(log, SlotKeys.logEnd(1), least))
        .isSortedAccordingTo(Arrays::compareUnsigned);
  }

  @Test
  void isOfLog_tellsRowsOfALogByTheirLayout() {
    assertThat(SlotKeys.isOfLog(Samples.hex("09 00000001 00 0000000000000007"))).isTrue();
    assertThat(SlotKeys.isOfLog(Samples.hex("09 00000001 00 00000000000007"))).isFalse();
    assertThat(SlotKeys.isOfLog(SlotKeys.key(1, new byte[8]))).isFalse();
  }

  @Test
  void key_ofTooLongPart_isRefused() {
    assertThatThrownBy(() -> SlotKeys.key(1, new byte[256]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("concurrency key is too long: bytes=256, most=255");
  }
}
