package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignalKeysTest extends KeysContractTest<SignalKeysTest.Parts> {

  record Parts(int queue, byte[] part) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.SIGNAL;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "0b 00000001 03 612f62",
        new Parts(1, new byte[] {'a', '/', 'b'}),
        "0b 7fffffff 00",
        new Parts(Integer.MAX_VALUE, new byte[0]));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.part());
  }

  @Override
  byte[] key(Parts parts) {
    return SignalKeys.key(parts.queue(), parts.part());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(SignalKeys.queue(key), SignalKeys.signal(key));
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
            Keyspace.SIGNAL.queueStart(parts.queue()),
            Keyspace.SIGNAL.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()));
  }

  @Test
  void key_ofTooLongPart_isRefused() {
    assertThatThrownBy(() -> SignalKeys.key(1, new byte[256]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("signal is too long: bytes=256, most=255");
  }
}
