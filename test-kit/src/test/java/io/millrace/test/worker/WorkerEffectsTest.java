package io.millrace.test.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobType;
import io.millrace.api.ResultJobType;
import io.millrace.api.Submitted;
import io.millrace.api.Table;
import io.millrace.spi.testkit.rig.InProcess;
import io.millrace.worker.JobSteps;
import io.millrace.worker.Next;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Effects in the store that are one commit with a job's end, and with its result. */
class WorkerEffectsTest extends WorkerRig {

  private static final ResultJobType<String, Long> TOTAL =
      JobType.of("total", Codec.TEXT).returning(Codec.LONG);

  private final Table<String, Long> rows = engine.table("rows", Codec.TEXT, Codec.LONG);

  /** How a job ends that these steps are run for. */
  private JobEnd<Long> end(JobSteps<String> steps) {
    engine.worker().steps(TOTAL, steps).listener(told).start();
    Submitted<Long> total = engine.submit(TOTAL, "ada", o -> o.maxAttempts(1));
    engine.run();
    return total.end().join();
  }

  private static String error(JobEnd<?> end) {
    return ((JobEnd.Died<?>) end).error().lines().findFirst().orElseThrow();
  }

  @Test
  void doneWith_answer_isTheResultAndOneCommitWithTheEffects() {
    JobEnd<Long> end =
        end(
            (who, job) ->
                Next.doneWith(
                    TOTAL,
                    tx -> {
                      long total = tx.get(rows, who).orElse(41L) + 1;
                      tx.put(rows, who, total);
                      tx.enqueue(MAIL, "total: " + total);
                      return total;
                    }));

    assertThat(end).isEqualTo(new JobEnd.Completed<>(42L));
    assertThat(told.ends).containsExactly("total COMPLETED");
    assertThat(rows.get("ada")).contains(42L);
    engine.assertJobs(MAIL).ready(1).nothingElse();
  }

  @Test
  void doneWith_effectsThatAnswerNothing_completeWithoutAResult() {
    engine
        .worker()
        .steps(MAIL, (who, job) -> Next.doneWith(tx -> tx.put(rows, who, 1L)))
        .listener(told)
        .start();
    JobId id = engine.enqueue(MAIL, "ada").jobId();

    engine.run();

    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(rows.get("ada")).contains(1L);
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // what the test is about
  void doneWith_answerIsNull_nothingHappenedAndTheAttemptFails() {
    JobEnd<Long> end =
        end(
            (who, job) ->
                Next.doneWith(
                    TOTAL,
                    tx -> {
                      tx.put(rows, who, 1L);
                      return null;
                    }));

    assertThat(error(end)).contains("effects answered null, which is no result: type=total");
    assertThat(rows.get("ada")).isEmpty();
  }

  @Test
  void doneWith_effectsThrow_nothingHappenedAndTheAttemptFails() {
    JobEnd<Long> end =
        end(
            (who, job) ->
                Next.doneWith(
                    tx -> {
                      tx.put(rows, who, 1L);
                      throw new IllegalStateException("in the middle");
                    }));

    assertThat(error(end)).contains("in the middle");
    assertThat(rows.get("ada")).isEmpty();
  }

  @Test
  void doneWith_nextQueueIsFull_middlewareSeesItAndTheAttemptFails() {
    engine.queue("mail").configure(q -> q.depthMax(1));
    engine.enqueue(MAIL, "fills it");
    engine
        .worker()
        .use(
            (job, rest) -> {
              try {
                rest.proceed();
              } catch (EnqueueRefusedException e) {
                said.add("refused");
                throw e;
              }
            })
        .steps(REPORT, (who, job) -> Next.doneWith(tx -> tx.enqueue(MAIL, who)))
        .listener(told)
        .start();

    engine.enqueue(REPORT, "ada");
    engine.run();

    assertThat(said).containsExactly("refused");
    assertThat(told.ends).containsExactly("report RETRIED");
    engine.assertJobs(MAIL).ready(1).nothingElse();
  }

  @InProcess("a client is told of a request to cancel with the next answer on the lease")
  @Test
  void doneWith_handlerWasToldToStop_nothingHappens() {
    engine
        .worker()
        .steps(
            MAIL,
            (who, job) -> {
              assertThat(engine.cancel(job.jobId())).isEqualTo(CancelResult.REQUESTED);
              return Next.doneWith(tx -> tx.put(rows, who, 1L));
            })
        .listener(told)
        .start();

    engine.enqueue(MAIL, "ada");
    engine.run();

    assertThat(told.ends).containsExactly("mail CANCELLED");
    assertThat(rows.get("ada")).isEmpty();
  }

  @Test
  void doneWith_handlerWasToldToStopAndSaidThatItIsDone_isCarriedOut() {
    engine
        .worker()
        .steps(
            MAIL,
            (who, job) -> {
              assertThat(engine.cancel(job.jobId())).isEqualTo(CancelResult.REQUESTED);
              job.done();
              return Next.doneWith(tx -> tx.put(rows, who, 1L));
            })
        .listener(told)
        .start();

    engine.enqueue(MAIL, "ada");
    engine.run();

    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(rows.get("ada")).contains(1L);
  }

  @Test
  void completeWith_answerOfAHandler_isItsOwnAndNoResult() {
    engine
        .worker()
        .handle(
            TOTAL,
            (who, job) -> {
              String answer = job.completeWith(tx -> "left: " + tx.get(rows, who).orElse(0L));
              said.add(answer);
            })
        .listener(told)
        .start();
    CompletableFuture<JobEnd<byte[]>> end = engine.await(engine.enqueue(TOTAL, "ada").jobId());

    engine.run();

    assertThat(told.ends).containsExactly("total COMPLETED");
    assertThat(said).containsExactly("left: 0");
    assertThat(((JobEnd.Completed<byte[]>) end.join()).result()).isEmpty();
  }

  @Test
  void completeInTransaction_voidFunction_isOneCommitWithTheEnd() {
    engine
        .worker()
        .handle(
            MAIL,
            (who, job) -> {
              job.completeInTransaction(tx -> tx.put(rows, who, 1L));
              said.add("row " + rows.get(who).orElseThrow());
            })
        .listener(told)
        .start();
    JobId id = engine.enqueue(MAIL, "ada").jobId();

    engine.run();

    assertThat(told.ends).containsExactly("mail COMPLETED");
    assertThat(said).containsExactly("row 1");
    assertThat(engine.get(id)).isEmpty();
  }

  @Test
  void completeWith_engineWhereTheTransactionWasMeant_isRefusedAndTheAttemptFails() {
    engine
        .worker()
        .handle(
            MAIL,
            (who, job) ->
                job.completeWith(
                    tx -> {
                      tx.put(rows, who, tx.get(rows, who).orElse(0L) + 1);
                      return engine.enqueue(REPORT, "paid"); // meant: tx.enqueue
                    }))
        .listener(told)
        .start();
    JobId id = engine.enqueue(MAIL, "ada", o -> o.maxAttempts(1)).jobId();

    engine.run();

    assertThat(told.ends).containsExactly("mail DIED");
    assertThat(error(id)).contains("use tx.enqueue of the transaction");
    assertThat(rows.get("ada")).isEmpty();
    engine.assertJobs(REPORT).hasSize(0);
  }

  @Test
  void checkpointWith_checkpointOfTheJobItself_isRefused() {
    engine
        .worker()
        .handle(
            MAIL,
            (who, job) ->
                job.checkpointWith(
                    tx -> {
                      job.checkpoint(new byte[1]);
                      return 1;
                    },
                    state -> new byte[2]))
        .listener(told)
        .start();
    JobId id = engine.enqueue(MAIL, "ada", o -> o.maxAttempts(1)).jobId();

    engine.run();

    assertThat(error(id)).contains("use tx.checkpoint of the transaction");
    assertThat(job(id).checkpointed()).isEmpty();
  }
}
