package io.millrace.worker;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.Limits;
import io.millrace.api.Table;
import io.millrace.worker.JobRunEnd.Outcome;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a handler can do with its job, and what it is told of it. */
@Timeout(90)
class WorkerContextTest extends WorkerRig {

  private final Table<String, Long> rows = engine.table("rows", Codec.TEXT, Codec.LONG);

  private JobId run(Consumer<JobContext> work) throws Exception {
    Worker.on(engine).handle(MAIL, (text, job) -> work.accept(job)).listener(told).start();
    JobId id = engine.enqueue(MAIL, "m").jobId();
    await("it ended", () -> told.ended.containsKey(id));
    return id;
  }

  @Test
  void completeWith_rowIsChangedMeanwhile_isCalledAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();

    JobId id =
        run(
            job ->
                job.completeWith(
                    tx -> {
                      long before = tx.get(rows, "sum").orElse(0L);
                      if (calls.getAndIncrement() < 3) {
                        rows.put("sum", before + 10);
                      }
                      tx.put(rows, "sum", before + 1);
                      return before;
                    }));

    assertThat(told.ended.get(id).outcome()).isEqualTo(Outcome.COMPLETED);
    assertThat(calls.get()).isEqualTo(4);
    assertThat(rows.get("sum")).contains(31L);
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void completeWith_effectsThrow_nothingHappenedAndTheAttemptFails() throws Exception {
    JobId id =
        run(
            job ->
                job.completeWith(
                    tx -> {
                      tx.put(rows, "half", 1L);
                      throw new IllegalStateException("in the middle");
                    }));

    assertThat(told.ended.get(id).outcome()).isEqualTo(Outcome.RETRIED);
    assertThat(rows.get("half")).isEmpty();
    assertThat(job(id).lastError().orElseThrow()).contains("in the middle");
  }

  @Test
  void completeWith_effectsThrowAndTheHandlerGoesOn_jobIsCompletedByItsReturn() throws Exception {
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

    assertThat(told.ended.get(id).outcome()).isEqualTo(Outcome.COMPLETED);
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void completeWith_twice_secondIsRefusedAndTheJobIsCompletedOnce() throws Exception {
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

    assertThat(told.ended.get(id).outcome()).isEqualTo(Outcome.COMPLETED);
    assertThat(rows.get("first")).isPresent();
    assertThat(rows.get("second")).isEmpty();
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void completeWith_handlerThrowsAfterwards_jobStaysCompleted() throws Exception {
    JobId id =
        run(
            job -> {
              job.completeWith(tx -> 1);
              throw new IllegalStateException("too late");
            });

    assertThat(told.ended.get(id).outcome()).isEqualTo(Outcome.COMPLETED);
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void completeWith_handlerRunsOnForLong_leaseIsNotToldAsLost() throws Exception {
    CountDownLatch go = latch();
    Worker.on(engine)
        .handle(
            MAIL,
            (text, job) -> {
              job.completeWith(tx -> 1);
              said.add("done");
              go.await();
              said.add("stop " + job.isToStop());
            })
        .leaseDuration(ofMillis(100))
        .listener(told)
        .start();
    JobId id = engine.enqueue(MAIL, "m").jobId();
    heard();
    assertThat(engine.get(id)).isEmpty();

    long endNs = System.nanoTime() + ofMillis(400).toNanos();
    await("its lease would be over", () -> System.nanoTime() - endNs >= 0);
    go.countDown();

    assertThat(heard()).isEqualTo("stop false");
    assertThat(told.next()).isEqualTo("mail COMPLETED");
    assertThat(told.lost).isEmpty();
  }

  @Test
  void checkpoint_nextAttempt_goesOnFromIt() throws Exception {
    Worker.on(engine)
        .handle(
            MAIL,
            (text, job) -> {
              said.add(job.checkpointed(Codec.TEXT).orElse("nothing"));
              if (job.attempt() == 1) {
                job.checkpoint(Codec.TEXT, "half");
                said.add(job.checkpointed(Codec.TEXT).orElse("nothing"));
                throw new IllegalStateException("in the middle");
              }
            },
            h -> h.backoff(Backoff.fixed(ofMillis(1))))
        .listener(told)
        .start();

    engine.enqueue(MAIL, "m");

    assertThat(heard()).isEqualTo("nothing");
    assertThat(heard()).isEqualTo("half");
    assertThat(heard()).isEqualTo("half");
  }

  @Test
  void checkpoint_bytesAreChangedAfterwards_keptOnesAreNot() throws Exception {
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
  void checkpoint_tooLarge_isRefusedAndTheHandlerMayGoOn() throws Exception {
    JobId id =
        run(
            job ->
                assertThatThrownBy(() -> job.checkpoint(new byte[Limits.STATE_BYTES_MAX + 1]))
                    .isInstanceOf(IllegalArgumentException.class));

    assertThat(told.ended.get(id).outcome()).isEqualTo(Outcome.COMPLETED);
  }

  @Test
  void progress_isSeenOutsideAndBadOnesAreRefused() throws Exception {
    CountDownLatch go = latch();
    Worker worker =
        Worker.on(engine)
            .handle(
                MAIL,
                (text, job) -> {
                  assertThatThrownBy(() -> job.progress(Double.NaN, "x"))
                      .isInstanceOf(IllegalArgumentException.class);
                  assertThatThrownBy(() -> job.progress(1.5, "x"))
                      .isInstanceOf(IllegalArgumentException.class);
                  assertThatThrownBy(() -> job.progress(-0.1, "x"))
                      .isInstanceOf(IllegalArgumentException.class);
                  job.progress(0.5, "half");
                  said.add("half");
                  go.await();
                })
            .start();
    JobId id = engine.enqueue(MAIL, "m").jobId();
    heard();

    RunningJob running = worker.running().get(0);

    assertThat(running.jobId()).isEqualTo(id);
    assertThat(running.progress()).isEqualTo(0.5);
    assertThat(running.text()).isEqualTo("half");
    assertThat(running.attempt()).isEqualTo(1);
    assertThat(running.type()).isEqualTo("mail");
    go.countDown();
  }

  @Test
  void extend_byTheHandler_lengthensAndBadOnesAreRefused() throws Exception {
    JobId id =
        run(
            job -> {
              job.extend(ofSeconds(600));
              assertThatThrownBy(() -> job.extend(ofMillis(1)))
                  .isInstanceOf(IllegalArgumentException.class);
            });

    assertThat(told.ended.get(id).outcome()).isEqualTo(Outcome.COMPLETED);
  }

  @Test
  void context_tellsOfTheJob() throws Exception {
    Worker.on(engine)
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

    assertThat(heard()).isEqualTo("mailmailv17truefalsefalse");
  }

  @Test
  void context_keptAfterTheEnd_changesNothing() throws Exception {
    AtomicReference<JobContext> kept = new AtomicReference<>();
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
