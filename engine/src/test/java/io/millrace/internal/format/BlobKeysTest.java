package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlobKeysTest extends KeysContractTest<BlobKeysTest.Parts> {

  record Parts(int queue, long birth, int version) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.BLOB;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "13 00000001 0000080000000002 00000003",
        new Parts(1, (1L << 43) + 2, 3),
        "13 7fffffff 7fffffffffffffff 7fffffff",
        new Parts(Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.integer(), samples.number(), samples.integer());
  }

  @Override
  byte[] key(Parts parts) {
    return BlobKeys.key(parts.queue(), parts.birth(), parts.version());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(BlobKeys.queue(key), BlobKeys.birth(key), BlobKeys.version(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.comparingInt(Parts::queue)
        .thenComparingLong(Parts::birth)
        .thenComparingInt(Parts::version);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "queue",
            Keyspace.BLOB.queueStart(parts.queue()),
            Keyspace.BLOB.queueEnd(parts.queue()),
            other -> other.queue() == parts.queue()),
        new Range<>(
            "job",
            BlobKeys.jobStart(parts.queue(), parts.birth()),
            BlobKeys.jobEnd(parts.queue(), parts.birth()),
            other -> other.queue() == parts.queue() && other.birth() == parts.birth()));
  }

  @Test
  void key_ofNegativeParts_isRefused() {
    assertThatThrownBy(() -> BlobKeys.key(-1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queue number is negative: value=-1");
    assertThatThrownBy(() -> BlobKeys.key(1, 0, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("version is negative: value=-1");
  }
}
