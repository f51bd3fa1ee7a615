package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InboxKeysTest extends KeysContractTest<InboxKeysTest.Parts> {

  record Parts(int queue, long birth) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.SIGNAL;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "0b 00000001 00 0000080000000002",
        new Parts(1, 0x0000080000000002L),
        "0b 00000000 00 0000000000000007",
        new Parts(0, 7));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.number());
  }

  @Override
  byte[] key(Parts parts) {
    return InboxKeys.key(parts.queue(), parts.birth());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(InboxKeys.queue(key), InboxKeys.birth(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue).thenComparingLong(Parts::birth);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "queue",
            Keyspace.SIGNAL.queueStart(parts.queue()),
            Keyspace.SIGNAL.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()));
  }

  @Test
  void kinds_ofKeys_areToldApart() {
    byte[] ofJob = InboxKeys.key(1, 7);
    byte[] underWay = BroadcastKeys.key(7);
    byte[] kept = SignalKeys.key(1, new byte[8]);

    assertThat(InboxKeys.isOne(ofJob)).isTrue();
    assertThat(BroadcastKeys.isOne(ofJob)).isFalse();
    assertThat(InboxKeys.isOne(underWay)).isFalse();
    assertThat(BroadcastKeys.isOne(underWay)).isTrue();
    assertThat(InboxKeys.isLaidOutSo(kept)).isFalse();
    assertThat(InboxPayloadKeys.isOne(ofJob)).isFalse();
    assertThat(InboxPayloadKeys.isOne(SignalKeys.key(1, new byte[9]))).isFalse();
  }
}
