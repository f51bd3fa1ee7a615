package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HistoryKeysTest extends KeysContractTest<HistoryKeysTest.Parts> {

  record Parts(int queue, long birth, int attempt) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.HISTORY;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "0e 00000001 0000080000000002 00000003",
        new Parts(1, (1L << 43) + 2, 3),
        "0e 7fffffff 7fffffffffffffff 7fffffff",
        new Parts(Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.number(), samples.integer());
  }

  @Override
  byte[] key(Parts parts) {
    return HistoryKeys.key(parts.queue(), parts.birth(), parts.attempt());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(HistoryKeys.queue(key), HistoryKeys.birth(key), HistoryKeys.attempt(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue)
        .thenComparingLong(Parts::birth)
        .thenComparingInt(Parts::attempt);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "queue",
            Keyspace.HISTORY.queueStart(parts.queue()),
            Keyspace.HISTORY.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()),
        new Range<>(
            "job",
            HistoryKeys.jobStart(parts.queue(), parts.birth()),
            HistoryKeys.jobEnd(parts.queue(), parts.birth()),
            other -> other.queue() == parts.queue() && other.birth() == parts.birth()));
  }

  @Test
  void key_ofNegativeParts_isRefused() {
    assertThatThrownBy(() -> HistoryKeys.key(-1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queue number is negative: value=-1");
    assertThatThrownBy(() -> HistoryKeys.key(1, 0, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("attempt is negative: value=-1");
  }
}
