package io.millrace.test.worker;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobReleaseResult;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Limits;
import io.millrace.api.QueueStats;
import io.millrace.api.Table;
import io.millrace.test.TestEngine;
import io.millrace.worker.HandlerContext;
import io.millrace.worker.RunningJob;
import io.millrace.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a handler can do with its job, and what it is told of it. */
class WorkerContextTest extends WorkerRig {

  private final Table<String, Long> rows = engine.table("rows", Codec.TEXT, Codec.LONG);

  private JobId run(Consumer<HandlerContext> work) {
    engine.worker().handle(MAIL, (text, job) -> work.accept(job)).listener(told).start();
    JobId id = engine.enqueue(MAIL, "m").jobId();
    engine.run();
    return id;
  }

  @Test
  void completeWith_rowIsChangedMeanwhile_isCalledAgain() {
    AtomicInteger calls = new AtomicInteger();

    JobId id =
        run(
            job ->
                job.completeWith(
                    tx -> {
                      long before = tx.get(rows, "sum").orElse(0L);
                      if (calls.getAndIncrement() < 3) {
                        CompletableFuture.runAsync(() -> rows.put("sum", before + 10)).join();
                      }
                      tx.put(rows, "sum", before + 1);
                      return before;
                    }));

    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(calls.get()).isEqualTo(4);
    assertThat(rows.get("sum")).contains(31L);
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void completeWith_effects_areOneCommitWithTheEnd() {
    JobId id =
        run(
            job ->
                job.completeWith(
                    tx -> {
                      tx.put(rows, "token", job.token());
                      return tx.enqueue(REPORT, "r");
                    }));

    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(rows.get("token")).isPresent();
    engine.assertJobs(REPORT).ready(1).nothingElse();
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void completeWith_effectsThrow_nothingHappenedAndTheAttemptFails() {
    JobId id =
        run(
            job ->
                job.completeWith(
                    tx -> {
                      tx.put(rows, "half", 1L);
                      throw new IllegalStateException("in the middle");
                    }));

    assertThat(told.ends).containsExactly("mail RETRIED");
    assertThat(rows.get("half")).isEmpty();
    assertThat(job(id).lastError().orElseThrow()).contains("in the middle");
  }

  @Test
  void completeWith_effectsThrowAndTheHandlerGoesOn_jobIsCompletedByItsReturn() {
    JobId id =
        run(
            job -> {
              assertThatThrownBy(
                      () ->
                          job.completeWith(
                              tx -> {
                                throw new IllegalStateException("in the middle");
                              }))
                  .isInstanceOf(IllegalStateException.class);
            });

    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void completeWith_twice_secondIsRefusedAndTheJobIsCompletedOnce() {
    JobId id =
        run(
            job -> {
              job.completeWith(
                  tx -> {
                    tx.put(rows, "first", 1L);
                    return 1;
                  });
              said.add("first");
              assertThatThrownBy(
                      () ->
                          job.completeWith(
                              tx -> {
                                tx.put(rows, "second", 1L);
                                return 1;
                              }))
                  .isInstanceOf(RuntimeException.class);
            });

    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(rows.get("first")).isPresent();
    assertThat(rows.get("second")).isEmpty();
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void completeWith_handlerThrowsAfterwards_jobStaysCompleted() {

    JobId id =
        run(
            job -> {
              job.completeWith(tx -> 1);
              throw new IllegalStateException("too late");
            });

    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void checkpoint_nextAttempt_goesOnFromIt() {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) -> {
              said.add(job.checkpointed(Codec.TEXT).orElse("nothing"));
              if (job.attempt() == 1) {
                job.checkpoint(Codec.TEXT, "half");
                said.add(job.checkpointed(Codec.TEXT).orElse("nothing"));
                throw new IllegalStateException("in the middle");
              }
            })
        .listener(told)
        .start();

    engine.enqueue(MAIL, "m");

    assertThat(engine.advance(ofSeconds(1))).isEqualTo(2);
    assertThat(said).containsExactly("nothing", "half", "half");
    assertThat(told.ends).containsExactly("mail RETRIED", "mail COMPLETED");
  }

  @Test
  void checkpoint_bytesAreChangedAfterwards_keptOnesAreNot() {
    run(
        job -> {
          byte[] state = {1};
          job.checkpoint(state);
          state[0] = 2;
          said.add("now " + job.checkpointed().orElseThrow()[0]);
          job.checkpointed().orElseThrow()[0] = 3;
          said.add("now " + job.checkpointed().orElseThrow()[0]);
        });

    assertThat(said).containsExactly("now 1", "now 1");
  }

  @Test
  void checkpoint_tooLarge_isRefusedAndTheHandlerMayGoOn() {
    run(
        job ->
            assertThatThrownBy(() -> job.checkpoint(new byte[Limits.CHECKPOINT_BYTES_MAX + 1]))
                .isInstanceOf(IllegalArgumentException.class));

    assertThat(told.ends).containsExactly("mail COMPLETED");
  }

  @Test
  void progress_isSeenOutsideAndBadOnesAreRefused() {
    AtomicReference<Worker> worker = new AtomicReference<>();
    List<RunningJob> seen = new ArrayList<>();
    worker.set(
        engine
            .worker()
            .handle(
                MAIL,
                (text, job) -> {
                  for (double bad : new double[] {Double.NaN, 1.5, -0.1}) {
                    assertThatThrownBy(() -> job.progress(bad, "x"))
                        .isInstanceOf(IllegalArgumentException.class);
                  }
                  job.progress(0.5, "half");
                  seen.addAll(worker.get().running());
                })
            .listener(told)
            .start());
    JobId id = engine.enqueue(MAIL, "m").jobId();
    engine.advance(ofSeconds(5));

    RunningJob running =
        new RunningJob(
            id,
            MAIL.queueName(),
            "mail",
            1,
            TestEngine.START_DEFAULT,
            Thread.currentThread(),
            0.5,
            "half");
    assertThat(seen).containsExactly(running);
    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(worker.get().running()).isEmpty();
  }

  @Test
  void extend_byTheHandler_lengthensAndBadOnesAreRefused() {
    run(
        job -> {
          if (job.attempt() == 2) {
            return;
          }
          job.extend(ofSeconds(600));
          assertThatThrownBy(() -> job.extend(ofMillis(1)))
              .isInstanceOf(IllegalArgumentException.class);
          engine.advance(ofSeconds(599));
          said.add("then " + job(job.jobId()).state());
          engine.advance(ofSeconds(1));
          said.add("then " + job(job.jobId()).state());
        });

    assertThat(said).containsExactly("then LEASED", "then READY");
    assertThat(told.ends).containsExactly("mail LOST", "mail COMPLETED");
  }

  @Test
  void release_ofTheRunningJob_handlerLearnsAtItsNextCallAndTheJobRunsAgain() {
    JobId id =
        run(
            job -> {
              said.add("attempt " + job.attempt());
              if (said.size() == 1) {
                assertThat(engine.admin().release(job.jobId()))
                    .isEqualTo(JobReleaseResult.RELEASED);
                assertThatThrownBy(() -> job.checkpoint(new byte[1]))
                    .isInstanceOf(LeaseLostException.class);
              }
            });

    assertThat(said).containsExactly("attempt 1", "attempt 1");
    assertThat(told.ends).containsExactly("mail LOST", "mail COMPLETED");
    assertThat(engine.get(id)).isEmpty();
    QueueStats stats = engine.queue("mail").stats().orElseThrow();
    assertThat(stats.total(QueueStats.Total.RELEASED)).isEqualTo(1);
    assertThat(stats.total(QueueStats.Total.COMPLETED)).isEqualTo(1);
  }

  @Test
  void context_tellsOfTheJob() {
    engine
        .worker()
        .handle(
            MAIL,
            (text, job) ->
                said.add(
                    job.type()
                        + job.queue().name()
                        + job.headers().get("k")
                        + job.attempt()
                        + job.maxAttempts()
                        + (job.token() > 0)
                        + job.lastError().isPresent()
                        + job.isToStop()))
        .start();

    engine.enqueue(MAIL, "m", o -> o.header("k", "v").maxAttempts(7));

    assertThat(engine.run()).isEqualTo(1);
    assertThat(said).containsExactly("mailmailv17truefalsefalse");
  }

  @Test
  void context_keptAfterTheEnd_changesNothing() {
    AtomicReference<HandlerContext> kept = new AtomicReference<>();
    run(kept::set);

    assertThatThrownBy(() -> kept.get().checkpoint(new byte[1]))
        .isInstanceOf(RuntimeException.class);
    assertThatThrownBy(
            () ->
                kept.get()
                    .completeWith(
                        tx -> {
                          tx.put(rows, "late", 1L);
                          return 1;
                        }))
        .isInstanceOf(RuntimeException.class);
    assertThat(rows.get("late")).isEmpty();
    Optional<Job> job = engine.get(kept.get().jobId());
    assertThat(job).isEmpty();
  }
}
