package io.millrace.internal.format;

import java.util.List;

class TurnRecordTest extends RecordContractTest<TurnRecord> {

  @Override
  List<Golden<TurnRecord>> golden() {
    return List.of();
  }

  @Override
  Row<TurnRecord> sample(Samples samples) {
    return new Row<>(
        TurnKeys.key(samples.part(), 0, samples.integer()),
        new TurnRecord(samples.integer(), samples.integer()));
  }

  @Override
  byte[] encode(byte[] key, TurnRecord record) {
    return record.encode(key);
  }

  @Override
  TurnRecord decode(byte[] key, byte[] value) {
    return TurnRecord.decode(key, value);
  }
}
