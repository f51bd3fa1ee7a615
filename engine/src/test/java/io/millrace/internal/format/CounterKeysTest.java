package io.millrace.internal.format;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

class CounterKeysTest extends KeysContractTest<CounterKeysTest.Parts> {

  record Parts(int queue) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.COUNTERS;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of("04 00000001", new Parts(1), "04 7fffffff", new Parts(Integer.MAX_VALUE));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer());
  }

  @Override
  byte[] key(Parts parts) {
    return CounterKeys.key(parts.queue());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(CounterKeys.queue(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "one",
            CounterKeys.key(parts.queue()),
            Bytes.successor(CounterKeys.key(parts.queue())),
            other -> other.queue() == parts.queue()));
  }
}
