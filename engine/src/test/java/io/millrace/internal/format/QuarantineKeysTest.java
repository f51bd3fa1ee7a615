package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuarantineKeysTest extends KeysContractTest<QuarantineKeysTest.Parts> {

  record Parts(long timeMs, byte[] originalKey) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.QUARANTINE;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "05 0000018bcfe56800 04 00000001",
        new Parts(1_700_000_000_000L, CounterKeys.key(1)),
        "05 0000000000000000",
        new Parts(0, new byte[0]));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.number(), samples.part());
  }

  @Override
  byte[] key(Parts parts) {
    return QuarantineKeys.key(parts.timeMs(), parts.originalKey());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(QuarantineKeys.timeMs(key), QuarantineKeys.originalKey(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingLong(Parts::timeMs)
        .thenComparing(Parts::originalKey, Arrays::compareUnsigned);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "one",
            QuarantineKeys.key(parts.timeMs(), parts.originalKey()),
            Bytes.successor(QuarantineKeys.key(parts.timeMs(), parts.originalKey())),
            other ->
                other.timeMs() == parts.timeMs()
                    && Arrays.equals(other.originalKey(), parts.originalKey())));
  }

  @Override
  Tail tail() {
    return Tail.FREE;
  }

  @Test
  void key_ofLongestForeignKey_isCutToWhatEveryStoreTakes() {
    byte[] key = QuarantineKeys.key(1, new byte[600]);

    assertThat(key).hasSize(511);
    assertThat(QuarantineKeys.originalKey(key)).isEqualTo(new byte[502]);
  }
}
