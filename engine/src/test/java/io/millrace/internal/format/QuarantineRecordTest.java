package io.millrace.internal.format;

import java.util.List;

class QuarantineRecordTest extends RecordContractTest<QuarantineRecord> {

  @Override
  List<Golden<QuarantineRecord>> golden() {
    return List.of(
        new Golden<>(
            "05 0000018bcfe56800 04 00000001",
            "01 ec83dbde 0103 010203 0203626164",
            new QuarantineRecord(new byte[] {1, 2, 3}, "bad")),
        new Golden<>("05 0000018bcfe56800", "01 0081e858", new QuarantineRecord(new byte[0], "")));
  }

  @Override
  Row<QuarantineRecord> sample(Samples samples) {
    return new Row<>(
        QuarantineKeys.key(samples.number(), samples.part()),
        new QuarantineRecord(samples.bytes(500), samples.text()));
  }

  @Override
  byte[] encode(byte[] key, QuarantineRecord record) {
    return record.encode(key);
  }

  @Override
  QuarantineRecord decode(byte[] key, byte[] value) {
    return QuarantineRecord.decode(key, value);
  }
}
