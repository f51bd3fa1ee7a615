package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.InboxRecord.Kept;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboxRecordTest extends RecordContractTest<InboxRecord> {

  private static final byte[] GO = {'g', 'o'};
  private static final byte[] OK = {'o', 'k'};
  private static final byte[] PAYLOAD = {'p'};

  @Override
  List<Golden<InboxRecord>> golden() {
    return List.of(
        new Golden<>(
            "0b 00000001 00 0000080000000002",
            "01 96c4664b 010502676f0170",
            new InboxRecord(List.of(new Kept(GO, PAYLOAD)))));
  }

  @Override
  Row<InboxRecord> sample(Samples samples) {
    List<Kept> signals = new ArrayList<>();
    for (int i = samples.bytes(5).length; i >= 0; i--) {
      signals.add(new Kept(samples.part(), samples.bytes(300)));
    }
    return new Row<>(
        InboxKeys.key(Math.max(1, samples.integer()), samples.number()), new InboxRecord(signals));
  }

  @Override
  byte[] encode(byte[] key, InboxRecord record) {
    return record.encode(key);
  }

  @Override
  InboxRecord decode(byte[] key, byte[] value) {
    return InboxRecord.decode(key, value);
  }

  @Test
  void first_ofTheName_isTheOldest() {
    Kept first = new Kept(GO, PAYLOAD);
    InboxRecord inbox = new InboxRecord(List.of(new Kept(OK, PAYLOAD), first, new Kept(GO, OK)));

    assertThat(inbox.first(GO)).isEqualTo(first);
    assertThat(inbox.without(first).signals())
        .containsExactly(new Kept(OK, PAYLOAD), new Kept(GO, OK));
    assertThat(inbox.first(PAYLOAD)).isNull();
  }
}
