package io.millrace.internal.format;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

class QueueNameKeysTest extends KeysContractTest<QueueNameKeysTest.Parts> {

  record Parts(int queue) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.QUEUE_NAME;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of("03 00000001", new Parts(1), "03 7fffffff", new Parts(Integer.MAX_VALUE));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer());
  }

  @Override
  byte[] key(Parts parts) {
    return QueueNameKeys.key(parts.queue());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(QueueNameKeys.queue(key));
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
            QueueNameKeys.key(parts.queue()),
            Bytes.successor(QueueNameKeys.key(parts.queue())),
            other -> other.queue() == parts.queue()));
  }
}
