package io.millrace.internal.format;

import java.util.List;

class TimerRecordTest extends RecordContractTest<TimerRecord> {

  @Override
  List<Golden<TimerRecord>> golden() {
    return List.of(
        new Golden<>(
            "0f 0000018bcfe56800 00000001 03 af63c84c8601c8a8",
            "01 255cddaa 0107 11000000010175",
            new TimerRecord(UniqueKeys.key(1, new byte[] {'u'}))));
  }

  @Override
  Row<TimerRecord> sample(Samples samples) {
    return new Row<>(
        TimerKeys.key(samples.number(), samples.integer(), TimerKeys.Kind.UNIQUE_EXPIRY, -1),
        new TimerRecord(samples.part()));
  }

  @Override
  byte[] encode(byte[] key, TimerRecord record) {
    return record.encode(key);
  }

  @Override
  TimerRecord decode(byte[] key, byte[] value) {
    return TimerRecord.decode(key, value);
  }
}
