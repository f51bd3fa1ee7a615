package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.UniqueKey;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Starts of batches: all of it is there, with the options that each job was given, or nothing. */
class BatchTrapsTest extends BatchTrapTest {

  private static final UniqueKey KEY = UniqueKey.of("welcome:ada");

  private static List<BatchStats> listed(EngineHarness harness) {
    return harness.queues().batches().list(PageRequest.first(1_000)).items();
  }

  /** Nothing is there of a batch that was refused. */
  private static void assertNothing(EngineHarness harness) {
    assertThat(listed(harness)).isEmpty();
    assertThat(peek(after(harness), JobState.WAITING)).isEmpty();
    assertThat(peek(after(harness), JobState.READY)).isEmpty();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void start_jobsOfSeveralQueuesAndTypes_areThereInTheirOrderWithTheirOptions(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobType<String> letter = JobType.of("letter", Codec.TEXT);
    QueueName tenant = new QueueName("mail", "acme");
    Instant startedAt = harness.queues().now();

    BatchId id =
        begin(
            harness,
            watched("a")
                .add(MAIL, job("b", PLAIN.priority(9)))
                .add(MAIL, job("c"))
                .add(OTHER, job("d", PLAIN.delay(ofMinutes(1))))
                .add(OTHER, job("e", PLAIN.concurrencyKey("k")))
                .add(OTHER, job("f", PLAIN.concurrencyKey("k")))
                .add(tenant, job("g"))
                .add(letter, "h", options -> options.header("x", "y").maxAttempts(3)));

    BatchStats stats = stats(harness, id);
    assertThat(figures(stats)).isEqualTo("left=8 not over");
    assertThat(stats.total()).isEqualTo(8);
    assertThat(stats.name()).isEqualTo("watched");
    assertThat(stats.isSealed()).isTrue();
    assertThat(stats.isCancelled()).isFalse();
    assertThat(stats.startedAt()).isEqualTo(startedAt);
    assertThat(stats.endedAt()).isEmpty();
    assertThat(stats.retention()).isEqualTo(Batch.RETENTION_DEFAULT);
    assertThat(listed(harness)).containsExactly(stats);
    assertThat(jobs(harness, id)).hasSize(8);
    JobQueue other = harness.queues().queue(OTHER);
    assertThat(peek(other, JobState.DELAYED)).containsExactly("d");
    assertThat(peek(other, JobState.READY)).containsExactly("e");
    assertThat(peek(other, JobState.BLOCKED)).containsExactly("f");
    assertThat(payloads(claim(harness.queues().queue(tenant), 9))).containsExactly("g");
    Lease typed = claim(harness.queues().queue("letter"));
    assertThat(typed.payload(letter)).isEqualTo("h");
    assertThat(typed.maxAttempts()).isEqualTo(3);
    assertThat(typed.headers()).containsEntry("x", "y");
    assertThat(typed.batch()).hasValue(id);
    assertThat(job(harness.queues(), typed.jobId()).batch()).hasValue(id);
    assertThat(payloads(claim(mail(harness), 9))).containsExactly("b", "a", "c");
    assertNothingAfter(harness);
    assertClean(harness);
    harness.crash();
    assertFigures(harness, id, "left=8 not over");
    assertThat(jobs(harness, id)).hasSize(8);
    assertClean(harness);
  }

  @Test
  void start_ofMostJobs_countsThemAllAndGoesOnWithTheLast() {
    EngineHarness harness = start(StoreKind.LMDB);
    Batch batch = watched();
    for (int i = 0; i < Limits.CALL_JOB_COUNT_MAX - 3; i++) {
      batch.add(MAIL, job("" + i));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.add(MAIL, job("one more")))
        .withMessageContaining("most=10000");

    BatchId id = begin(harness, batch);

    assertFigures(harness, id, "left=9997 not over");
    List<Lease> leases = claim(mail(harness), 9_996);
    assertThat(payloads(leases))
        .isEqualTo(IntStream.range(0, 9_996).mapToObj(i -> "" + i).toList());
    assertThat(harness.queues().completeAll(leases)).allMatch(result -> result.isDone());
    assertFigures(harness, id, "left=1 succeeded=9996 not over");
    assertNothingAfter(harness);
    completeAll(harness, mail(harness), 1);
    assertAllSucceeded(harness);
    assertFigures(harness, id, "succeeded=9997 over");
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void start_ofNoJobs_isOverAtOnce(StoreKind kind) {
    EngineHarness harness = start(kind);

    BatchId id = begin(harness, watched());

    assertAllSucceeded(harness);
    assertFigures(harness, id, "over");
    assertThat(stats(harness, id).hasSucceeded()).isTrue();
    assertThat(stats(harness, id).endedAt()).hasValue(stats(harness, id).startedAt());
    assertThat(claim(after(harness), 9))
        .hasSize(2)
        .allSatisfy(lease -> assertThat(lease.batch()).isEmpty());
    harness.crash();
    assertFigures(harness, id, "over");
    assertClean(harness);
  }

  /** The jobs that are to come after a batch do not make it one of more than one. */
  @Test
  void start_ofWhatComesAfterAlone_isOverWithoutIt() {
    EngineHarness harness = start(StoreKind.MEMORY);

    BatchId id = begin(harness, Batch.of("").whenAnyDied(AFTER, job(ANY_DIED)));

    assertFigures(harness, id, "over");
    assertAfter(harness, List.of(), List.of());
    assertClean(harness);
  }

  @Test
  void start_again_isAnotherBatchWithJobsOfItsOwn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Batch batch = watched("a");

    BatchId first = begin(harness, batch);
    batch.add(MAIL, job("b"));
    BatchId second = batch.start(harness.queues());

    assertThat(second).isGreaterThan(first);
    assertFigures(harness, first, "left=1 not over");
    assertFigures(harness, second, "left=2 not over");
    claim(mail(harness)).complete().orThrow();
    assertFigures(harness, first, "succeeded=1 over");
    assertFigures(harness, second, "left=2 not over");
    assertThat(listed(harness)).extracting(BatchStats::id).containsExactly(first, second);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void start_keyIsHeldByAJobOutside_isNotCountedAndTheOtherStays(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId outside = enqueue(mail(harness), "outside", PLAIN.unique(KEY));

    BatchId id = begin(harness, watched("a").add(MAIL, job("duplicate", PLAIN.unique(KEY))));

    assertFigures(harness, id, "left=1 not over");
    assertThat(stats(harness, id).total()).isEqualTo(1);
    assertThat(job(harness.queues(), outside).batch()).isEmpty();
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("outside", "a");
    claim(mail(harness)).complete().orThrow();
    assertFigures(harness, id, "left=1 not over");
    claim(mail(harness)).complete().orThrow();
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  /** A batch of which no job is taken is over like one that has none. */
  @Test
  void start_allKeysAreHeld_isOverAtOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "outside", PLAIN.unique(KEY));

    BatchId id = begin(harness, watched().add(MAIL, job("duplicate", PLAIN.unique(KEY))));

    assertFigures(harness, id, "over");
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @Test
  void start_keyTwiceInTheBatch_countsTheFirstOnly() {
    EngineHarness harness = start(StoreKind.MEMORY);

    BatchId id =
        begin(
            harness,
            watched()
                .add(MAIL, job("first", PLAIN.unique(KEY)))
                .add(MAIL, job("second", PLAIN.unique(KEY))));

    assertFigures(harness, id, "left=1 not over");
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("first");
    claim(mail(harness)).complete().orThrow();
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  /** The first is counted as cancelled, though no other call could ever see it. */
  @Test
  void start_keyReplacedWithinTheBatch_countsBothAndIsNotOver() {
    EngineHarness harness = start(StoreKind.MEMORY);

    BatchId id =
        begin(
            harness,
            watched()
                .add(MAIL, job("first", PLAIN.unique(KEY)))
                .add(MAIL, job("second", PLAIN.unique(KEY.replace()))));

    assertFigures(harness, id, "left=1 cancelled=1 not over");
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("second");
    assertNothingAfter(harness);
    claim(mail(harness)).complete().orThrow();
    assertAfter(harness, List.of(DONE), List.of());
    assertClean(harness);
  }

  @Test
  void start_replacesTheLastJobOfAnotherBatch_thatOneIsOver() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId other = begin(harness, watched().add(MAIL, job("first", PLAIN.unique(KEY))));

    BatchId id =
        begin(harness, Batch.of("new").add(MAIL, job("second", PLAIN.unique(KEY.replace()))));

    assertFigures(harness, other, "cancelled=1 over");
    assertFigures(harness, id, "left=1 not over");
    assertAfter(harness, List.of(DONE), List.of());
    assertClean(harness);
  }

  /** A duplicate of a job that is leased does not join the batch, either. */
  @Test
  void start_keyToBeReplacedIsLeased_isADuplicate() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued outside = mail(harness).enqueue(new byte[1], PLAIN.unique(KEY));
    Lease lease = claim(mail(harness));

    BatchId id = begin(harness, watched().add(MAIL, job("x", PLAIN.unique(KEY.replace()))));

    assertFigures(harness, id, "over");
    assertThat(lease.jobId()).isEqualTo(outside.jobId());
    lease.complete().orThrow();
    assertFigures(harness, id, "over");
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void start_oneQueueIsFull_nothingHappens(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue other = harness.queues().queue(OTHER);
    other.configure(settings -> settings.depthMax(2));
    Batch batch =
        watched("a").add(OTHER, job("b")).add(OTHER, job("c")).add(OTHER, job("too many"));

    assertThatThrownBy(() -> begin(harness, batch))
        .isInstanceOf(EnqueueRefusedException.class)
        .hasMessageContaining("queue=other");

    assertNothing(harness);
    assertThat(peek(other, JobState.READY)).isEmpty();
    assertThat(peek(mail(harness), JobState.READY)).isEmpty();
    harness.crash();
    assertNothing(harness);
    harness.queues().queue(OTHER).configure(settings -> settings.depthMax(3));
    assertFigures(harness, begin(harness, batch), "left=4 not over");
    assertClean(harness);
  }

  /** A key that a refused start had taken, or replaced, would be lost for ever. */
  @InProcess("a server tells in words alone why it refuses a batch")
  @Test
  void start_refusedAfterAReplacement_theReplacedJobStays() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId outside = enqueue(mail(harness), "outside", PLAIN.unique(KEY));
    assertThat(harness.queues().queue(OTHER).drain(Duration.ZERO)).isNotNull();
    Batch batch =
        watched().add(MAIL, job("new", PLAIN.unique(KEY.replace()))).add(OTHER, job("refused"));

    assertThatThrownBy(() -> begin(harness, batch))
        .isInstanceOfSatisfying(
            EnqueueRefusedException.class,
            e ->
                assertThat(e.results())
                    .filteredOn(EnqueueResult.Draining.class::isInstance)
                    .containsExactly(new EnqueueResult.Draining(OTHER)));

    assertNothing(harness);
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("outside");
    assertThat(mail(harness).enqueue(new byte[1], PLAIN.unique(KEY)))
        .isEqualTo(Enqueued.duplicateOf(outside));
    harness.queues().queue(OTHER).endDrain();
    BatchId id = begin(harness, batch);
    assertFigures(harness, id, "left=2 not over");
    assertClean(harness);
  }

  @Test
  void start_queueOfWhatComesAfterIsDrained_nothingHappens() {
    EngineHarness harness = start(StoreKind.MEMORY);
    assertThat(after(harness).drain(Duration.ZERO)).isNotNull();

    assertThatThrownBy(() -> begin(harness, watched("a")))
        .isInstanceOf(EnqueueRefusedException.class);

    assertNothing(harness);
    assertThat(peek(mail(harness), JobState.READY)).isEmpty();
  }

  private static Arguments bad(String message, Consumer<Batch> act) {
    return Arguments.of(message, act);
  }

  static List<Arguments> additionsThatAreRefused() {
    List<Arguments> bad = new ArrayList<>();
    bad.add(bad("batch=", batch -> batch.add(MAIL, job("x", in(new BatchId(7))))));
    bad.add(bad("name=unique", batch -> batch.whenDone(AFTER, job("x", PLAIN.unique("k")))));
    bad.add(
        bad("name=delay", batch -> batch.whenAnyDied(AFTER, job("x", PLAIN.delay(ofMinutes(1))))));
    bad.add(
        bad(
            "name=timeToLive",
            batch -> batch.whenAllSucceeded(AFTER, job("x", PLAIN.timeToLive(ofMinutes(1))))));
    bad.add(
        bad(
            "name=visibleAt",
            batch -> batch.whenDone(AFTER, job("x", PLAIN.visibleAt(Instant.EPOCH)))));
    bad.add(
        bad(
            "length of all payloads and headers in bytes",
            batch -> {
              batch.add(MAIL, NewJob.of(new byte[16 << 20]));
              batch.add(MAIL, NewJob.of(new byte[16 << 20]));
            }));
    bad.add(
        bad(
            "payload length in bytes",
            batch -> batch.add(MAIL, NewJob.of(new byte[(16 << 20) + 1]))));
    bad.add(bad("retention is out of range", batch -> batch.retention(Duration.ofMillis(-1))));
    bad.add(
        bad("retention is out of range", batch -> batch.retention(Limits.DELAY_MAX.plusMillis(1))));
    return bad;
  }

  @ParameterizedTest
  @MethodSource("additionsThatAreRefused")
  void addition_outOfRange_isRefusedAndTheBatchStaysAsItWas(String message, Consumer<Batch> act) {
    EngineHarness harness = start(StoreKind.MEMORY);
    Batch batch = Batch.of("b").add(MAIL, job("a"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> act.accept(batch))
        .withMessageContaining(message);

    assertThat(batch.following()).isEmpty();
    assertThat(batch.retention()).isEqualTo(Batch.RETENTION_DEFAULT);
    assertThat(batch.jobs().get(0).job().payload()).isEqualTo("a".getBytes(UTF_8));
    BatchId id = begin(harness, batch);
    assertThat(stats(harness, id).left()).isEqualTo(batch.jobs().size());
    assertClean(harness);
  }

  @Test
  void follower_secondOfItsKind_isRefusedAndTheFirstStays() {
    Batch batch = watched();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.whenDone(OTHER, job("x")))
        .withMessageContaining("kind=DONE");

    assertThat(batch.following().get(Batch.After.DONE).queue()).isEqualTo(AFTER);
  }

  @Test
  void name_tooLong_isRefused() {
    assertThat(Batch.of("x".repeat(200)).name()).hasSize(200);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Batch.of("ä".repeat(101)))
        .withMessageContaining("name of the batch");
  }

  @Test
  void start_mostBytes_isTaken() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Batch batch = Batch.of("large");
    batch.add(MAIL, NewJob.of(new byte[16 << 20]));
    batch.add(MAIL, NewJob.of(new byte[16 << 20]));

    BatchId id = begin(harness, batch);

    assertFigures(harness, id, "left=2 not over");
    assertThat(claim(mail(harness)).batch()).hasValue(id);
    assertClean(harness);
  }

  @Test
  void start_insideATransaction_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);

    assertThatThrownBy(
            () -> harness.queues().transact(tx -> begin(harness, watched("a"))).orThrow())
        .isInstanceOf(IllegalStateException.class);

    assertNothing(harness);
  }

  @Test
  void jobs_ofBatch_areFoundByFilterAndTellIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "outside");
    BatchId first = begin(harness, watched("a", "b"));
    BatchId second = begin(harness, Batch.of("second").add(MAIL, job("c")));

    assertThat(jobs(harness, first))
        .hasSize(2)
        .map(id -> job(harness.queues(), id))
        .extracting(Job::batch)
        .allMatch(batch -> batch.orElseThrow().equals(first));
    assertThat(jobs(harness, second)).hasSize(1);
    JobFilter filter = JobFilter.ALL.batch(first);
    assertThat(filter.texts()).isEqualTo(Map.of("batch", first.toString()));
    assertThat(JobFilter.ALL.with(filter.texts())).isEqualTo(filter);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobFilter.ALL.with(Map.of("batch", "7")))
        .withMessageContaining("batch");
    assertThat(jobs(harness, new BatchId(second.value() + 1_000))).isEmpty();
    assertThat(job(harness.queues(), waitingAfter(harness, DONE)).batch()).isEmpty();
    assertThat(job(harness.queues(), waitingAfter(harness, DONE)).waitsForBatch()).hasValue(first);
    assertThat(job(harness.queues(), jobs(harness, first).get(0)).waitsForBatch()).isEmpty();
  }
}
