package io.millrace.internal.read;

import static io.millrace.internal.read.StoredRows.COUNTERS;
import static io.millrace.internal.read.StoredRows.FIRST;
import static io.millrace.internal.read.StoredRows.MAIL;
import static io.millrace.internal.read.StoredRows.QUEUE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.api.VerifyReport;
import io.millrace.api.VerifyReport.Problem;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.HistoryRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.QuarantineKeys;
import io.millrace.internal.format.QuarantineRecord;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Sequences;
import io.millrace.internal.format.SignalKeys;
import io.millrace.internal.format.SignalRecord;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TableKeys;
import io.millrace.internal.format.TableRecord;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class VerifierTest {

  private static final byte[] PART = "key".getBytes(UTF_8);

  private final StoredRows rows = new StoredRows();
  private final List<String> corrupt = new ArrayList<>();
  private final StoreReader reader =
      new StoreReader(rows::store, () -> 0, key -> corrupt.add(Bytes.hex(key)), () -> {});

  @AfterEach
  void close() {
    rows.close();
  }

  @Test
  void verify_everyKindOfRow_isClean() {
    JobId job = rows.ready(3, FIRST);
    rows.ready(0, FIRST + 1);
    rows.readyAgain(3, FIRST + 2, FIRST + 30);
    rows.readyWithBlob(FIRST + 3, new byte[5_000]);
    rows.leased(3, FIRST + 4, FIRST + 40);
    rows.delayed(5_000, FIRST + 5);
    rows.blocked("key", FIRST + 6);
    rows.waiting("key", FIRST + 7);
    rows.dead(6_000, FIRST + 8, "x");
    rows.done(7_000, FIRST + 9);
    rows.agenda(5_000);
    putHistory(FIRST, 1);
    putHistory(FIRST + 8, 1);
    putHistory(FIRST + 8, 2);
    putSlot(1);
    putSignal();
    putUnique(job, UniqueRecord.UNTIL_FINISHED);
    putTimer(TimerKeys.Kind.TIME_TO_LIVE, FIRST, ReadyKeys.key(QUEUE, 3, FIRST));
    putTimer(TimerKeys.Kind.DEAD_RETENTION, FIRST + 8, DeadKeys.key(QUEUE, 6_000, FIRST + 8));
    putTimer(TimerKeys.Kind.SIGNAL_EXPIRY, TimerKeys.hash(PART), SignalKeys.key(QUEUE, PART));
    byte[] tableKey = TableKeys.key("accounts", PART);
    rows.put(tableKey, new TableRecord(PART).encode(tableKey));
    rows.put(MetaKeys.TIME, new MetaRecords.Time(5).encode());
    rows.put(MetaKeys.CLEAN_STOP, new MetaRecords.CleanStop(true).encode());
    rows.put(new byte[] {Keyspace.META.code(), 'n', 'e', 'w'}, new byte[] {1});

    VerifyReport report = reader.verify();

    assertThat(report).isEqualTo(new VerifyReport(1, 10, List.of(), 0, 0));
    assertThat(report.isClean()).isTrue();
    assertThat(corrupt).isEmpty();
  }

  @Test
  void verify_emptyQueue_isClean() {
    assertThat(reader.verify()).isEqualTo(new VerifyReport(1, 0, List.of(), 0, 0));
  }

  @Test
  void verify_moreRowsThanAChunk_areAllRead() {
    for (int i = 0; i < 2_500; i++) {
      rows.ready(i % 3, FIRST + i);
    }

    assertThat(reader.verify()).isEqualTo(new VerifyReport(1, 2_500, List.of(), 0, 0));
  }

  @Test
  void verify_queueIsBeingEmptied_isPassedOver() {
    rows.ready(0, FIRST);
    rows.putCounters(CountersRecord.empty());
    rows.put(AgendaKeys.key(4_000, QUEUE), new byte[0]);
    rows.delete(QueueKeys.key(MAIL));
    rows.putName(QUEUE, MAIL, QueueNameRecord.State.DROPPED);

    assertThat(reader.verify()).isEqualTo(new VerifyReport(0, 0, List.of(), 0, 0));
  }

  @Test
  void verify_quarantinedRows_areCountedAndNoProblem() {
    byte[] key = QuarantineKeys.key(4_000, COUNTERS);
    rows.put(key, new QuarantineRecord(new byte[] {1}, "reason").encode(key));

    VerifyReport report = reader.verify();

    assertThat(report).isEqualTo(new VerifyReport(1, 0, List.of(), 0, 1));
    assertThat(report.isClean()).isFalse();
  }

  @Test
  void verify_corruptRecord_isListedAndTold() {
    rows.dead(5_000, FIRST, "x");
    byte[] key = DeadKeys.key(QUEUE, 5_000, FIRST);
    rows.damage(key);

    assertProblems(
        problem(
            Keyspace.DEAD,
            key,
            "stored row is corrupt: keyspace=DEAD, key="
                + Bytes.hex(key)
                + ", reason=checksum does not match"),
        problem(
            Keyspace.MOVED,
            MovedKeys.key(QUEUE, FIRST),
            "the job is not where the row leads to: to=" + Bytes.hex(key)),
        differs("DEAD", 1, 0));
    assertThat(corrupt).containsExactly(Bytes.hex(key));
  }

  @Test
  void verify_corruptCountersAndMeta_areListed() {
    rows.ready(0, FIRST);
    rows.damage(COUNTERS);
    rows.damage(MetaKeys.FORMAT);

    assertThat(reader.verify().problems())
        .extracting(Problem::keyspace)
        .containsExactly("META", "COUNTERS");
    assertThat(corrupt).containsExactly(Bytes.hex(MetaKeys.FORMAT), Bytes.hex(COUNTERS));
  }

  @Test
  void verify_jobInTwoStates_isListedWhereItsIndexDoesNotLead() {
    rows.delayed(5_000, FIRST);
    rows.dead(6_000, FIRST, "x");

    byte[] dead = DeadKeys.key(QUEUE, 6_000, FIRST);
    assertProblems(
        problem(
            Keyspace.DELAYED,
            DelayedKeys.key(QUEUE, 5_000, FIRST),
            "the MOVED row leads elsewhere than to the job: to=" + Bytes.hex(dead)));
  }

  @Test
  void verify_jobWhereItWasBornAndElsewhere_isListed() {
    rows.ready(0, FIRST);
    rows.dead(6_000, FIRST, "x");

    assertProblems(
        problem(
            Keyspace.READY,
            ReadyKeys.key(QUEUE, 0, FIRST),
            "a MOVED row leads elsewhere than to the job, which is where it was born: to="
                + Bytes.hex(DeadKeys.key(QUEUE, 6_000, FIRST))));
  }

  @Test
  void verify_oneSequenceAtTwoPriorities_isListedOnce() {
    rows.ready(0, FIRST);
    rows.ready(7, FIRST);

    assertProblems(
        problem(
            Keyspace.READY,
            ReadyKeys.key(QUEUE, 7, FIRST),
            "two ready jobs have one sequence: other="
                + Bytes.hex(ReadyKeys.key(QUEUE, 0, FIRST))));
  }

  @Test
  void verify_noMovedRow_isListed() {
    rows.readyAgain(0, FIRST, FIRST + 5);
    rows.delete(MovedKeys.key(QUEUE, FIRST));

    assertProblems(
        problem(
            Keyspace.READY,
            ReadyKeys.key(QUEUE, 0, FIRST + 5),
            "no MOVED row leads to the job, which is not where it was born"));
  }

  @Test
  void verify_movedRowWithoutJob_isListed() {
    byte[] to = DeadKeys.key(QUEUE, 6_000, FIRST);
    rows.putMoved(FIRST, to);

    assertProblems(
        problem(
            Keyspace.MOVED,
            MovedKeys.key(QUEUE, FIRST),
            "the job is not where the row leads to: to=" + Bytes.hex(to)));
  }

  @Test
  void verify_leaseWithoutJob_isListed() {
    putLease(FIRST, FIRST + 9);

    assertProblems(
        problem(
            Keyspace.LEASE,
            LeaseKeys.key(QUEUE, FIRST),
            "the leased job is not at its READY key: ready="
                + Bytes.hex(ReadyKeys.key(QUEUE, 0, FIRST))));
  }

  @Test
  void verify_leaseOfAnotherJobsRecord_isListed() {
    rows.leased(0, FIRST, FIRST + 9);
    rows.readyAgain(0, FIRST + 1, FIRST + 5);
    byte[] key = LeaseKeys.key(QUEUE, FIRST);
    rows.put(key, StoredRows.lease(0, FIRST + 5, FIRST + 9).encode(key));

    assertProblems(
        problem(
            Keyspace.LEASE,
            key,
            "the leased job is not at its READY key: ready="
                + Bytes.hex(ReadyKeys.key(QUEUE, 0, FIRST + 5))));
  }

  @Test
  void verify_tokenThatCannotBe_isListed() {
    rows.leased(0, FIRST, 0);
    rows.leased(0, FIRST + 1, Sequences.first(2));
    rows.leased(0, FIRST + 2, FIRST - 1);

    assertProblems(
        token(FIRST, 0), token(FIRST + 1, Sequences.first(2)), token(FIRST + 2, FIRST - 1));
  }

  @Test
  void verify_payloadIsMissing_isListed() {
    rows.readyWithBlob(FIRST, new byte[5_000]);
    rows.delete(BlobKeys.key(QUEUE, FIRST, 1));

    assertProblems(
        problem(
            Keyspace.READY,
            ReadyKeys.key(QUEUE, 0, FIRST),
            "the job's payload is missing: blob=" + Bytes.hex(BlobKeys.key(QUEUE, FIRST, 1))));
  }

  @Test
  void verify_payloadNobodyHas_isListed() {
    rows.readyWithBlob(FIRST, new byte[5_000]);
    rows.delayed(6_000, FIRST + 1);
    putBlob(FIRST, 2, 5_000);
    putBlob(FIRST + 1, 1, 5_000);
    putBlob(FIRST + 2, 1, 5_000);

    String wrong = "the payload is not the one that its job has";
    assertProblems(
        problem(Keyspace.BLOB, BlobKeys.key(QUEUE, FIRST, 2), wrong),
        problem(Keyspace.BLOB, BlobKeys.key(QUEUE, FIRST + 1, 1), wrong),
        problem(
            Keyspace.BLOB, BlobKeys.key(QUEUE, FIRST + 2, 1), "the payload's job does not exist"));
  }

  @Test
  void verify_payloadOfAnotherLength_isListed() {
    rows.readyWithBlob(FIRST, new byte[5_000]);
    putBlob(FIRST, 1, 4_999);

    assertProblems(
        problem(
            Keyspace.BLOB,
            BlobKeys.key(QUEUE, FIRST, 1),
            "the payload is not the one that its job has"));
  }

  @Test
  void verify_statesMiscounted_areListed() {
    rows.waiting("key", FIRST);
    rows.putCounters(CountersRecord.empty());

    assertProblems(differs("WAITING", 0, 1));
  }

  @Test
  void verify_countersMissing_areThoseOfAnEmptyQueue() {
    rows.ready(4, FIRST);
    rows.delete(COUNTERS);

    assertProblems(differs("READY", 0, 1), differs("ready of priority 4", 0, 1));
  }

  @Test
  void verify_leasedJobCountedReady_isListed() {
    rows.ready(0, FIRST);
    putLease(FIRST, FIRST + 9);

    assertProblems(
        differs("READY", 1, 0), differs("LEASED", 0, 1), differs("ready of priority 0", 1, 0));
  }

  @Test
  void verify_jobBeforeTheHead_isListed() {
    rows.ready(2, FIRST);
    rows.putCounters(head(2, FIRST + 1));

    assertProblems(
        problem(
            Keyspace.COUNTERS,
            COUNTERS,
            "a ready job is before the head of its priority: priority=2, head="
                + (FIRST + 1)
                + ", lowest="
                + FIRST));
  }

  @Test
  void verify_headBelowTheFirstJob_isAllowed() {
    rows.ready(2, FIRST + 5);
    rows.putCounters(head(2, FIRST));

    assertThat(reader.verify().isClean()).isTrue();
  }

  @Test
  void verify_delayedJobBeforeTheNextTime_isListed() {
    rows.delayed(5_000, FIRST);
    rows.putCounters(nextDelayedAt(5_001));

    assertProblems(differs("nextDelayedAt", 5_001, 5_000));
  }

  @Test
  void verify_nextTimeBeforeTheFirstDelayedJob_isAllowed() {
    rows.delayed(5_000, FIRST);
    rows.putCounters(nextDelayedAt(4_000));

    assertThat(reader.verify().isClean()).isTrue();
  }

  @Test
  void verify_nextTimeWithoutDelayedJobs_isListed() {
    rows.putCounters(nextDelayedAt(5_000));

    assertProblems(differs("nextDelayedAt", 5_000, CountersRecord.NONE));
  }

  @Test
  void verify_agendaRowIsMissing_isListed() {
    rows.agenda(4_000);
    rows.delete(AgendaKeys.key(4_000, QUEUE));

    assertProblems(
        problem(
            Keyspace.COUNTERS, COUNTERS, "no AGENDA row is where the counters say: agendaAt=4000"));
  }

  @Test
  void verify_secondAgendaRow_isListed() {
    rows.agenda(4_000);
    rows.put(AgendaKeys.key(3_000, QUEUE), new byte[0]);

    assertProblems(
        problem(
            Keyspace.AGENDA,
            AgendaKeys.key(3_000, QUEUE),
            "the queue's counters name another time: agendaAt=4000"));
  }

  @Test
  void verify_slotWithoutHolders_isListed() {
    putSlot(0);

    assertProblems(
        problem(
            Keyspace.SLOT,
            SlotKeys.key(QUEUE, PART),
            "the concurrency key has a row and no holders"));
  }

  @Test
  void verify_uniqueKeyWithoutJob_isListedUnlessItIsTakenForATime() {
    JobId gone = StoredRows.job(FIRST).build().jobId(QUEUE);
    byte[] key = UniqueKeys.key(QUEUE, PART);

    putUnique(gone, UniqueRecord.FOR);
    assertThat(reader.verify().isClean()).isTrue();

    putUnique(gone, UniqueRecord.UNTIL_STARTED);
    assertProblems(
        problem(Keyspace.UNIQUE, key, "the unique key's job does not exist: job=" + gone));
  }

  @Test
  void verify_historyWithoutJob_isListed() {
    putHistory(FIRST, 1);

    assertProblems(
        problem(
            Keyspace.HISTORY,
            HistoryKeys.key(QUEUE, FIRST, 1),
            "the attempt's job does not exist"));
  }

  @Test
  void verify_timerWithoutJob_isListed() {
    putTimer(TimerKeys.Kind.TIME_TO_LIVE, FIRST, ReadyKeys.key(QUEUE, 0, FIRST));

    assertProblems(
        problem(
            Keyspace.TIMER,
            TimerKeys.key(9_000, QUEUE, TimerKeys.Kind.TIME_TO_LIVE, FIRST),
            "the timer's job does not exist"));
  }

  @Test
  void verify_timerOfAJobThatMoved_isClean() {
    rows.dead(5_000, FIRST, "x");
    putTimer(TimerKeys.Kind.TIME_TO_LIVE, FIRST, ReadyKeys.key(QUEUE, 0, FIRST));

    assertThat(reader.verify().isClean()).isTrue();
  }

  @Test
  void verify_corruptIndexRows_areListed() {
    rows.leased(0, FIRST, FIRST + 9);
    putHistory(FIRST, 1);
    putSlot(1);
    putSignal();
    rows.damage(HistoryKeys.key(QUEUE, FIRST, 1));
    rows.damage(SlotKeys.key(QUEUE, PART));
    rows.damage(SignalKeys.key(QUEUE, PART));
    rows.damage(LeaseKeys.key(QUEUE, FIRST));

    assertThat(reader.verify().problems())
        .extracting(Problem::keyspace)
        .containsExactlyInAnyOrder("LEASE", "HISTORY", "SLOT", "SIGNAL");
    assertThat(corrupt).hasSize(4);
  }

  @Test
  void verify_rowsOfAnUnknownQueue_areListedByTheFirstOfTheirKind() {
    long birth = FIRST;
    byte[] first = ReadyKeys.key(55, 0, birth);
    rows.putRecord(first, StoredRows.job(birth).build());
    rows.putRecord(ReadyKeys.key(55, 0, birth + 1), StoredRows.job(birth + 1).build());
    byte[] counters = CounterKeys.key(55);
    rows.put(counters, CountersRecord.empty().encode(counters));
    byte[] agenda = AgendaKeys.key(4_000, 55);
    rows.put(agenda, new byte[0]);

    String finding = "the rows' queue does not exist: number=55, this is the first of them";
    assertProblems(
        problem(Keyspace.AGENDA, agenda, "the row's queue does not exist: number=55"),
        problem(Keyspace.COUNTERS, counters, finding),
        problem(Keyspace.READY, first, finding));
  }

  @Test
  void verify_keysOfNoQueue_areListed() {
    byte[] tooShort = {Keyspace.READY.code(), 1, 2};
    byte[] negative = {Keyspace.LEASE.code(), (byte) 0xff, 0, 0, 0, 1};
    rows.put(tooShort, new byte[] {1});
    rows.put(negative, new byte[] {1});

    assertProblems(
        problem(Keyspace.READY, tooShort, "the key is of no queue"),
        problem(Keyspace.LEASE, negative, "the key is of no queue"));
  }

  @Test
  void verify_keysOfALengthThatNoneHas_areListed() {
    byte[] ready = {Keyspace.READY.code(), 0, 0, 0, QUEUE, 1};
    byte[] moved = {Keyspace.MOVED.code(), 0, 0, 0, QUEUE, 1};
    rows.put(ready, new byte[] {1});
    rows.put(moved, new byte[] {1});

    assertThat(reader.verify().problems())
        .extracting(Problem::key)
        .containsExactly(Bytes.hex(ready), Bytes.hex(moved));
  }

  @Test
  void verify_unknownKeyspaces_areListed() {
    rows.put(new byte[] {0x16}, new byte[] {1});
    rows.put(new byte[] {0, 5}, new byte[] {1});
    rows.put(new byte[] {(byte) 0xff, (byte) 0xff}, new byte[] {1});

    String finding = "the row is of no known keyspace";
    assertProblems(
        new Problem("UNKNOWN", "0005", finding),
        new Problem("UNKNOWN", "16", finding),
        new Problem("UNKNOWN", "ffff", finding));
  }

  @Test
  void verify_twoQueuesWithOneNumber_areListed() {
    QueueName other = QueueName.of("other");
    byte[] key = QueueKeys.key(other);
    rows.put(key, QueueRecord.selfMade(QUEUE, 1).encode(key));

    assertProblems(
        problem(Keyspace.QUEUE, key, "the queue's number is not its own: number=" + QUEUE));
  }

  @Test
  void verify_nameWithoutQueue_isListed() {
    rows.putName(8, QueueName.of("other"), QueueNameRecord.State.LIVE);

    assertProblems(
        problem(Keyspace.QUEUE_NAME, QueueNameKeys.key(8), "no QUEUE row has the number"));
  }

  @Test
  void verify_numberThatWillBeGivenAgain_isListed() {
    rows.put(MetaKeys.QUEUE_NUMBERS, new MetaRecords.QueueNumbers(QUEUE).encode());

    assertProblems(
        problem(
            Keyspace.QUEUE_NAME,
            QueueNameKeys.key(QUEUE),
            "the queue's number could be given again: next=" + QUEUE));
  }

  @Test
  void verify_moreProblemsThanAReportLists_areCounted() {
    for (int i = 0; i < 1_100; i++) {
      putHistory(FIRST + i, 1);
    }

    VerifyReport report = reader.verify();

    assertThat(report.problems()).hasSize(VerifyReport.PROBLEM_COUNT_MAX);
    assertThat(report.problemCount()).isEqualTo(1_100);
  }

  private void assertProblems(Problem... expected) {
    VerifyReport report = reader.verify();
    assertThat(report.problems()).containsExactlyInAnyOrder(expected);
    assertThat(report.problemCount()).isEqualTo(expected.length);
  }

  private static Problem problem(Keyspace keyspace, byte[] key, String finding) {
    return new Problem(keyspace.name(), Bytes.hex(key), finding);
  }

  private static Problem differs(String what, long stored, long counted) {
    return problem(
        Keyspace.COUNTERS,
        COUNTERS,
        "counters differ from a recount: what="
            + what
            + ", stored="
            + stored
            + ", counted="
            + counted);
  }

  private static Problem token(long birth, long token) {
    return problem(
        Keyspace.LEASE,
        LeaseKeys.key(QUEUE, birth),
        "the lease token is of no epoch that could have given it: token="
            + token
            + ", store's epoch=1");
  }

  private CountersRecord head(int priority, long sequence) {
    CountersRecord counters = rows.counters();
    return new CountersRecord(
        counters.states(),
        counters.totals(),
        new CountersRecord.ReadyRow[] {new CountersRecord.ReadyRow(priority, 1, sequence)},
        CountersRecord.NONE,
        CountersRecord.NONE,
        0);
  }

  private CountersRecord nextDelayedAt(long timeMs) {
    CountersRecord counters = rows.counters();
    return new CountersRecord(
        counters.states(), counters.totals(), counters.ready(), CountersRecord.NONE, timeMs, 0);
  }

  private void putLease(long birth, long token) {
    byte[] key = LeaseKeys.key(QUEUE, birth);
    rows.put(key, StoredRows.lease(0, birth, token).encode(key));
  }

  private void putBlob(long birth, int version, int lengthBytes) {
    byte[] key = BlobKeys.key(QUEUE, birth, version);
    rows.put(key, new BlobRecord(new byte[lengthBytes], Map.of()).encode(key));
  }

  private void putHistory(long birth, int attempt) {
    byte[] key = HistoryKeys.key(QUEUE, birth, attempt);
    rows.put(key, new HistoryRecord(attempt, 1, 2, "worker", "x").encode(key));
  }

  private void putSlot(int holders) {
    byte[] key = SlotKeys.key(QUEUE, PART);
    rows.put(key, new SlotRecord(holders).encode(key));
  }

  private void putSignal() {
    byte[] key = SignalKeys.key(QUEUE, PART);
    rows.put(key, new SignalRecord(PART, 9_000).encode(key));
  }

  private void putUnique(JobId job, int scope) {
    byte[] key = UniqueKeys.key(QUEUE, PART);
    rows.put(key, new UniqueRecord(job, scope, 0).encode(key));
  }

  private void putTimer(TimerKeys.Kind kind, long birthOrHash, byte[] owner) {
    byte[] key = TimerKeys.key(9_000, QUEUE, kind, birthOrHash);
    rows.put(key, new TimerRecord(owner).encode(key));
  }
}
