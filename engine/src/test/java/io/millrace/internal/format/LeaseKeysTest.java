package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeaseKeysTest extends KeysContractTest<LeaseKeysTest.Parts> {

  record Parts(int queue, long birth) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.LEASE;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "06 00000102 0000080000000003",
        new Parts(258, (1L << 43) + 3),
        "06 7fffffff 7fffffffffffffff",
        new Parts(Integer.MAX_VALUE, Long.MAX_VALUE));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.number());
  }

  @Override
  byte[] key(Parts parts) {
    return LeaseKeys.key(parts.queue(), parts.birth());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(LeaseKeys.queue(key), LeaseKeys.birth(key));
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
            Keyspace.LEASE.queueStart(parts.queue()),
            Keyspace.LEASE.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()));
  }

  @Test
  void key_ofNegativeParts_isRefused() {
    assertThatThrownBy(() -> LeaseKeys.key(-1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queue number is negative: value=-1");
    assertThatThrownBy(() -> LeaseKeys.key(1, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sequence is negative: value=-1");
  }
}
