package io.millrace.worker;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.api.Table;
import io.millrace.tables.ReservedTables;
import io.millrace.worker.JobRunEnd.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of jobs whose handlers were told to stop, and returned. */
@Tag("slow")
@Timeout(90)
class WorkerGivenUpTest extends WorkerRig {

  /** Why a handler is told to stop, and what becomes of its job if it gives up. */
  enum Reason {
    STOP(Outcome.RELEASED),
    CANCEL(Outcome.CANCELLED),
    TIMEOUT(Outcome.RETRIED),
    LOST(Outcome.LOST);

    final Outcome givenUp;

    Reason(Outcome givenUp) {
      this.givenUp = givenUp;
    }
  }

  /** What a handler does when it is told. */
  enum Manner {
    RESTORES_THE_INTERRUPT,
    SWALLOWS_THE_INTERRUPT,
    LOOKS_WHETHER_IT_IS_TO_STOP
  }

  private final CountDownLatch begun = new CountDownLatch(1);

  private void untilTold(Manner manner, JobContext job) {
    begun.countDown();
    try {
      if (manner == Manner.LOOKS_WHETHER_IT_IS_TO_STOP) {
        await("it is told", job::isToStop);
      } else {
        latch().await();
      }
    } catch (InterruptedException e) {
      if (manner == Manner.RESTORES_THE_INTERRUPT) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Has a job run until it was told to stop, and be ended so; answers how it ended. */
  private Outcome told(Reason reason, JobSteps<String> steps) throws InterruptedException {
    Worker worker =
        Worker.on(queues)
            .steps(
                MAIL,
                steps,
                options -> reason == Reason.TIMEOUT ? options.timeout(ofMillis(50)) : options)
            .leaseDuration(ofMillis(900))
            .concurrency(1)
            .listener(told)
            .start();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    begun.await();
    switch (reason) {
      case STOP -> worker.stop(ZERO);
      case CANCEL -> assertThat(worker.cancel(id)).isNotNull();
      case LOST -> {
        awaitState(id, JobState.LEASED);
        queues.lease(id, job(id).lease().orElseThrow().token()).release().orThrow();
      }
      default -> {}
    }
    await("it ended", () -> told.ended.containsKey(id));
    if (reason == Reason.STOP && told.ended.get(id).outcome() == Outcome.RELEASED) {
      assertThat(job(id).state()).isEqualTo(JobState.READY);
      assertThat(job(id).attempts()).isZero();
    }
    return told.ended.get(id).outcome();
  }

  @ParameterizedTest
  @EnumSource
  void told_restoresTheInterruptAndReturns_isNotCompleted(Reason reason) throws Exception {
    assertGivesUp(reason, Manner.RESTORES_THE_INTERRUPT);
  }

  @ParameterizedTest
  @EnumSource
  void told_swallowsTheInterruptAndReturns_isNotCompleted(Reason reason) throws Exception {
    assertGivesUp(reason, Manner.SWALLOWS_THE_INTERRUPT);
  }

  @ParameterizedTest
  @EnumSource
  void told_looksAndReturns_isNotCompleted(Reason reason) throws Exception {
    assertGivesUp(reason, Manner.LOOKS_WHETHER_IT_IS_TO_STOP);
  }

  private void assertGivesUp(Reason reason, Manner manner) throws InterruptedException {
    Outcome outcome =
        told(
            reason,
            (text, job) -> {
              untilTold(manner, job);
              return Next.done();
            });

    assertThat(outcome).isEqualTo(reason.givenUp);
  }

  /** Of a lost lease that changes nothing. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOST")
  void told_saysThatItIsDone_isCompleted(Reason reason) throws Exception {
    Outcome outcome =
        told(
            reason,
            (text, job) -> {
              untilTold(Manner.SWALLOWS_THE_INTERRUPT, job);
              job.done();
              said.add("to stop " + job.isToStop());
              job.checkAlive();
              return Next.done();
            });

    assertThat(outcome).isEqualTo(Outcome.COMPLETED);
    assertThat(heard()).isEqualTo("to stop false");
  }

  @ParameterizedTest
  @EnumSource
  void told_saysThatItIsDoneAndThrows_isNotCompleted(Reason reason) throws Exception {
    Outcome outcome =
        told(
            reason,
            (text, job) -> {
              untilTold(Manner.SWALLOWS_THE_INTERRUPT, job);
              job.done();
              throw new IllegalStateException("after all");
            });

    assertThat(outcome).isEqualTo(reason.givenUp);
  }

  @ParameterizedTest
  @CsvSource({"then,RELEASED", "snooze,SNOOZED", "waitFor,WAITED", "retry,RETRIED", "dead,DIED"})
  void workerStops_handlerSaysWhatComesNext_holdsUnlessItWouldComplete(String next, Outcome outcome)
      throws Exception {
    Outcome became =
        told(
            Reason.STOP,
            (text, job) -> {
              untilTold(Manner.SWALLOWS_THE_INTERRUPT, job);
              return switch (next) {
                case "then" -> Next.then(REPORT, "r");
                case "snooze" -> Next.snooze(ofSeconds(60));
                case "waitFor" -> Next.waitFor("go");
                case "retry" -> Next.retry("said so");
                default -> Next.dead("said so");
              };
            });

    assertThat(became).isEqualTo(outcome);
    assertThat(queues.queue("report").stats()).isEmpty();
  }

  @Test
  void workerStops_handlersReturnedBefore_areCompletedHoweverTheyRace() throws Exception {
    for (int round = 0; round < 100; round++) {
      Worker worker = Worker.on(queues).handle(MAIL, (text, job) -> {}).listener(told).start();
      JobId id = queues.enqueue(MAIL, "m").jobId();

      worker.stop(ofSeconds(60));

      // One read for both: a claim that was given up may still be granted the job, and hands it
      // back.
      await(
          "it is done, or was never begun",
          () ->
              queues
                  .get(id)
                  .map(job -> job.state() == JobState.READY && job.attempts() == 0)
                  .orElse(true));
    }
    assertThat(told.ended.values())
        .extracting(JobRunEnd::outcome)
        .doesNotContain(Outcome.RETRIED, Outcome.LOST);
  }

  /** It brings its process down, say, and heeds the interrupt. */
  @Test
  void workerStops_sameJobIsCutShortAgainAndAgain_countsInTheEnd() throws Exception {
    JobId id = queues.enqueue(MAIL, "m", o -> o.maxAttempts(1)).jobId();

    for (int i = 0; i < HandBacks.FREE; i++) {
      cutShort(false);
      assertThat(job(id).attempts()).isZero();
    }
    cutShort(false);

    assertThat(job(id).state()).isEqualTo(JobState.DEAD);
    assertThat(job(id).lastError().orElseThrow()).startsWith("its worker stopped while it ran");
  }

  @Test
  void workerStops_jobKeepsAStateEachTime_neverCounts() throws Exception {
    JobId id = queues.enqueue(MAIL, "m", o -> o.maxAttempts(1)).jobId();

    for (int i = 0; i < 2 * HandBacks.FREE; i++) {
      cutShort(i % 3 == 2);
    }

    assertThat(job(id).state()).isEqualTo(JobState.READY);
    assertThat(job(id).attempts()).isZero();
  }

  @Test
  void workerStops_jobsThatWereCutShortAreGone_areForgotten() throws Exception {
    queues.enqueue(MAIL, "m");
    cutShort(false);
    Worker worker = Worker.on(queues).handle(MAIL, (text, job) -> {}).listener(told).start();
    await("it is done", () -> told.ends.contains("mail COMPLETED"));
    worker.close();
    JobId other = queues.enqueue(MAIL, "n").jobId();

    cutShort(false);

    assertThat(
            queues.table(ReservedTables.HAND_BACKS, Codec.TEXT, Codec.LONG).get(other.toString()))
        .contains(1L);
    assertThat(queues.table(ReservedTables.HAND_BACKS, Codec.TEXT, Codec.LONG).count()).isOne();
  }

  @Test
  void workerStops_rowsOfOthersAndManyOfGoneJobs_areCountedAndForgottenAllTheSame()
      throws Exception {
    Table<String, String> rows = queues.table(ReservedTables.HAND_BACKS, Codec.TEXT, Codec.TEXT);
    rows.put("!", "no id");
    rows.put("zz", "no id");
    List<JobId> gone = new ArrayList<>();
    for (int i = 0; i <= Limits.PAGE_SIZE_MAX; i++) {
      gone.add(queues.enqueue(REPORT, "r").jobId());
    }
    gone.forEach(id -> queues.cancel(id).orThrow());
    gone.forEach(id -> rows.put(id.toString(), "no number"));
    JobId id = queues.enqueue(MAIL, "m").jobId();
    rows.put(id.toString(), "no number either");

    cutShort(false);

    assertThat(queues.table(ReservedTables.HAND_BACKS, Codec.TEXT, Codec.LONG).get(id.toString()))
        .contains(1L);
    assertThat(rows.count()).isEqualTo(3);
  }

  private void cutShort(boolean hasState) throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(1);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  if (hasState) {
                    job.checkpoint(new byte[] {1});
                  }
                  runs.countDown();
                  latch().await();
                })
            .start();
    runs.await();
    assertThat(worker.stop(ZERO).interrupted()).isOne();
  }

  @Test
  void close_inAHandler_waitsForTheOthersAndNotForItself() throws Exception {
    CompletableFuture<Worker> self = new CompletableFuture<>();
    CountDownLatch go = latch();
    CountDownLatch otherBegun = new CountDownLatch(1);
    Worker worker =
        Worker.on(queues)
            .handle(REPORT, waiting(otherBegun, go))
            .handle(
                MAIL,
                (text, job) -> {
                  self.get().close();
                  said.add("closed, other has ended: " + told.ends.contains("report COMPLETED"));
                })
            .concurrency(2)
            .listener(told)
            .start();
    self.complete(worker);
    queues.enqueue(REPORT, "r");
    otherBegun.await();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    awaitStopBegun();
    go.countDown();

    assertThat(heard()).startsWith("closed");
    await("it is stopped", worker::isStopped);
    await("its end is told", () -> told.ended.containsKey(id));
    assertThat(told.ended.get(id).outcome()).isEqualTo(Outcome.COMPLETED);
    assertThat(queues.get(id)).isEmpty();
    assertNothingLeft();
  }

  @Test
  void close_inSeveralHandlersAtOnce_noneWaitsForAnother() throws Exception {
    CompletableFuture<Worker> self = new CompletableFuture<>();
    CountDownLatch both = new CountDownLatch(2);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  both.countDown();
                  both.await();
                  self.get().close();
                  said.add("closed");
                })
            .concurrency(2)
            .listener(told)
            .start();
    self.complete(worker);
    queues.enqueue(MAIL, "m");
    queues.enqueue(MAIL, "n");

    assertThat(heard()).isEqualTo("closed");
    assertThat(heard()).isEqualTo("closed");
    await("it is stopped", worker::isStopped);
    assertThat(told.next()).isEqualTo("mail COMPLETED");
    assertThat(told.next()).isEqualTo("mail COMPLETED");
  }

  @Test
  void close_inAListenerOfTheEnd_returnsAtOnce() throws Exception {
    CompletableFuture<Worker> self = new CompletableFuture<>();
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> {})
            .listener(
                new WorkerListener() {
                  @Override
                  public void ended(JobContext job, JobRunEnd end) {
                    self.join().close();
                    said.add("closed " + end.outcome());
                  }
                })
            .start();
    self.complete(worker);

    queues.enqueue(MAIL, "m");

    assertThat(heard()).isEqualTo("closed COMPLETED");
    await("it is stopped", worker::isStopped);
    assertNothingLeft();
  }
}
