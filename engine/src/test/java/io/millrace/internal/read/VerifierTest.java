package io.millrace.internal.read;

import static io.millrace.internal.read.Problems.differs;
import static io.millrace.internal.read.Problems.problem;
import static io.millrace.internal.read.StoredRows.COUNTERS;
import static io.millrace.internal.read.StoredRows.FIRST;
import static io.millrace.internal.read.StoredRows.PART;
import static io.millrace.internal.read.StoredRows.QUEUE;
import static io.millrace.internal.read.StoredRows.TIMER_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.VerifyReport;
import io.millrace.api.VerifyReport.Problem;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Sequences;
import io.millrace.internal.format.SignalKeys;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.format.TableRecord;
import io.millrace.internal.format.TableRowKeys;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.UniqueRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class VerifierTest {

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
    JobId job =
        rows.ready(
            StoredRows.job(FIRST)
                .priority(3)
                .set(JobField.EXPIRE_AT_MS, TIMER_MS)
                .set(JobField.UNIQUE_KEY, PART)
                .set(JobField.CONCURRENCY_KEY, PART)
                .set(JobField.UNIQUE_SCOPE, UniqueRecord.UNTIL_FINISHED)
                .build());
    rows.ready(0, FIRST + 1);
    rows.readyAgain(3, FIRST + 2, FIRST + 30);
    rows.readyWithBlob(FIRST + 3, new byte[5_000]);
    rows.leased(3, FIRST + 4, FIRST + 40);
    rows.delayed(5_000, FIRST + 5);
    rows.blocked("key", FIRST + 6);
    rows.waiting("key", FIRST + 7);
    rows.deadUntil(TIMER_MS, 6_000, FIRST + 8);
    rows.doneUntil(TIMER_MS, 7_000, FIRST + 9);
    rows.agenda(5_000);
    rows.putHistory(FIRST + 8, 1);
    rows.putHistory(FIRST + 8, 2);
    rows.putSlot(1, 1);
    rows.putSignal();
    rows.putUnique(job, UniqueRecord.UNTIL_FINISHED);
    rows.putTimer(TimerKeys.Kind.TIME_TO_LIVE, FIRST, ReadyKeys.key(QUEUE, 3, FIRST));
    rows.putTimer(TimerKeys.Kind.DEAD_RETENTION, FIRST + 8, DeadKeys.key(QUEUE, 6_000, FIRST + 8));
    rows.putTimer(
        TimerKeys.Kind.RESULT_RETENTION, FIRST + 9, DoneKeys.key(QUEUE, 7_000, FIRST + 9));
    rows.putTimer(TimerKeys.Kind.SIGNAL_EXPIRY, TimerKeys.hash(PART), SignalKeys.key(QUEUE, PART));
    byte[] catalogKey = TableCatalog.key("accounts");
    rows.put(catalogKey, TableCatalog.encode(catalogKey, 2));
    byte[] rowKey = TableRowKeys.key("accounts", 2, PART);
    rows.put(rowKey, new TableRecord(PART).encode(rowKey));
    rows.put(MetaKeys.TIME, new MetaRecords.Time(5, 5).encode());
    rows.put(MetaKeys.CLEAN_STOP, new MetaRecords.CleanStop(true, 0, true).encode());
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
    rows.putLease(FIRST, FIRST + 9);

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
    rows.putBlob(FIRST, 2, 5_000);
    rows.putBlob(FIRST + 1, 1, 5_000);
    rows.putBlob(FIRST + 2, 1, 5_000);

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
    rows.putBlob(FIRST, 1, 4_999);

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
    rows.noAgenda();
    rows.delete(COUNTERS);

    assertProblems(
        differs("READY", 0, 1),
        differs("ready of priority 4", 0, 1),
        problem(
            Keyspace.COUNTERS, COUNTERS, "the queue has ready or delayed jobs and no AGENDA row"));
  }

  @Test
  void verify_leasedJobCountedReady_isListed() {
    rows.ready(0, FIRST);
    rows.putLease(FIRST, FIRST + 9);

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
  void verify_slotWithoutJobs_isListed() {
    rows.putSlot(0, 0);

    assertProblems(
        problem(
            Keyspace.SLOT, SlotKeys.key(QUEUE, PART), "the concurrency key has a row and no jobs"));
  }

  @Test
  void verify_slotDiffersFromItsJobs_isListed() {
    rows.ready(StoredRows.job(FIRST).set(JobField.CONCURRENCY_KEY, PART).build());
    rows.blocked("key", FIRST + 1);
    rows.putSlot(2, 0);

    byte[] key = SlotKeys.key(QUEUE, PART);
    String differs = "the row of the concurrency key differs from a recount: what=";
    assertProblems(
        problem(Keyspace.SLOT, key, differs + "holders, stored=2, counted=1"),
        problem(Keyspace.SLOT, key, differs + "blocked, stored=0, counted=1"));
  }

  @Test
  void verify_slotMissing_isListedAndTold() {
    rows.ready(StoredRows.job(FIRST).set(JobField.CONCURRENCY_KEY, PART).build());

    byte[] key = SlotKeys.key(QUEUE, PART);
    assertProblems(
        problem(Keyspace.SLOT, key, "no row tells of the concurrency key: holders=1, blocked=0"));
    assertThat(corrupt).containsExactly(Bytes.hex(key));
  }

  @Test
  void verify_blockedThoughThereIsASlot_isListed() {
    rows.blocked("key", FIRST);
    rows.putSlot(0, 1);
    rows.putCounters(rows.counters().withPerKeyDone(1));

    assertProblems(
        problem(
            Keyspace.SLOT,
            SlotKeys.key(QUEUE, PART),
            "jobs are blocked though their concurrency key has a slot: holders=0, perKey=1,"
                + " blocked=1"));
  }

  @Test
  void verify_historyBeyondWhatIsKept_isListed() {
    rows.moved(
        JobState.DEAD,
        DeadKeys.key(QUEUE, 6_000, FIRST),
        StoredRows.job(FIRST)
            .set(JobField.ATTEMPTS, 3)
            .set(JobField.EARLIER_ATTEMPTS, 15)
            .set(JobField.DIED_AT_MS, 6_000)
            .build());
    rows.putHistory(FIRST, 2);
    rows.putHistory(FIRST, 3);
    rows.putHistory(FIRST, 18);
    rows.putHistory(FIRST, 19);

    String finding = "the attempt is not one of those that are kept: finished=18";
    assertProblems(
        problem(Keyspace.HISTORY, HistoryKeys.key(QUEUE, FIRST, 2), finding),
        problem(Keyspace.HISTORY, HistoryKeys.key(QUEUE, FIRST, 19), finding));
  }

  @Test
  void verify_historyWithoutJob_isListed() {
    rows.putHistory(FIRST, 1);

    assertProblems(
        problem(
            Keyspace.HISTORY,
            HistoryKeys.key(QUEUE, FIRST, 1),
            "the attempt's job does not exist"));
  }

  @Test
  void verify_corruptIndexRows_areListed() {
    rows.leased(0, FIRST, FIRST + 9);
    rows.putHistory(FIRST, 1);
    rows.putSlot(1, 0);
    rows.putSignal();
    rows.damage(HistoryKeys.key(QUEUE, FIRST, 1));
    rows.damage(SlotKeys.key(QUEUE, PART));
    rows.damage(SignalKeys.key(QUEUE, PART));
    rows.damage(LeaseKeys.key(QUEUE, FIRST));

    assertThat(reader.verify().problems())
        .extracting(Problem::keyspace)
        .containsExactlyInAnyOrder("LEASE", "HISTORY", "SLOT", "SIGNAL");
    assertThat(corrupt).hasSize(4);
  }

  private void assertProblems(Problem... expected) {
    VerifyReport report = reader.verify();
    assertThat(report.problems()).containsExactlyInAnyOrder(expected);
    assertThat(report.problemCount()).isEqualTo(expected.length);
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
        counters.agendaAtMs(),
        CountersRecord.NONE,
        0,
        0);
  }

  private CountersRecord nextDelayedAt(long timeMs) {
    CountersRecord counters = rows.counters();
    return new CountersRecord(
        counters.states(),
        counters.totals(),
        counters.ready(),
        counters.agendaAtMs(),
        timeMs,
        0,
        0);
  }
}
