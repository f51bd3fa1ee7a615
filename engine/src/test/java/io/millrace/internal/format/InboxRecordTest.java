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
  private static final byte[] KEY = InboxKeys.key(1, 7);

  @Override
  List<Golden<InboxRecord>> golden() {
    return List.of(
        new Golden<>(
            "0b 00000001 00 0000080000000002",
            "01 96c4664b 010502676f0170",
            new InboxRecord(List.of(new Kept(GO, PAYLOAD)))),
        new Golden<>(
            "0b 00000001 00 0000080000000002",
            "01 f9c9f412 010902676f0002676f0170 020203 00",
            new InboxRecord(List.of(new Kept(GO, null, 2), new Kept(GO, PAYLOAD)))));
  }

  @Override
  Row<InboxRecord> sample(Samples samples) {
    List<Kept> signals = new ArrayList<>();
    for (int i = samples.bytes(5).length; i >= 0; i--) {
      signals.add(
          samples.flag()
              ? new Kept(samples.part(), samples.bytes(300))
              : new Kept(samples.part(), null, 10 * i + samples.below(10)));
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

  @Test
  void with_payloadsOfManyLengths_givesLongOnesTheLowestFreeSlot() {
    byte[] small = new byte[InboxRecord.INSIDE_BYTES_MAX];
    byte[] large = new byte[InboxRecord.INSIDE_BYTES_MAX + 1];
    Kept second = new Kept(OK, large, 1);

    InboxRecord full =
        InboxRecord.EMPTY
            .with(new Kept(GO, large))
            .with(new Kept(GO, small))
            .with(new Kept(OK, large))
            .with(new Kept(GO, large));

    assertThat(full.signals())
        .containsExactly(
            new Kept(GO, large, 0), new Kept(GO, small), second, new Kept(GO, large, 2));
    assertThat(full.without(second).with(new Kept(OK, large)).signals().get(3)).isEqualTo(second);
  }

  @Test
  void bytes_ofLongPayloads_areNotInTheRow() {
    InboxRecord one = InboxRecord.EMPTY.with(new Kept(GO, new byte[4_096]));
    InboxRecord two = one.with(new Kept(GO, new byte[4_096]));

    assertThat(two.bytes() - one.bytes()).isEqualTo(9);
    assertThat(two.encode(KEY)).hasSize(one.encode(KEY).length + 5);
  }

  @Test
  void isKnownTo_recordSaysFewerSignalsOrSlots_isNot() {
    InboxRecord two =
        new InboxRecord(List.of(new Kept(GO, null, 3), new Kept(GO, PAYLOAD), new Kept(OK, OK)));

    assertThat(two.isKnownTo(job(3, 4))).isTrue();
    assertThat(two.isKnownTo(job(4, 5))).as("some were lost").isTrue();
    assertThat(two.isKnownTo(job(1, 4))).as("1 may be more").isTrue();
    assertThat(two.isKnownTo(job(2, 4))).isFalse();
    assertThat(two.isKnownTo(job(3, 3))).isFalse();
  }

  private static JobRecord job(int count, int slots) {
    return JobRecord.builder()
        .set(JobField.INBOX_COUNT, count)
        .set(JobField.INBOX_SLOTS, slots)
        .build();
  }

  @Test
  void inbox_ofAJobsRecord_remembersTheHighestSlotUntilNoneIsKept() {
    InboxRecord high = new InboxRecord(List.of(new Kept(GO, null, 3), new Kept(GO, null, 0)));
    InboxRecord low = new InboxRecord(List.of(new Kept(GO, null, 0)));

    JobRecord job = JobRecord.builder().inbox(high).build();
    JobRecord after = job.toBuilder().inbox(low).build();
    JobRecord none = after.toBuilder().inbox(InboxRecord.EMPTY).build();

    assertThat(job).isEqualTo(job(2, 4));
    assertThat(after).isEqualTo(job(1, 4));
    assertThat(none).isEqualTo(job(0, 0));
  }
}
