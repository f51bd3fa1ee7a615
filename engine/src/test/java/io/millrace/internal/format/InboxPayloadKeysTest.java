package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InboxPayloadKeysTest extends KeysContractTest<InboxPayloadKeysTest.Parts> {

  record Parts(int queue, long birth, int slot) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.SIGNAL;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "0b 00000001 00 0000080000000002 00",
        new Parts(1, 0x0000080000000002L, 0),
        "0b 00000007 00 0000000000000007 63",
        new Parts(7, 7, 99));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(Math.max(1, samples.integer()), samples.number(), samples.below(100));
  }

  @Override
  byte[] key(Parts parts) {
    return InboxPayloadKeys.key(parts.queue(), parts.birth(), parts.slot());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(
        InboxPayloadKeys.queue(key), InboxPayloadKeys.birth(key), InboxPayloadKeys.slot(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue)
        .thenComparingLong(Parts::birth)
        .thenComparingInt(Parts::slot);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    byte[] inbox = InboxKeys.key(parts.queue(), parts.birth());
    return List.of(
        new Range<>(
            "job",
            inbox,
            Bytes.prefixEnd(inbox),
            other -> other.queue() == parts.queue() && other.birth() == parts.birth()));
  }

  @Test
  void keys_ofOtherLayouts_areNone() {
    byte[] key = InboxPayloadKeys.key(1, 7, 99);
    byte[] ofNoQueue = key.clone();
    ofNoQueue[4] = 0;
    byte[] ofNoSlot = key.clone();
    ofNoSlot[14] = 100;

    assertThat(InboxPayloadKeys.isOne(key)).isTrue();
    assertThat(InboxPayloadKeys.inbox(key)).isEqualTo(InboxKeys.key(1, 7));
    assertThat(RowCheck.flaw(key)).isNull();
    for (byte[] other : List.of(ofNoQueue, ofNoSlot)) {
      assertThat(InboxPayloadKeys.isOne(other)).isFalse();
      assertThat(RowCheck.flaw(other)).isNotNull();
    }
  }

  @Test
  void key_ofASlotThatIsNone_isRefused() {
    for (int slot : new int[] {-1, 100}) {
      assertThatThrownBy(() -> InboxPayloadKeys.key(1, 7, slot))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("slot of a signal's payload is none: slot=" + slot);
    }
  }
}
