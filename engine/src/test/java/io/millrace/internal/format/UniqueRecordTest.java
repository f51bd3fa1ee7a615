package io.millrace.internal.format;

import io.millrace.api.JobId;
import java.util.List;

class UniqueRecordTest extends RecordContractTest<UniqueRecord> {

  private static final JobId HOLDER = JobId.parse("00000001057f00000800000000020000");

  @Override
  List<Golden<UniqueRecord>> golden() {
    return List.of(
        new Golden<>(
            "11 00000001 01 75",
            "01 cc7711dd 0110 00000001057f00000800000000020000 020103 0306018bcfe56800",
            new UniqueRecord(HOLDER, UniqueRecord.FOR, 1_700_000_000_000L)),
        new Golden<>(
            "11 00000001 00",
            "01 6a10ee7b 0110 00000001057f00000800000000020000",
            new UniqueRecord(HOLDER, UniqueRecord.UNTIL_FINISHED, 0)));
  }

  @Override
  Row<UniqueRecord> sample(Samples samples) {
    return new Row<>(
        UniqueKeys.key(samples.integer(), samples.part()),
        new UniqueRecord(
            new JobId(samples.number(), -samples.number()), samples.below(4), samples.number()));
  }

  @Override
  byte[] encode(byte[] key, UniqueRecord record) {
    return record.encode(key);
  }

  @Override
  UniqueRecord decode(byte[] key, byte[] value) {
    return UniqueRecord.decode(key, value);
  }
}
