package io.millrace.internal.read;

import static io.millrace.internal.read.Problems.problem;
import static io.millrace.internal.read.StoredRows.COUNTERS;
import static io.millrace.internal.read.StoredRows.FIRST;
import static io.millrace.internal.read.StoredRows.MAIL;
import static io.millrace.internal.read.StoredRows.QUEUE;
import static io.millrace.internal.read.StoredRows.TIMER_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.VerifyReport;
import io.millrace.api.VerifyReport.Problem;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.QuarantineKeys;
import io.millrace.internal.format.QuarantineRecord;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.TimerKeys;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class VerifierSharedRowsTest {

  private final StoredRows rows = new StoredRows();
  private final StoreReader reader = new StoreReader(rows::store, () -> 0, key -> {}, () -> {});

  @AfterEach
  void close() {
    rows.close();
  }

  @Test
  void verify_queueIsBeingEmptied_isPassedOver() {
    rows.ready(0, FIRST);
    rows.putCounters(CountersRecord.empty());
    rows.put(AgendaKeys.key(AgendaKeys.DROPPED_MS, QUEUE), new byte[0]);
    rows.delete(QueueKeys.key(MAIL));
    rows.putName(QUEUE, MAIL, QueueNameRecord.State.DROPPED);

    assertThat(reader.verify()).isEqualTo(new VerifyReport(0, 0, List.of(), 0, 0));
  }

  @Test
  void verify_queueThatNobodyEmpties_isListed() {
    rows.delete(QueueKeys.key(MAIL));
    rows.putName(QUEUE, MAIL, QueueNameRecord.State.DROPPED);

    assertProblems(
        problem(
            Keyspace.QUEUE_NAME,
            QueueNameKeys.key(QUEUE),
            "no AGENDA row says that the deleted queue is to be emptied"));
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
  void verify_agendaRowIsMissing_isListed() {
    rows.agenda(4_000);
    rows.delete(AgendaKeys.key(4_000, QUEUE));

    assertProblems(
        problem(
            Keyspace.COUNTERS, COUNTERS, "no AGENDA row is where the counters say: agendaAt=4000"));
  }

  @Test
  void verify_queueWithJobsAndNoAgendaAtAll_isListed() {
    rows.ready(0, FIRST);
    rows.noAgenda();

    assertProblems(
        problem(
            Keyspace.COUNTERS, COUNTERS, "the queue has ready or delayed jobs and no AGENDA row"));
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
  void verify_timerWithoutJob_isListed() {
    rows.putTimer(TimerKeys.Kind.TIME_TO_LIVE, FIRST, ReadyKeys.key(QUEUE, 0, FIRST));

    assertProblems(
        problem(
            Keyspace.TIMER,
            TimerKeys.key(9_000, QUEUE, TimerKeys.Kind.TIME_TO_LIVE, FIRST),
            "the timer's job does not exist"));
  }

  @Test
  void verify_timerOfAJobThatMoved_isClean() {
    byte[] key = ReadyKeys.key(QUEUE, 0, FIRST + 30);
    rows.moved(JobState.READY, key, unstarted());
    rows.putTimer(TimerKeys.Kind.TIME_TO_LIVE, FIRST, DelayedKeys.key(QUEUE, 5_000, FIRST));

    assertThat(timerProblems()).isEmpty();
  }

  @Test
  void verify_timeToLiveOfAJobThatWasStarted_isListed() {
    rows.ready(unstarted().toBuilder().birthKind(Keyspace.READY).build());
    rows.putLease(FIRST, FIRST + 40);
    rows.putTimer(TimerKeys.Kind.TIME_TO_LIVE, FIRST, ReadyKeys.key(QUEUE, 0, FIRST));

    assertThat(timerProblems())
        .containsExactly(
            "the timer does not agree with its job: job="
                + Bytes.hex(ReadyKeys.key(QUEUE, 0, FIRST)));
  }

  @Test
  void verify_timerOfAnotherTimeThanItsJobs_isListedFromBothSides() {
    rows.deadUntil(TIMER_MS + 1, 5_000, FIRST);
    byte[] dead = DeadKeys.key(QUEUE, 5_000, FIRST);
    rows.putTimer(TimerKeys.Kind.DEAD_RETENTION, FIRST, dead);

    assertProblems(
        problem(
            Keyspace.TIMER,
            TimerKeys.key(TIMER_MS, QUEUE, TimerKeys.Kind.DEAD_RETENTION, FIRST),
            "the timer does not agree with its job: job=" + Bytes.hex(dead)),
        problem(
            Keyspace.DEAD,
            dead,
            "no TIMER row is where the job says: timer="
                + Bytes.hex(
                    TimerKeys.key(TIMER_MS + 1, QUEUE, TimerKeys.Kind.DEAD_RETENTION, FIRST))));
  }

  @Test
  void verify_retentionOfAJobThatLives_isListed() {
    rows.ready(0, FIRST);
    byte[] ready = ReadyKeys.key(QUEUE, 0, FIRST);
    rows.putTimer(TimerKeys.Kind.RESULT_RETENTION, FIRST, ready);

    assertThat(timerProblems())
        .containsExactly("the timer does not agree with its job: job=" + Bytes.hex(ready));
  }

  private static JobRecord unstarted() {
    return StoredRows.job(FIRST)
        .birthKind(Keyspace.DELAYED)
        .set(JobField.EXPIRE_AT_MS, TIMER_MS)
        .build();
  }

  private List<String> timerProblems() {
    return reader.verify().problems().stream()
        .filter(found -> found.keyspace().equals("TIMER"))
        .map(Problem::finding)
        .toList();
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
      rows.putHistory(FIRST + i, 1);
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
}
