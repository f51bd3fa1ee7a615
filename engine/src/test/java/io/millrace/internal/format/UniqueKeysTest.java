package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UniqueKeysTest extends KeysContractTest<UniqueKeysTest.Parts> {

  record Parts(int queue, byte[] part) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.UNIQUE;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "11 00000001 03 612f62",
        new Parts(1, new byte[] {'a', '/', 'b'}),
        "11 7fffffff 00",
        new Parts(Integer.MAX_VALUE, new byte[0]));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.part());
  }

  @Override
  byte[] key(Parts parts) {
    return UniqueKeys.key(parts.queue(), parts.part());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(UniqueKeys.queue(key), UniqueKeys.uniqueKey(key));
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
            Keyspace.UNIQUE.queueStart(parts.queue()),
            Keyspace.UNIQUE.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()));
  }

  @Test
  void key_ofTooLongPart_isRefused() {
    assertThatThrownBy(() -> UniqueKeys.key(1, new byte[256]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unique key is too long: bytes=256, most=255");
  }
}
