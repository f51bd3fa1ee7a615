package io.millrace.model.traps;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.JobEventRecording;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.FaultyStore.Room;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Each step of a job's life is one JFR event, once it is stored, if a recording asks for it. */
class JobEventsTrapsTest extends TrapTest {

  private static final EnqueueOptions TWICE =
      EnqueueOptions.DEFAULT.maxAttempts(2).backoff(Backoff.fixed(ofSeconds(9)));

  private static final Set<String> OF_EVERY_EVENT =
      Set.of("startTime", "duration", "eventThread", "stackTrace");

  private JobEventRecording recording = JobEventRecording.ofAll();

  @AfterEach
  void endRecording() {
    recording.close();
  }

  /** A job that can be told by its type. */
  private static JobId enqueue(EngineHarness harness, String type) {
    return enqueue(mail(harness), type, TWICE.type(type));
  }

  private static Lease claimNew(EngineHarness harness, String type) {
    enqueue(harness, type);
    return claim(mail(harness));
  }

  /** What was recorded until now, of all groups that are answered. */
  private List<String> told(EngineHarness harness) {
    pokeTwice(harness);
    return told();
  }

  private List<String> told() {
    return recording.stop(folder).stream().map(JobEventsTrapsTest::text).toList();
  }

  private static String text(RecordedEvent event) {
    String start = event.getString("type") + " " + event.getInt("attempt") + " ";
    return switch (event.getEventType().getName()) {
      case "io.millrace.JobEnqueued" -> start + "enqueued";
      case "io.millrace.JobClaimed" ->
          start + "started by " + event.getString("worker") + after(event, "waited");
      case "io.millrace.JobEnded" ->
          start
              + event.getString("outcome")
              + " by "
              + event.getString("worker")
              + after(event, "ran")
              + ", now "
              + event.getString("state");
      default -> throw new AssertionError(event);
    };
  }

  private static String after(RecordedEvent event, String field) {
    return " after " + event.getDuration(field).toMillis();
  }

  @Test
  void events_namesAndFields_areThoseThatRecordingsAskFor() {
    List<String> described =
        FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .filter(type -> JobEventRecording.NAMES.contains(type.getName()))
            .map(
                type ->
                    type.getName()
                        + type.getFields().stream()
                            .filter(field -> !OF_EVERY_EVENT.contains(field.getName()))
                            .map(field -> field.getName() + ":" + field.getTypeName())
                            .sorted()
                            .toList()
                        + type.getCategoryNames())
            .sorted()
            .toList();

    assertThat(described)
        .containsExactly(
            "io.millrace.JobClaimed[attempt:int, job:java.lang.String,"
                + " queue:java.lang.String, tenant:java.lang.String,"
                + " type:java.lang.String, waited:long, worker:java.lang.String][Millrace, Jobs]",
            "io.millrace.JobEnded[attempt:int, job:java.lang.String,"
                + " outcome:java.lang.String, queue:java.lang.String, ran:long,"
                + " state:java.lang.String, tenant:java.lang.String, type:java.lang.String,"
                + " worker:java.lang.String][Millrace, Jobs]",
            "io.millrace.JobEnqueued[attempt:int, job:java.lang.String,"
                + " queue:java.lang.String, tenant:java.lang.String,"
                + " type:java.lang.String][Millrace, Jobs]");
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void job_fromItsEnqueueToItsEnd_isToldStepByStep(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue queue = harness.queues().queue("mail", "a tenant");
    // Another id on each store: Java 17 may lose long texts that an earlier recording had.
    EnqueueOptions options = EnqueueOptions.DEFAULT.delay(ofSeconds(2)).priority(kind.ordinal());
    JobId id = enqueue(queue, "x", options);
    advance(harness, ofSeconds(2));
    harness.awaitNothingDue();
    advance(harness, ofMillis(30));

    Lease lease = claim(queue);
    harness.clock().advanceMs(400);
    lease.complete().orThrow();

    pokeTwice(harness);
    List<RecordedEvent> events = recording.stop(folder);
    assertThat(events)
        .extracting(JobEventsTrapsTest::text)
        .containsExactly(
            "mail 0 enqueued",
            "mail 1 started by worker after 30",
            "mail 1 COMPLETED by worker after 400, now GONE");
    assertThat(events).extracting(event -> event.getString("job")).containsOnly(id.toString());
    assertThat(events).extracting(event -> event.getString("queue")).containsOnly("mail");
    assertThat(events).extracting(event -> event.getString("tenant")).containsOnly("a tenant");
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB})
  void attempt_thatEnds_isToldWithWhatBecomesOfItsJob(StoreKind kind) {
    EngineHarness harness = start(kind);
    mail(harness).configure(settings -> settings.resultRetention(ofSeconds(900)));

    claimNew(harness, "kept").complete(new byte[1]).orThrow();
    claimNew(harness, "retried").fail("broken").orThrow();
    claimNew(harness, "dead").fail("broken", FailOptions.PERMANENT).orThrow();
    claimNew(harness, "snoozed").snooze(ofSeconds(900)).orThrow();
    Lease unwanted = claimNew(harness, "cancelled");
    assertThat(harness.queues().cancel(unwanted.jobId())).isEqualTo(CancelResult.REQUESTED);
    unwanted.fail("broken").orThrow();
    claimNew(harness, "released").release().orThrow();

    assertThat(told(harness))
        .filteredOn(text -> !text.contains("enqueued") && !text.contains("started"))
        .containsExactly(
            "kept 1 COMPLETED by worker after 0, now DONE",
            "retried 1 RETRIED by worker after 0, now DELAYED",
            "dead 1 DIED by worker after 0, now DEAD",
            "snoozed 1 SNOOZED by worker after 0, now DELAYED",
            "cancelled 1 CANCELLED by worker after 0, now GONE",
            "released 1 RELEASED by worker after 0, now READY");
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB})
  void lease_thatRunsOut_isToldAsExpiredAlsoWhenTheJobDies(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = claimNew(harness, "late").jobId();
    advance(harness, LEASE_OVER);
    awaitJob(harness, id, JobState.READY, 1);
    advance(harness, ofMillis(5));
    claim(mail(harness));
    advance(harness, LEASE_OVER);
    awaitJob(harness, id, JobState.DEAD, 2);

    assertThat(told(harness))
        .containsExactly(
            "late 0 enqueued",
            "late 1 started by worker after 0",
            "late 1 EXPIRED by worker after 30001, now READY",
            "late 2 started by worker after 5",
            "late 2 EXPIRED by worker after 30001, now DEAD");
  }

  @Test
  void deadJob_redriven_startsAfreshAndIsNotEnqueuedAgain() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease lease = claimNew(harness, "job");
    lease.fail("broken", FailOptions.PERMANENT).orThrow();

    mail(harness).deadLetters().redrive(lease.jobId()).orThrow();
    claim(mail(harness)).complete().orThrow();

    assertThat(told(harness))
        .containsExactly(
            "job 0 enqueued",
            "job 1 started by worker after 0",
            "job 1 DIED by worker after 0, now DEAD",
            "job 1 started by worker after 0",
            "job 1 COMPLETED by worker after 0, now GONE");
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB})
  void job_thatNobodyWorksOn_isToldWhenItIsRemoved(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    mail.configure(
        settings -> settings.resultRetention(ofSeconds(20)).deadRetention(ofSeconds(10)));
    harness.queues().cancel(enqueue(harness, "cancelled")).orThrow();
    Lease deleted = claimNew(harness, "deleted");
    deleted.fail("broken", FailOptions.PERMANENT).orThrow();
    mail.deadLetters().delete(deleted.jobId());
    claimNew(harness, "swept").fail("broken", FailOptions.PERMANENT).orThrow();
    claimNew(harness, "result").complete().orThrow();
    enqueue(mail, "x", TWICE.type("unstarted").timeToLive(ofSeconds(5)));
    enqueue(mail, "x", TWICE.type("purged").delay(ofSeconds(900)));
    mail.purge(EnumSet.of(JobState.DELAYED));
    for (int i = 0; i < 4; i++) {
      advance(harness, ofSeconds(6));
      harness.awaitNothingDue();
    }

    assertThat(told(harness))
        .filteredOn(text -> text.contains("by null"))
        .containsExactly(
            "cancelled 0 CANCELLED by null after 0, now GONE",
            "deleted 1 DELETED by null after 0, now GONE",
            "purged 0 PURGED by null after 0, now GONE",
            "unstarted 0 DROPPED by null after 0, now GONE",
            "swept 1 SWEPT by null after 0, now GONE",
            "result 1 SWEPT by null after 0, now GONE");
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB})
  void queue_deleted_eachOfItsJobsEndsOnce(StoreKind kind) {
    EngineHarness harness = start(kind);
    claimNew(harness, "leased");
    claimNew(harness, "failed").fail("broken").orThrow();
    enqueue(harness, "waiting");
    harness.clock().advanceMs(7);

    mail(harness).delete();
    harness.awaitNothingDue();

    assertThat(told(harness))
        .filteredOn(text -> text.contains("QUEUE_DELETED"))
        .containsExactly(
            "leased 1 QUEUE_DELETED by worker after 7, now GONE",
            "failed 1 QUEUE_DELETED by null after 0, now GONE",
            "waiting 0 QUEUE_DELETED by null after 0, now GONE");
  }

  @Test
  void queue_deletedAtTheSecondTry_jobThatWasLeasedAtTheFirstEndsAllTheSame() {
    EngineHarness harness = start(StoreKind.FAULTY);
    Lease lease = claimNew(harness, "job");
    harness.storeLeases();
    harness.machine().room(Room.FOR_NONE);
    assertThatThrownBy(() -> mail(harness).delete()).isInstanceOf(StoreFullException.class);
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());
    lease.release().orThrow();

    mail(harness).delete();
    harness.awaitNothingDue();

    assertThat(told(harness)).last().isEqualTo("job 0 QUEUE_DELETED by null after 0, now GONE");
  }

  @Test
  void engine_closed_leasesThatItHandsBackAreTold() {
    EngineHarness harness = start(StoreKind.MEMORY);
    claimNew(harness, "job");

    harness.engine().close();

    assertThat(told())
        .containsExactly(
            "job 0 enqueued",
            "job 1 started by worker after 0",
            "job 1 RELEASED by worker after 0, now READY");
  }

  @Test
  void crash_leasesThatTheNextOpeningEnds_areTold() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = claimNew(harness, "job").jobId();
    harness.storeLeases();
    harness.clock().advanceMs(40);

    harness.crash();

    awaitJob(harness, id, JobState.READY, 1);
    assertThat(told(harness)).last().isEqualTo("job 1 EXPIRED by worker after 45, now READY");
  }

  @Test
  void batch_thatTheStoreRefuses_tellsNothing() {
    EngineHarness harness = start(StoreKind.FAULTY);
    Lease lease = claimNew(harness, "job");
    harness.storeLeases();
    harness.machine().room(Room.FOR_NONE);
    assertThatThrownBy(() -> enqueue(harness, "refused")).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(lease::complete).isInstanceOf(StoreFullException.class);
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());
    lease.complete().orThrow();

    assertThat(told(harness))
        .containsExactly(
            "job 0 enqueued",
            "job 1 started by worker after 0",
            "job 1 COMPLETED by worker after 1005, now GONE");
  }

  @Test
  void batch_whoseOutcomeIsUnknown_tellsNothingAlsoAfterAReopening() {
    EngineHarness harness = start(StoreKind.FAULTY);
    harness.store().breakNextWrite(new AssertionError("the disk is gone"));
    assertThatThrownBy(() -> enqueue(harness, "unknown"))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    enqueue(harness, "after");
    assertThat(told(harness)).containsExactly("after 0 enqueued");
  }

  @Test
  void claim_answeredWithABatchThatIsRefused_isToldOnceWhenItIsCounted()
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(harness, "job");
    harness.store().holdNextWrite();
    CompletableFuture<?> blocker =
        harness.queues().queue("other").enqueueAsync(new byte[1], TWICE.type("blocker"));
    harness.store().awaitHeld();
    CompletableFuture<List<Lease>> claim = mail(harness).claimAsync(ClaimOptions.by("worker"));
    CompletableFuture<?> refused =
        harness.queues().queue("other").enqueueAsync(new byte[1], TWICE.type("refused"));
    harness.store().letGoUntilWrite();
    join(blocker);
    harness.store().awaitHeld();
    assertThat(join(claim)).hasSize(1);
    harness.machine().room(Room.FOR_NONE);

    harness.store().letGo();

    assertThatThrownBy(() -> join(refused)).isInstanceOf(StoreFullException.class);
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());
    assertThat(told(harness))
        .containsExactly("job 0 enqueued", "blocker 0 enqueued", "job 1 started by worker after 0");
  }

  @Test
  void nothing_isTold_unlessARecordingAsksForIt() {
    recording.close();
    recording = JobEventRecording.of(List.of("io.millrace.Commit", "io.millrace.JobEnded"));
    EngineHarness harness = start(StoreKind.MEMORY);

    claimNew(harness, "job").complete().orThrow();

    assertThat(told(harness)).containsExactly("job 1 COMPLETED by worker after 0, now GONE");
    recording.close();
    recording = JobEventRecording.of(List.of("io.millrace.Commit"));
    claimNew(harness, "unseen").complete().orThrow();
    mail(harness).delete();
    harness.awaitNothingDue();
    assertThat(told(harness)).isEmpty();
  }

  @Test
  void recording_thatBeginsWhileJobsAreThere_tellsOfThemFromThenOn() {
    recording.close();
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease lease = claimNew(harness, "job");

    recording = JobEventRecording.ofAll();
    lease.complete().orThrow();

    assertThat(told(harness)).containsExactly("job 1 COMPLETED by worker after 0, now GONE");
  }
}
