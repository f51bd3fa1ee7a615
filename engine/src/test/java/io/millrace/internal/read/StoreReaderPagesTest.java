package io.millrace.internal.read;

import static io.millrace.internal.read.StoredRows.FIRST;
import static io.millrace.internal.read.StoredRows.MAIL;
import static io.millrace.internal.read.StoredRows.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.api.DeadFilter;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.ReadyKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StoreReaderPagesTest {

  private final StoredRows rows = new StoredRows();
  private final List<String> corrupt = new ArrayList<>();
  private final StoreReader reader =
      new StoreReader(rows::store, () -> 0, key -> corrupt.add(Bytes.hex(key)), () -> {});

  @AfterEach
  void close() {
    rows.close();
  }

  @Test
  void peekReady_severalPriorities_areInServingOrder() {
    JobId low = rows.ready(-5, FIRST);
    JobId later = rows.ready(9, FIRST + 3);
    JobId first = rows.readyAgain(9, FIRST + 4, FIRST + 2);
    JobId middle = rows.ready(0, FIRST + 1);

    Page<Job> page = reader.peek(MAIL, JobState.READY, PageRequest.first(10));

    assertThat(ids(page)).containsExactly(first, later, middle, low);
    assertThat(page.next()).isEmpty();
  }

  @Test
  void peekReady_leasedInBetween_areLeftOut() {
    List<JobId> unleased = new ArrayList<>();
    unleased.add(rows.ready(0, FIRST));
    for (int i = 1; i < 400; i++) {
      rows.leased(0, FIRST + i, FIRST + 1_000 + i);
    }
    unleased.add(rows.ready(0, FIRST + 400));

    Page<Job> page = reader.peek(MAIL, JobState.READY, PageRequest.first(2));

    assertThat(ids(page)).isEqualTo(unleased);
    assertThat(page.items()).extracting(Job::state).containsOnly(JobState.READY);
  }

  @Test
  void peekReady_moreLeasedThanAPageLooksAt_goesOnWithTheNextPage() {
    JobId first = rows.ready(0, FIRST);
    for (int i = 1; i < 1_500; i++) {
      rows.leased(0, FIRST + i, FIRST + 2_000 + i);
    }
    JobId last = rows.ready(0, FIRST + 1_500);

    Page<Job> page = reader.peek(MAIL, JobState.READY, PageRequest.first(2));
    Page<Job> next =
        reader.peek(MAIL, JobState.READY, PageRequest.after(page.next().orElseThrow(), 2));

    assertThat(ids(page)).containsExactly(first);
    assertThat(ids(next)).containsExactly(last);
    assertThat(next.next()).isEmpty();
  }

  @Test
  void peekReady_rowsBeforeTheHead_areNotLookedAt() {
    rows.ready(0, FIRST);
    JobId head = rows.ready(0, FIRST + 1);
    rows.putCounters(withReady(new CountersRecord.ReadyRow(0, 1, FIRST + 1)));

    assertThat(ids(reader.peek(MAIL, JobState.READY, PageRequest.first(10)))).containsExactly(head);
  }

  @Test
  void peekLeased_jobs_haveTheirLeases() {
    rows.ready(0, FIRST);
    JobId first = rows.leased(3, FIRST + 1, FIRST + 11);
    JobId second = rows.leased(5, FIRST + 2, FIRST + 12);

    Page<Job> page = reader.peek(MAIL, JobState.LEASED, PageRequest.first(10));

    assertThat(ids(page)).containsExactly(first, second);
    assertThat(page.items()).extracting(Job::state).containsOnly(JobState.LEASED);
    assertThat(page.items())
        .extracting(job -> job.lease().orElseThrow().token())
        .containsExactly(FIRST + 11, FIRST + 12);
  }

  @Test
  void peekLeased_leaseWithoutItsJob_isLeftOut() {
    rows.leased(0, FIRST, FIRST + 10);
    JobId held = rows.leased(0, FIRST + 1, FIRST + 11);
    rows.delete(ReadyKeys.key(QUEUE, 0, FIRST));

    assertThat(ids(reader.peek(MAIL, JobState.LEASED, PageRequest.first(10))))
        .containsExactly(held);
  }

  @Test
  void peekDelayed_jobs_areInTheOrderOfTheirTimes() {
    JobId second = rows.delayed(9_000, FIRST);
    JobId first = rows.delayed(5_000, FIRST + 1);

    Page<Job> page = reader.peek(MAIL, JobState.DELAYED, PageRequest.first(10));

    assertThat(ids(page)).containsExactly(first, second);
    assertThat(page.items())
        .extracting(job -> job.visibleAt().orElseThrow())
        .containsExactly(Instant.ofEpochMilli(5_000), Instant.ofEpochMilli(9_000));
  }

  @Test
  void peekDelayed_beforeTheNextTime_isNotLookedAt() {
    rows.delayed(5_000, FIRST);
    JobId next = rows.delayed(9_000, FIRST + 1);
    CountersRecord counters = rows.counters();
    rows.putCounters(
        new CountersRecord(
            counters.states(),
            counters.totals(),
            counters.ready(),
            CountersRecord.NONE,
            9_000,
            0,
            0));

    assertThat(ids(reader.peek(MAIL, JobState.DELAYED, PageRequest.first(10))))
        .containsExactly(next);
  }

  @Test
  void peek_otherStates_areInTheOrderOfTheirKeys() {
    JobId blockedLater = rows.blocked("b", FIRST + 1);
    JobId blockedFirst = rows.blocked("a", FIRST + 2);
    JobId waiting = rows.waiting("signal", FIRST + 3);
    JobId deadLater = rows.dead(6_000, FIRST + 4, "x");
    JobId deadFirst = rows.dead(5_000, FIRST + 5, "x");
    JobId doneLater = rows.done(8_000, FIRST + 6);
    JobId doneFirst = rows.done(7_000, FIRST + 7);

    assertThat(all(JobState.BLOCKED, 1)).containsExactly(blockedFirst, blockedLater);
    assertThat(all(JobState.WAITING, 1)).containsExactly(waiting);
    assertThat(all(JobState.DEAD, 1)).containsExactly(deadFirst, deadLater);
    assertThat(all(JobState.DONE, 1)).containsExactly(doneFirst, doneLater);
  }

  @ParameterizedTest
  @EnumSource(JobState.class)
  void peek_stateWithoutJobs_isOneEmptyPage(JobState state) {
    assertThat(reader.peek(MAIL, state, PageRequest.first(10)))
        .isEqualTo(new Page<>(List.of(), Optional.empty()));
    assertThat(reader.peek(QueueName.of("unknown"), state, PageRequest.first(10)))
        .isEqualTo(new Page<>(List.of(), Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 60, 1_000})
  void peekReady_anyPageSize_givesEachJobOnce(int size) {
    List<JobId> expected = new ArrayList<>();
    for (int priority = 3; priority > 0; priority--) {
      for (int i = 0; i < 20; i++) {
        expected.add(rows.ready(priority, FIRST + 100 * priority + 2 * i));
        rows.leased(priority, FIRST + 100 * priority + 2 * i + 1, FIRST + 1_000 + i);
      }
    }

    assertThat(all(JobState.READY, size)).isEqualTo(expected);
  }

  @Test
  void peekReady_jobsRemovedBetweenPages_skipsAndRepeatsNone() {
    List<JobId> expected = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      expected.add(rows.ready(0, FIRST + i));
    }

    List<JobId> seen =
        gather(
            request -> {
              Page<Job> page = reader.peek(MAIL, JobState.READY, request);
              page.items().forEach(job -> rows.delete(keyOf(job)));
              return page;
            },
            5);

    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void peekReady_whereTheNextPageBeginsIsGone_goesOnBehindIt() {
    rows.ready(0, FIRST);
    JobId second = rows.ready(0, FIRST + 1);
    rows.ready(0, FIRST + 2);
    JobId last = rows.ready(0, FIRST + 3);

    Page<Job> page = reader.peek(MAIL, JobState.READY, PageRequest.first(2));
    rows.delete(ReadyKeys.key(QUEUE, 0, FIRST + 1));
    rows.delete(ReadyKeys.key(QUEUE, 0, FIRST + 2));
    Page<Job> next =
        reader.peek(MAIL, JobState.READY, PageRequest.after(page.next().orElseThrow(), 2));

    assertThat(ids(page)).endsWith(second);
    assertThat(ids(next)).containsExactly(last);
  }

  @Test
  void peek_largePayloads_endThePageEarly() {
    List<JobId> expected = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      expected.add(rows.readyWithBlob(FIRST + i, new byte[3 << 20]));
    }

    Page<Job> page = reader.peek(MAIL, JobState.READY, PageRequest.first(10));

    assertThat(ids(page)).isEqualTo(expected.subList(0, 2));
    assertThat(all(JobState.READY, 10)).isEqualTo(expected);
  }

  @Test
  void peek_onePayloadBeyondThePagesBytes_isAPage() {
    JobId first = rows.readyWithBlob(FIRST, new byte[9 << 20]);
    JobId second = rows.readyWithBlob(FIRST + 1, new byte[9 << 20]);

    assertThat(ids(reader.peek(MAIL, JobState.READY, PageRequest.first(2)))).containsExactly(first);
    assertThat(all(JobState.READY, 2)).containsExactly(first, second);
  }

  @Test
  void peek_corruptRow_isToldByItsOwnPageAndHidesNoOther() {
    JobId before = rows.ready(0, FIRST);
    rows.ready(0, FIRST + 1);
    JobId behind = rows.ready(0, FIRST + 2);
    byte[] key = ReadyKeys.key(QUEUE, 0, FIRST + 1);
    rows.damage(key);

    Page<Job> first = reader.peek(MAIL, JobState.READY, PageRequest.first(3));

    assertThat(ids(first)).containsExactly(before);
    assertThat(corrupt).isEmpty();
    PageRequest damaged = PageRequest.after(first.next().orElseThrow(), 3);
    assertThatThrownBy(() -> reader.peek(MAIL, JobState.READY, damaged))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("key=" + Bytes.hex(key))
        .hasMessageEndingWith(", go on behind it with cursor=" + Cursors.after(key));
    assertThat(corrupt).containsExactly(Bytes.hex(key));
    PageRequest rest = PageRequest.after(Cursors.after(key), 3);
    assertThat(ids(reader.peek(MAIL, JobState.READY, rest))).containsExactly(behind);
  }

  @Test
  void peek_corruptPayload_isToldByItsOwnPageAndHidesNoOther() {
    JobId before = rows.ready(0, FIRST);
    rows.readyWithBlob(FIRST + 1, new byte[10]);
    JobId behind = rows.ready(0, FIRST + 2);
    byte[] blob = BlobKeys.key(QUEUE, FIRST + 1, 1);
    rows.damage(blob);

    Page<Job> first = reader.peek(MAIL, JobState.READY, PageRequest.first(3));

    assertThat(ids(first)).containsExactly(before);
    PageRequest damaged = PageRequest.after(first.next().orElseThrow(), 3);
    String cursor = Cursors.after(ReadyKeys.key(QUEUE, 0, FIRST + 1));
    assertThatThrownBy(() -> reader.peek(MAIL, JobState.READY, damaged))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageEndingWith(", go on behind it with cursor=" + cursor);
    assertThat(ids(reader.peek(MAIL, JobState.READY, PageRequest.after(cursor, 3))))
        .containsExactly(behind);
  }

  @Test
  void peek_cursorOfAnotherQuestion_isRefused() {
    rows.putQueue(QueueName.of("other"), QueueRecord.selfMade(QUEUE + 1, 1));

    assertForeign(Cursors.at(DelayedKeys.key(QUEUE, 5_000, FIRST)));
    assertForeign(Cursors.at(LeaseKeys.key(QUEUE, FIRST)));
    assertForeign(Cursors.at(ReadyKeys.key(QUEUE + 1, 0, FIRST)));
    assertForeign("");
    assertForeign("not base64 at all");
  }

  @Test
  void peek_cursorLongerThanAnyKey_isRefusedAndCut() {
    assertThatThrownBy(() -> peekReadyAfter("A".repeat(10_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cursor is not of a page of this question: value=\"" + "A".repeat(700) + "…\"");
  }

  @Test
  void deadLetters_ofATime_endJustBeforeItsEnd() {
    rows.dead(4_999, FIRST, "x");
    JobId first = rows.dead(5_000, FIRST + 1, "x");
    JobId last = rows.dead(5_999, FIRST + 2, "x");
    rows.dead(6_000, FIRST + 3, "x");
    DeadFilter filter =
        DeadFilter.ALL
            .diedSince(Instant.ofEpochMilli(5_000))
            .diedBefore(Instant.ofEpochMilli(6_000));

    assertThat(allDead(filter, 1)).containsExactly(first, last);
  }

  @Test
  void deadLetters_boundsBetweenMilliseconds_areExact() {
    rows.dead(5_000, FIRST, "x");
    JobId within = rows.dead(5_001, FIRST + 1, "x");
    Instant since = Instant.ofEpochMilli(5_000).plusNanos(1);
    Instant before = Instant.ofEpochMilli(5_001).plusNanos(1);

    assertThat(allDead(DeadFilter.ALL.diedSince(since).diedBefore(before), 10))
        .containsExactly(within);
  }

  @Test
  void deadLetters_endBeforeTheStart_areNone() {
    rows.dead(5_000, FIRST, "x");
    DeadFilter filter =
        DeadFilter.ALL
            .diedSince(Instant.ofEpochMilli(6_000))
            .diedBefore(Instant.ofEpochMilli(4_000));

    assertThat(allDead(filter, 10)).isEmpty();
  }

  @Test
  void deadLetters_byError_containItInTheSameCase() {
    JobId match = rows.dead(5_000, FIRST, "java.io.IOException: no route");
    rows.dead(5_001, FIRST + 1, "ioexception");
    rows.moved(
        JobState.DEAD,
        DeadKeys.key(QUEUE, 5_002, FIRST + 2),
        StoredRows.job(FIRST + 2).set(JobField.DIED_AT_MS, 5_002).build());

    assertThat(allDead(DeadFilter.ALL.errorContains("IOException"), 1)).containsExactly(match);
  }

  @Test
  void deadLetters_fewMatchesAmongMany_lookAtABoundedNumberOfRows() {
    for (int i = 0; i < 1_200; i++) {
      rows.dead(5_000 + i, FIRST + i, "common");
    }
    JobId rare = rows.dead(9_000, FIRST + 2_000, "rare");
    DeadFilter filter = DeadFilter.ALL.errorContains("rare");

    Page<Job> page = reader.deadLetters(MAIL, filter, PageRequest.first(10));

    assertThat(page.items()).isEmpty();
    assertThat(page.next()).isPresent();
    assertThat(allDead(filter, 10)).containsExactly(rare);
  }

  private void assertForeign(String cursor) {
    assertThatThrownBy(() -> peekReadyAfter(cursor))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cursor is not of a page of this question: value=\"" + cursor + "\"");
  }

  private Page<Job> peekReadyAfter(String cursor) {
    return reader.peek(MAIL, JobState.READY, PageRequest.after(cursor, 1));
  }

  private CountersRecord withReady(CountersRecord.ReadyRow... ready) {
    CountersRecord counters = rows.counters();
    return new CountersRecord(
        counters.states(),
        counters.totals(),
        ready,
        CountersRecord.NONE,
        counters.nextDelayedAtMs(),
        0,
        0);
  }

  private static byte[] keyOf(Job job) {
    return ReadyKeys.key(QUEUE, job.priority(), birthOf(job));
  }

  private static long birthOf(Job job) {
    return JobAddress.of(job.id()).orElseThrow().birth();
  }

  private List<JobId> all(JobState state, int size) {
    return gather(request -> reader.peek(MAIL, state, request), size);
  }

  private List<JobId> allDead(DeadFilter filter, int size) {
    return gather(request -> reader.deadLetters(MAIL, filter, request), size);
  }

  private static List<JobId> gather(Function<PageRequest, Page<Job>> question, int size) {
    List<JobId> ids = new ArrayList<>();
    Optional<PageRequest> request = Optional.of(PageRequest.first(size));
    while (request.isPresent()) {
      Page<Job> page = question.apply(request.get());
      assertThat(page.items()).hasSizeLessThanOrEqualTo(size);
      ids.addAll(ids(page));
      request = page.next().map(cursor -> PageRequest.after(cursor, size));
    }
    return ids;
  }

  private static List<JobId> ids(Page<Job> page) {
    return page.items().stream().map(Job::id).toList();
  }
}
