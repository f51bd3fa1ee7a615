package io.millrace.internal.format;

import java.util.List;

class SlotRecordTest extends RecordContractTest<SlotRecord> {

  @Override
  List<Golden<SlotRecord>> golden() {
    return List.of(
        new Golden<>("09 00000001 01 63", "01 e5aa61eb 010103", new SlotRecord(3, 0)),
        new Golden<>("09 00000001 01 63", "01 c78dadcd 010101 020105", new SlotRecord(1, 5)));
  }

  @Override
  Row<SlotRecord> sample(Samples samples) {
    return new Row<>(
        SlotKeys.key(samples.integer(), samples.part()),
        new SlotRecord(samples.integer(), samples.integer()));
  }

  @Override
  byte[] encode(byte[] key, SlotRecord record) {
    return record.encode(key);
  }

  @Override
  SlotRecord decode(byte[] key, byte[] value) {
    return SlotRecord.decode(key, value);
  }
}
