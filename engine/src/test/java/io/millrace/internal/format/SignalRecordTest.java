package io.millrace.internal.format;

import java.util.List;

class SignalRecordTest extends RecordContractTest<SignalRecord> {

  @Override
  List<Golden<SignalRecord>> golden() {
    return List.of(
        new Golden<>(
            "0b 00000001 02 676f",
            "01 57a35c93 010170 0206018bcfe56800",
            new SignalRecord(new byte[] {'p'}, 1_700_000_000_000L)),
        new Golden<>(
            "0b 00000001 00 0000080000000002 63",
            "01 ed05e69f 010170",
            new SignalRecord(new byte[] {'p'}, 0)));
  }

  @Override
  Row<SignalRecord> sample(Samples samples) {
    return samples.flag()
        ? new Row<>(
            SignalKeys.key(samples.integer(), samples.part()),
            new SignalRecord(samples.bytes(300), samples.number()))
        : new Row<>(
            InboxPayloadKeys.key(
                Math.max(1, samples.integer()), samples.number(), samples.below(100)),
            new SignalRecord(samples.bytes(300), 0));
  }

  @Override
  byte[] encode(byte[] key, SignalRecord record) {
    return record.encode(key);
  }

  @Override
  SignalRecord decode(byte[] key, byte[] value) {
    return SignalRecord.decode(key, value);
  }
}
