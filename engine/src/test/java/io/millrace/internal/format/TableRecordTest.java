package io.millrace.internal.format;

import java.util.List;

class TableRecordTest extends RecordContractTest<TableRecord> {

  @Override
  List<Golden<TableRecord>> golden() {
    return List.of(
        new Golden<>("14 01 74 6b", "01 13986623 0102 0001", new TableRecord(new byte[] {0, 1})),
        new Golden<>("14 01 74", "01 2bb8218f", new TableRecord(new byte[0])));
  }

  @Override
  Row<TableRecord> sample(Samples samples) {
    return new Row<>(
        TableKeys.key(samples.text(), samples.part()), new TableRecord(samples.bytes(500)));
  }

  @Override
  byte[] encode(byte[] key, TableRecord record) {
    return record.encode(key);
  }

  @Override
  TableRecord decode(byte[] key, byte[] value) {
    return TableRecord.decode(key, value);
  }
}
