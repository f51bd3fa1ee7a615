package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CorruptDataException;
import io.millrace.api.RateLimit;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobRecordTest extends RecordContractTest<JobRecord> {

  private static final long BIRTH = (1L << 43) + 2;
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final byte[] READY_KEY = ReadyKeys.key(1, 0, BIRTH);

  @Override
  List<Golden<JobRecord>> golden() {
    return List.of(
        new Golden<>(
            "15 00000001 7f 0000080000000002",
            "01 d7a28124 0a06018bcfe56800 0d026869",
            plain().build()),
        new Golden<>("15 00000000 7f 0000000000000000", "01 1478096a", JobRecord.builder().build()),
        new Golden<>(
            "15 00000001 80 0000080000000009",
            "01 5cede3a5 0106080000000002 030100 0401ff 0e08 016b 0176 02c3a9 00",
            JobRecord.builder()
                .birth(BIRTH)
                .birthPriority(0)
                .priority(-1)
                .payload(new Payload.Inline(new byte[0], headers()))
                .build()),
        new Golden<>(
            "08 00000001 01 63 7f 0000080000000002",
            "01 98d815de 020108 081b 01 3fe0000000000000 8094ebdc03 80e497d012 4008000000000000",
            JobRecord.builder()
                .birth(BIRTH)
                .birthKind(Keyspace.BLOCKED)
                .backoff(
                    new Backoff.Exponential(Duration.ofSeconds(1), 3.0, Duration.ofSeconds(5), 0.5))
                .build()),
        new Golden<>(
            "07 00000001 0000018bcfe56800 0000080000000002",
            "01 31c07947 020107 0813 03 0000000000000000 8094ebdc03 80e497d012",
            JobRecord.builder()
                .birth(BIRTH)
                .birthKind(Keyspace.DELAYED)
                .backoff(Backoff.list(Duration.ofSeconds(1), Duration.ofSeconds(5)))
                .build()),
        new Golden<>(
            "0c 00000001 0000018bcfe56800 0000080000000002",
            "01 23fc81ee 020107 0301fd 040105 0502012c 060102 070104"
                + " 0818 02 3fe0000000000000 8094ebdc03 8094ebdc03 80e497d012 09027530"
                + " 0a06018bcfe56800 0b06018bcfe56801 0c06018bcfe56802 0f0303d00f 1004626f6f6d"
                + " 1106018bcfe56803 1206018bcfe56804 1306018bcfe56805 14027731 1506018bcfe56806"
                + " 160107 1706018bcfe56808 1802ea60 190175 1a0103 1b06018bcfe56809 1c0163 1d0173"
                + " 1e06018bcfe5680a 1f0170 200104 2100 220101",
            full()),
        new Golden<>(
            "15 00000001 7f 0000080000000002",
            "01 cb3b52f5 0a06018bcfe56800 0d026869 230103 24026d6d 250173",
            plain()
                .maxAttempts(JobRecord.OF_QUEUE)
                .backoff(null)
                .set(JobField.TYPE, "mm")
                .checkpointed(new Payload.Inline(new byte[] {'s'}, Map.of()))
                .build()),
        new Golden<>(
            "15 00000001 7f 0000080000000002",
            "01 f762b57d 0a06018bcfe56800 0d026869 230102 2603 02d00f",
            plain().backoff(null).checkpointed(new Payload.InBlob(2, 2000, 0)).build()),
        holder(),
        tallied());
  }

  private static Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("k", "v");
    headers.put("é", "");
    return headers;
  }

  private static Golden<JobRecord> tallied() {
    return new Golden<>(
        "15 00000001 7f 0000080000000002",
        "01 d9826d34 0a06018bcfe56800 0d026869 200105 2f020102 300102",
        plain()
            .set(JobField.WAKE_REASON, JobRecord.WAKE_TALLIED)
            .set(JobField.TALLY, 0x0102L)
            .set(JobField.TALLY_CONDITION, 2)
            .build());
  }

  private static Golden<JobRecord> holder() {
    return new Golden<>(
        "07 00000001 0000018bcfe56800 0000080000000002",
        "01 d0f31b83 0a06018bcfe56800 0d026869 1c0163 230103 2d0101 2e07 14 e807 05 02 7272",
        plain()
            .maxAttempts(JobRecord.OF_QUEUE)
            .backoff(null)
            .set(JobField.CONCURRENCY_KEY, new byte[] {'c'})
            .set(JobField.HOLDS_SLOT, true)
            .set(
                JobField.ENGINE_RATE,
                new EngineRate("rr".getBytes(UTF_8), new RateLimit(20, Duration.ofSeconds(1), 5)))
            .build());
  }

  private static JobRecordBuilder plain() {
    return JobRecord.builder()
        .birth(BIRTH)
        .enqueuedAtMs(NOW_MS)
        .payload(new Payload.Inline("hi".getBytes(UTF_8), Map.of()));
  }

  private static JobRecord full() {
    return JobRecord.builder()
        .birth(BIRTH)
        .birthKind(Keyspace.DELAYED)
        .birthPriority(-3)
        .priority(5)
        .weight(300)
        .set(JobField.ATTEMPTS, 2)
        .maxAttempts(4)
        .backoff(
            new Backoff.Linear(
                Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(5), 0.5))
        .set(JobField.LEASE_MS, 30_000)
        .enqueuedAtMs(NOW_MS)
        .readyAtMs(NOW_MS + 1)
        .set(JobField.DELAY_BASE_MS, NOW_MS + 2)
        .payload(new Payload.InBlob(3, 2000, 0))
        .set(JobField.LAST_ERROR, "boom")
        .set(JobField.FIRST_STARTED_AT_MS, NOW_MS + 3)
        .set(JobField.LAST_STARTED_AT_MS, NOW_MS + 4)
        .set(JobField.LAST_ENDED_AT_MS, NOW_MS + 5)
        .set(JobField.LAST_WORKER, "w1")
        .set(JobField.DIED_AT_MS, NOW_MS + 6)
        .set(JobField.EARLIER_ATTEMPTS, 7)
        .set(JobField.EXPIRE_AT_MS, NOW_MS + 8)
        .set(JobField.RESULT_RETENTION_MS, 60_000)
        .set(JobField.UNIQUE_KEY, new byte[] {'u'})
        .set(JobField.UNIQUE_SCOPE, UniqueRecord.FOR)
        .set(JobField.UNIQUE_UNTIL_MS, NOW_MS + 9)
        .set(JobField.CONCURRENCY_KEY, new byte[] {'c'})
        .set(JobField.SIGNAL, new byte[] {'s'})
        .set(JobField.WAIT_TIMER_MS, NOW_MS + 10)
        .set(JobField.SIGNAL_PAYLOAD, new byte[] {'p'})
        .set(JobField.WAKE_REASON, JobRecord.WAKE_TIMED_OUT)
        .set(JobField.RESULT, new byte[0])
        .set(JobField.CANCEL_REQUESTED, true)
        .build();
  }

  private static EngineRate sampleRate(Samples samples) {
    Duration per = Duration.ofMillis(1 + samples.below(604_800_000));
    RateLimit limit =
        new RateLimit(1 + samples.below(1_000_000), per, 1 + samples.below(1_000_000));
    return new EngineRate(samples.part(), limit);
  }

  @Override
  Row<JobRecord> sample(Samples samples) {
    JobRecord record =
        JobRecord.builder()
            .birth(samples.number())
            .birthKind(samples.flag() ? Keyspace.READY : Keyspace.BLOCKED)
            .birthPriority(samples.priority())
            .priority(samples.priority())
            .weight(samples.integer())
            .set(JobField.ATTEMPTS, samples.integer())
            .maxAttempts(samples.flag() ? JobRecord.OF_QUEUE : samples.integer())
            .backoff(samples.flag() ? null : sampleBackoff(samples))
            .set(JobField.TYPE, samples.textOrNull())
            .checkpointed(samples.flag() ? null : sampleState(samples))
            .set(JobField.LEASE_MS, samples.number())
            .enqueuedAtMs(samples.number())
            .readyAtMs(samples.number())
            .set(JobField.DELAY_BASE_MS, samples.number())
            .payload(samplePayload(samples))
            .set(JobField.LAST_ERROR, samples.textOrNull())
            .set(JobField.FIRST_STARTED_AT_MS, samples.number())
            .set(JobField.LAST_STARTED_AT_MS, samples.number())
            .set(JobField.LAST_ENDED_AT_MS, samples.number())
            .set(JobField.LAST_WORKER, samples.textOrNull())
            .set(JobField.DIED_AT_MS, samples.number())
            .set(JobField.EARLIER_ATTEMPTS, samples.integer())
            .set(JobField.EXPIRE_AT_MS, samples.number())
            .set(JobField.RESULT_RETENTION_MS, samples.number())
            .set(JobField.UNIQUE_KEY, samples.partOrNull())
            .set(JobField.UNIQUE_SCOPE, samples.below(4))
            .set(JobField.UNIQUE_UNTIL_MS, samples.number())
            .set(JobField.CONCURRENCY_KEY, samples.partOrNull())
            .set(JobField.SIGNAL, samples.partOrNull())
            .set(JobField.WAIT_TIMER_MS, samples.number())
            .set(JobField.SIGNAL_PAYLOAD, samples.partOrNull())
            .set(JobField.WAKE_REASON, samples.below(6))
            .set(JobField.RESULT, samples.partOrNull())
            .set(JobField.CANCEL_REQUESTED, samples.flag())
            .set(JobField.INBOX_COUNT, samples.below(101))
            .set(JobField.INBOX_SLOTS, samples.below(101))
            .set(JobField.HOLDS_SLOT, samples.flag())
            .set(JobField.ENGINE_RATE, samples.flag() ? null : sampleRate(samples))
            .set(JobField.WAIT_SINCE_MS, samples.number())
            .set(JobField.WAIT_SEQUENCE, samples.number())
            .set(JobField.WAIT_STEADY_END_MS, samples.number())
            .set(JobField.TALLY, samples.number())
            .set(JobField.TALLY_CONDITION, samples.below(4))
            .build();
    return new Row<>(sampleKey(samples, record), record);
  }

  private static Payload sampleState(Samples samples) {
    return samples.flag()
        ? new Payload.InBlob(samples.integer(), samples.integer(), 0)
        : new Payload.Inline(samples.bytes(50), Map.of());
  }

  private static byte[] sampleKey(Samples samples, JobRecord job) {
    int queue = samples.integer();
    return switch (samples.below(6)) {
      case 0 -> ReadyKeys.key(queue, job.priority(), samples.number());
      case 1 -> BlockedKeys.key(queue, samples.part(), job.priority(), samples.number());
      case 2 -> DelayedKeys.key(queue, samples.number(), job.birth());
      case 3 -> WaitingKeys.key(queue, samples.part(), job.birth());
      case 4 -> DeadKeys.key(queue, samples.number(), job.birth());
      default -> DoneKeys.key(queue, samples.number(), job.birth());
    };
  }

  private static Backoff sampleBackoff(Samples samples) {
    Duration some = Duration.ofNanos(samples.number() >>> 8).plusMillis(1);
    return switch (samples.below(4)) {
      case 0 -> Backoff.DEFAULT;
      case 1 -> new Backoff.Exponential(Duration.ZERO, 1 + samples.below(99) / 7.0, some, 1.0);
      case 2 -> new Backoff.Linear(some, some, some.plusNanos(7), samples.below(100) / 100.0);
      default -> new Backoff.Custom(Collections.nCopies(1 + samples.below(100), some), 0.1);
    };
  }

  private static Payload samplePayload(Samples samples) {
    return switch (samples.below(3)) {
      case 0 -> Payload.EMPTY;
      case 1 -> new Payload.Inline(samples.bytes(1000), samples.headers());
      default -> new Payload.InBlob(samples.integer(), samples.integer(), samples.integer());
    };
  }

  @Override
  byte[] encode(byte[] key, JobRecord record) {
    return record.encode(key);
  }

  @Override
  JobRecord decode(byte[] key, byte[] value) {
    return JobRecord.decode(key, value);
  }

  @Test
  void encode_payloadInBlob_tellsTheLengthOfHeadersOnlyIfThereAreSome() {
    byte[] key = ReadyKeys.key(1, 0, BIRTH);

    String without = hexOfBlob(key, new Payload.InBlob(1, 5, 0));
    String with = hexOfBlob(key, new Payload.InBlob(1, 5, 300));

    assertThat(without).contains("0f020105");
    assertThat(with).contains("0f040105ac02");
  }

  private static String hexOfBlob(byte[] key, Payload payload) {
    JobRecord job = plain().payload(payload).build();
    byte[] value = job.encode(key);
    assertThat(JobRecord.decode(key, value).payload()).isEqualTo(payload);
    return Bytes.hex(value);
  }

  /** Whatever the table has: a field that is new is tried as all others are. */
  @Test
  void fields_ofTheTable_eachAlone_areKeptAndCopiedAndTellRecordsApart() {
    Map<String, String> contents =
        Map.of(
            "number",
            "7b",
            "flag",
            "01",
            "text",
            "c3a9",
            "bytes",
            "00ff",
            "blob",
            "03d00f",
            "rate",
            "14e80705027272");
    JobRecord without = JobRecord.decode(READY_KEY, sealed(READY_KEY, new byte[0]));

    assertThat(JobField.all())
        .allSatisfy(
            field -> {
              String content = contents.get(field.onPage().replaceFirst(" .*", ""));
              String start = String.format("%02x%02x", field.tag(), content.length() / 2);
              byte[] value = sealed(READY_KEY, Samples.hex(start + content));

              JobRecord with = JobRecord.decode(READY_KEY, value);

              assertThat(with.encode(READY_KEY)).isEqualTo(value);
              assertThat(with.toBuilder().build()).isEqualTo(with).isNotEqualTo(without);
              assertThat(with.toBuilder().set(field, null).build()).isEqualTo(without);
              assertThat(with.encode(READY_KEY)).isEqualTo(value);
            });
  }

  @Test
  void toBuilder_changedPriority_keepsTheId() {
    JobRecord job = plain().priority(3).build();

    JobRecord changed = job.toBuilder().priority(9).set(JobField.ATTEMPTS, 1).build();

    assertThat(changed.priority()).isEqualTo(9);
    assertThat(changed.birthPriority()).isEqualTo(3);
    assertThat(changed.jobId(1)).isEqualTo(job.jobId(1));
    assertThat(changed.readyAtMs()).isEqualTo(NOW_MS);
    assertThat(job.priority()).isEqualTo(3);
  }

  @Test
  void attempts_afterBuild_areRefusedAndTheRecordIsAsBuilt() {
    JobRecordBuilder builder = plain();
    JobRecord record = builder.build();

    assertThatThrownBy(() -> builder.set(JobField.ATTEMPTS, 5))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("builder has built its record");

    assertThat(record.attempts()).isZero();
  }

  @Test
  void encode_underKeyOfAnotherJob_isRefused() {
    JobRecord job = plain().build();
    List<byte[]> foreign =
        List.of(
            ReadyKeys.key(1, 1, BIRTH),
            BlockedKeys.key(1, new byte[1], -1, BIRTH),
            DelayedKeys.key(1, NOW_MS, BIRTH + 1),
            WaitingKeys.key(1, new byte[1], BIRTH + 1),
            DeadKeys.key(1, NOW_MS, BIRTH + 1),
            DoneKeys.key(1, NOW_MS, BIRTH + 1));
    for (byte[] key : foreign) {
      assertThatThrownBy(() -> job.encode(key))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("record and key do not agree: record=" + job);
    }
    assertThatThrownBy(() -> job.encode(LeaseKeys.key(1, BIRTH)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a key of a job's record");
  }

  @Test
  void decode_fieldsThatNoJobHas_isCorruptWithReason() {
    assertReason("040101", "record and key do not agree: record=");
    assertReason("020106", "no job is born there: keyspace=LEASE");
    assertReason("020100", "keyspace code is not known: code=0");
    assertReason("0d0101 0f020101", "payload is both in the record and in a blob");
    assertReason("0e04 016b00 01", "length is out of bounds: tag=14, length=1");
    assertReason("0e06 016b00 016b00", "header is there twice");
    assertReason("0801 01", "field is too short: tag=8");
    assertReason("0809 04 0000000000000000", "backoff kind is not known: code=4");
    assertReason("0809 03 0000000000000000", "number of delays is out of range: value=0");
    assertReason("080b 02 7ff8000000000000 000000", "field is too short: tag=8");
    assertReason("080c 02 7ff8000000000000 000000", "jitter is out of range: value=NaN");
  }

  @Test
  void decode_moreHeadersThanAJobMayHave_isCorrupt() {
    StringBuilder fields = new StringBuilder("0e 8402");
    IntStream.range(0, 65)
        .forEach(i -> fields.append(String.format("02%04x00", 0x4141 + i % 50 + i / 50 * 256)));

    assertReason(fields.toString(), "more than 64 headers");
  }

  @Test
  void decode_moreDelaysThanABackoffMayHave_isCorrupt() {
    assertReason("086e 03 0000000000000000" + "01".repeat(101), "more than 100 delays");
  }

  @Test
  void decode_negativeSequenceInKey_isCorrupt() {
    byte[] key = Samples.hex("15 00000001 7f 8000000000000000");

    assertThatThrownBy(() -> JobRecord.decode(key, sealed(key, new byte[0])))
        .isInstanceOf(CorruptDataException.class)
        .hasMessage(
            "stored row is corrupt: keyspace=READY, key=15000000017f8000000000000000,"
                + " reason=sequence is negative: value=-9223372036854775808");
  }

  @Test
  void build_valuesOutOfRange_isRefused() {
    assertThatThrownBy(() -> plain().birth(-1).build())
        .hasMessage("sequence is negative: value=-1");
    assertThatThrownBy(() -> plain().priority(128).build())
        .hasMessage("priority is out of range: value=128, least=-128, most=127");
    assertThatThrownBy(() -> plain().birthKind(Keyspace.DEAD).build())
        .hasMessage("no job is born there: keyspace=DEAD");
  }

  @Test
  void encode_negativeField_isRefused() {
    JobRecord job = plain().weight(-1).build();

    assertThatThrownBy(() -> job.encode(READY_KEY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("field is negative: tag=5, value=-1");
  }

  @Test
  void memoryBytes_ofLargerRecords_grows() {
    JobRecord small = plain().build();
    JobRecord large =
        plain()
            .payload(new Payload.Inline(new byte[1000], Map.of("k", "v")))
            .set(JobField.LAST_ERROR, "e".repeat(100))
            .build();

    assertThat(small.memoryBytes()).isBetween(300, 600);
    assertThat(large.memoryBytes()).isBetween(1500, 2000);
  }

  @Test
  void toString_ofAnyJob_hasNoPayload() {
    assertThat(plain().build())
        .hasToString("JobRecord[birth=8796093022210, birthKind=READY, priority=0, attempts=0/3]");
  }

  private static void assertReason(String fields, String reason) {
    byte[] value = sealed(READY_KEY, Samples.hex(fields));

    assertThatThrownBy(() -> JobRecord.decode(READY_KEY, value))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageStartingWith(
            "stored row is corrupt: keyspace=READY, key=15000000017f0000080000000002, reason="
                + reason);
  }
}
