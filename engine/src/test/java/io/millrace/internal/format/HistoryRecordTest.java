package io.millrace.internal.format;

import java.util.List;

class HistoryRecordTest extends RecordContractTest<HistoryRecord> {

  private static final long NOW_MS = 1_700_000_000_000L;

  @Override
  List<Golden<HistoryRecord>> golden() {
    return List.of(
        new Golden<>(
            "0e 00000001 0000080000000002 00000003",
            "01 71903b02 010103 0206018bcfe56800 0306018bcfe56801 04027731 0504626f6f6d",
            new HistoryRecord(3, NOW_MS, NOW_MS + 1, "w1", "boom")),
        new Golden<>(
            "0e 00000001 0000080000000002 00000001",
            "01 c72bbf41 010101 0500",
            new HistoryRecord(1, 0, 0, "", "")),
        new Golden<>(
            "0e 00000001 0000080000000002 00000001",
            "01 f8ddd056 010101",
            new HistoryRecord(1, 0, 0, "", null)));
  }

  @Override
  Row<HistoryRecord> sample(Samples samples) {
    return new Row<>(
        HistoryKeys.key(samples.integer(), samples.number(), samples.integer()),
        new HistoryRecord(
            samples.integer(),
            samples.number(),
            samples.number(),
            samples.text(),
            samples.textOrNull()));
  }

  @Override
  byte[] encode(byte[] key, HistoryRecord record) {
    return record.encode(key);
  }

  @Override
  HistoryRecord decode(byte[] key, byte[] value) {
    return HistoryRecord.decode(key, value);
  }
}
