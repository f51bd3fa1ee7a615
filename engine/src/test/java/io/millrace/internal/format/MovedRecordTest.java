package io.millrace.internal.format;

import java.util.List;

class MovedRecordTest extends RecordContractTest<MovedRecord> {

  @Override
  List<Golden<MovedRecord>> golden() {
    return List.of(
        new Golden<>(
            "12 00000001 0000080000000002",
            "01 a022c759 010e 15000000017f0000080000000009",
            new MovedRecord(ReadyKeys.key(1, 0, (1L << 43) + 9))));
  }

  @Override
  Row<MovedRecord> sample(Samples samples) {
    return new Row<>(
        MovedKeys.key(samples.integer(), samples.number()), new MovedRecord(samples.part()));
  }

  @Override
  byte[] encode(byte[] key, MovedRecord record) {
    return record.encode(key);
  }

  @Override
  MovedRecord decode(byte[] key, byte[] value) {
    return MovedRecord.decode(key, value);
  }
}
