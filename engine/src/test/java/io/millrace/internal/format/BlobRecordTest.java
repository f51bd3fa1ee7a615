package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlobRecordTest extends RecordContractTest<BlobRecord> {

  @Override
  List<Golden<BlobRecord>> golden() {
    return List.of(
        new Golden<>(
            "13 00000001 0000080000000002 00000001",
            "01 4262f7be 01026869 0204016b0176",
            new BlobRecord(new byte[] {'h', 'i'}, Map.of("k", "v"))),
        new Golden<>(
            "13 00000001 0000080000000002 00000002",
            "01 31c1d309",
            new BlobRecord(new byte[0], Map.of())));
  }

  @Override
  Row<BlobRecord> sample(Samples samples) {
    return new Row<>(
        BlobKeys.key(samples.integer(), samples.number(), samples.integer()),
        new BlobRecord(samples.bytes(600), samples.headers()));
  }

  @Override
  byte[] encode(byte[] key, BlobRecord record) {
    return record.encode(key);
  }

  @Override
  BlobRecord decode(byte[] key, byte[] value) {
    return BlobRecord.decode(key, value);
  }

  @Test
  void encode_largePayloadBetweenSmallOnes_isWrittenWhole() {
    byte[] key = BlobKeys.key(1, 2, 3);
    BlobRecord small = new BlobRecord(new byte[] {1, 2}, Map.of());
    BlobRecord large = new BlobRecord(new byte[100_000], Map.of("k", "v"));
    byte[] smallFirst = small.encode(key);

    byte[] value = large.encode(key);

    assertThat(value).hasSize(100_015);
    assertThat(BlobRecord.decode(key, value)).isEqualTo(large);
    assertThat(small.encode(key)).isEqualTo(smallFirst);
  }
}
