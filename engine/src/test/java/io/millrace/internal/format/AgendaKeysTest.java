package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgendaKeysTest extends KeysContractTest<AgendaKeysTest.Parts> {

  record Parts(long timeMs, int queue) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.AGENDA;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "10 0000018bcfe56800 00000001",
        new Parts(1_700_000_000_000L, 1),
        "10 7fffffffffffffff 7fffffff",
        new Parts(Long.MAX_VALUE, Integer.MAX_VALUE));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.number(), samples.integer());
  }

  @Override
  byte[] key(Parts parts) {
    return AgendaKeys.key(parts.timeMs(), parts.queue());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(AgendaKeys.timeMs(key), AgendaKeys.queue(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingLong(Parts::timeMs).thenComparingInt(Parts::queue);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "from",
            AgendaKeys.start(parts.timeMs()),
            Keyspace.AGENDA.end(),
            other -> other.timeMs() >= parts.timeMs()),
        new Range<>(
            "due",
            Keyspace.AGENDA.start(),
            AgendaKeys.end(parts.timeMs()),
            other -> other.timeMs() <= parts.timeMs()));
  }

  @Test
  void key_ofNegativeParts_isRefused() {
    assertThatThrownBy(() -> AgendaKeys.key(0, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queue number is negative: value=-1");
    assertThatThrownBy(() -> AgendaKeys.key(-1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time is negative: value=-1");
  }
}
