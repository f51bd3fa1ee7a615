package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadyKeysTest extends KeysContractTest<ReadyKeysTest.Parts> {

  record Parts(int queue, int priority, long sequence) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.READY;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "15 00000001 7f 0000080000000001",
        new Parts(1, 0, (1L << 43) + 1),
        "15 7fffffff 00 7fffffffffffffff",
        new Parts(Integer.MAX_VALUE, 127, Long.MAX_VALUE),
        "15 00000000 ff 0000000000000000",
        new Parts(0, -128, 0));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.priority(), samples.number());
  }

  @Override
  byte[] key(Parts parts) {
    return ReadyKeys.key(parts.queue(), parts.priority(), parts.sequence());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(ReadyKeys.queue(key), ReadyKeys.priority(key), ReadyKeys.sequence(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue)
        .thenComparing(Parts::priority, Comparator.reverseOrder())
        .thenComparingLong(Parts::sequence);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "queue",
            Keyspace.READY.queueStart(parts.queue()),
            Keyspace.READY.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()),
        new Range<>(
            "priority",
            ReadyKeys.key(parts.queue(), parts.priority(), 0),
            ReadyKeys.priorityEnd(parts.queue(), parts.priority()),
            other -> other.queue() == parts.queue() && other.priority() == parts.priority()));
  }

  @Test
  void key_ofNegativeParts_isRefused() {
    assertThatThrownBy(() -> ReadyKeys.key(-1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queue number is negative: value=-1");
    assertThatThrownBy(() -> ReadyKeys.key(1, 0, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sequence is negative: value=-1");
  }

  @Test
  void key_ofPriorityOutOfRange_isRefused() {
    assertThatThrownBy(() -> ReadyKeys.key(1, 128, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("priority is out of range: value=128, least=-128, most=127");
  }
}
