package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.SlotLogRecord.Change;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotLogRecordTest extends RecordContractTest<SlotLogRecord> {

  private static final byte[] A = SlotKeys.key(1, new byte[] {'a'});
  private static final byte[] B = SlotKeys.key(1, new byte[] {'b'});

  @Override
  List<Golden<SlotLogRecord>> golden() {
    return List.of(
        new Golden<>(
            "09 00000001 00 0000000000000007",
            "01 a551c36a 0108 0161010001620201",
            new SlotLogRecord(
                List.of(
                    new Change(A, new SlotRecord(1, 0)), new Change(B, new SlotRecord(2, 1))))));
  }

  @Override
  Row<SlotLogRecord> sample(Samples samples) {
    int queue = samples.integer();
    SlotRecord counts = new SlotRecord(samples.integer(), samples.integer());
    return new Row<>(
        SlotLogKeys.key(queue, samples.number()),
        new SlotLogRecord(List.of(new Change(SlotKeys.key(queue, samples.part()), counts))));
  }

  @Override
  byte[] encode(byte[] key, SlotLogRecord record) {
    return SlotLogRecord.encode(key, record.changes());
  }

  @Override
  SlotLogRecord decode(byte[] key, byte[] value) {
    return SlotLogRecord.decode(key, value);
  }

  @Test
  void logged_keyOfSeveralRows_isAsTheLastOneSays() {
    SlotLogRecord first =
        new SlotLogRecord(
            List.of(new Change(A, new SlotRecord(1, 0)), new Change(B, new SlotRecord(1, 0))));
    SlotLogRecord second = new SlotLogRecord(List.of(new Change(A, SlotRecord.NOBODY)));

    assertThat(SlotLogRecord.logged(List.of(first, second)))
        .containsEntry(A, SlotRecord.NOBODY)
        .containsEntry(B, new SlotRecord(1, 0))
        .hasSize(2);
  }
}
