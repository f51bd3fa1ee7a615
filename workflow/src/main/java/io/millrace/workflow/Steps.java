package io.millrace.workflow;

import io.millrace.MillraceException;
import io.millrace.api.Batch;
import io.millrace.api.Batches;
import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.JobQueues;
import io.millrace.api.Limits;
import io.millrace.api.ResultJobType;
import io.millrace.api.Transaction;
import io.millrace.api.UniqueKey;
import io.millrace.options.Checks;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobSteps;
import io.millrace.worker.Next;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * The steps of a workflow, which is one job. Its function is called from the beginning in each
 * attempt, and passes over the steps that are done: the answer of a step is kept in the job's
 * checkpoint, and is given again.
 *
 * <p>The function has to go the same way each time, as far as it has come. It may depend on the
 * payload and on the answers of steps, not on the time, on chance, or on what others change: all
 * this belongs in steps. If it asks for something else than before, the job is a dead letter with
 * {@link NonDeterministicWorkflowException}. No two steps, sleeps or signals of a job have the same
 * name; loops number theirs.
 *
 * <p>A step that throws is not done, and the attempt fails: let the exception pass. Only {@link
 * StepFailedException} is kept, and may be caught. Sleeping and waiting hold neither thread nor
 * lease: they end the run by an Error, which must pass, too.
 *
 * <p><b>Errors.</b> Every call throws a {@link WorkflowException} if the job cannot go on, which is
 * a dead letter then; what {@link JobContext#checkAlive} throws if the handler is to stop; and what
 * {@link JobContext#checkpoint(byte[])} throws if what was done cannot be kept. These end the run,
 * and are to pass: each further call throws them again. {@link IllegalStateException} is thrown on
 * another thread, and within a step; {@link IllegalArgumentException} for a name that has not 1 to
 * {@value Limits#KEY_BYTES_MAX} bytes of UTF-8.
 *
 * <p>All that a job keeps, its names included, is at most {@value Limits#CHECKPOINT_BYTES_MAX}
 * bytes, and is written anew with each step. For the thread of the handler alone, and only while it
 * runs. A step begins no other.
 */
public interface Steps {

  /**
   * Does a step with effects outside of the store, unless it is done. If the process dies before
   * the result is kept, the work is done again: hand {@link #token} to whoever does it.
   *
   * <p>The answer may be null, and is null again; the codec is not asked for it.
   *
   * @param name 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @throws StepFailedException as the work threw it, now or before
   * @throws Exception as the work threw it; the step is not done
   * @throws MillraceException as every call; see {@link Steps}
   */
  <R> R step(String name, Codec<R> result, Callable<R> work) throws Exception;

  /**
   * Does a step without a result; see {@link #step(String, Codec, Callable)}.
   *
   * @throws StepFailedException as the work threw it, now or before
   * @throws Exception as the work threw it; the step is not done
   * @throws MillraceException as every call; see {@link Steps}
   */
  void step(String name, Work work) throws Exception;

  /**
   * Does a step in the same store, unless it is done: its effects and its result are one commit. So
   * it happens once, whenever the process dies.
   *
   * @param work called as {@link JobQueues#transact} calls it, perhaps several times; must have no
   *     other effects
   * @throws StepFailedException as the work threw it, now or before; none of its effects happened
   * @throws MillraceException as every call; see {@link Steps}. Any other exception of the work is
   *     thrown, too; the step is not done
   */
  <R> R step(String name, Codec<R> result, Function<Transaction, R> work);

  /**
   * Returns the same steps with a limit on tries. A step that is begun through them is given up
   * when it has thrown so often. Then it fails for good, as if it had thrown a {@link
   * StepFailedException} that says how often it was tried and names its last error. It is also
   * given up at the job's last attempt; the tries of all steps use the job's attempts up. Between
   * tries is the job's backoff.
   *
   * <p>An exception that the step throws counts as a try, be it {@code releaseOn} of the worker or
   * not. The end of a process or of a lease, a time-out, an Error, and exceptions of the engine are
   * attempts of the job alone.
   *
   * @param most the most tries, 1 to 1,000
   * @throws IllegalArgumentException the number is out of this range
   */
  Steps attempts(int most);

  /**
   * Goes on after this time, up to 10 years, by the clock of the engine. The end of the sleep is
   * kept with the first call.
   *
   * @throws IllegalArgumentException the time is out of this range, or the name of its range
   * @throws MillraceException as every call; see {@link Steps}
   */
  void sleep(String name, Duration time);

  /**
   * Waits for a signal, which may have come before, and returns its payload. Each signal is taken
   * by one wait; a workflow waits for a name once.
   *
   * @throws CodecException the codec does not read the payload; the attempt fails
   * @throws MillraceException as every call; see {@link Steps}
   */
  <S> S await(String signal, Codec<S> payload);

  /**
   * Waits for a signal for at most this time, up to 10 years; returns empty if the time was over
   * first. The deadline is kept with the first call. See {@link #await(String, Codec)}.
   *
   * @throws IllegalArgumentException the time is out of this range, or the name of its range
   * @throws CodecException the codec does not read the payload; the attempt fails
   * @throws MillraceException as every call; see {@link Steps}
   */
  <S> Optional<S> await(String signal, Codec<S> payload, Duration most);

  /**
   * Lets many jobs of a type do a step, one for each payload, and returns the results in the order
   * of the payloads. The jobs are a {@link Batch} and are enqueued with what is kept of the
   * workflow, in one commit. The workflow waits for them without thread and lease.
   *
   * <p>If not all of them succeed, the step fails for good once all have ended: they may be dead
   * letters, cancelled, expired or removed, and the exception says how many of each. A workflow
   * that is cancelled leaves them alone; {@link Batches#cancel} cancels them. Their results are
   * kept for the workflow for 30 days once they have ended.
   *
   * @param name 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8; also the name of the batch
   * @param payloads at most {@value Limits#CALL_JOB_COUNT_MAX}, {@value Limits#CALL_BYTES_MAX}
   *     bytes together; with none the step is done at once
   * @throws StepFailedException not all of the jobs succeeded
   * @throws IllegalArgumentException the payloads are too many or too long, or the options of the
   *     type have a {@link UniqueKey}; the attempt fails
   * @throws CodecException the codec does not read a result; the attempt fails
   * @throws MillraceException as every call; see {@link Steps}
   */
  <T, R> List<R> all(String name, ResultJobType<T, R> type, List<? extends T> payloads);

  /**
   * Returns a text that is the same in each attempt, and that no other step of any job of this
   * store has: a called system can tell by it that it was called before.
   *
   * @param name the name of the step
   * @throws IllegalArgumentException the name has not 1 to {@value Limits#KEY_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  default String token(String name) {
    return job().jobId() + "/" + Checks.text("name", name, 1, Limits.KEY_BYTES_MAX);
  }

  /** Returns the job of the workflow, which keeps its own checkpoints there: make no others. */
  JobContext job();

  /** The work of a step without a result. */
  @FunctionalInterface
  interface Work {
    /**
     * Does the work.
     *
     * @throws Exception the step is not done, or failed for good; see {@link Steps}
     */
    void run() throws Exception;
  }

  /**
   * A workflow.
   *
   * @param <T> type of the payload
   */
  @FunctionalInterface
  interface Flow<T> {
    /**
     * Runs the workflow.
     *
     * @throws Exception the attempt fails, unless {@link Steps} says otherwise
     */
    void run(T payload, Steps steps) throws Exception;
  }

  /**
   * A workflow that has a result.
   *
   * @param <T> type of the payload
   * @param <R> type of the result
   */
  @FunctionalInterface
  interface FlowWithResult<T, R> {
    /**
     * Runs the workflow and returns its result.
     *
     * @throws Exception the attempt fails, unless {@link Steps} says otherwise
     */
    R run(T payload, Steps steps) throws Exception;
  }

  /** Returns the handler that runs the workflow, for a worker's {@code steps}. */
  static <T> JobSteps<T> workflow(Flow<T> flow) {
    Objects.requireNonNull(flow, "flow");
    return (payload, job) ->
        FlowRun.run(
            job,
            steps -> {
              flow.run(payload, steps);
              return Next.done();
            });
  }

  /**
   * Returns the handler that runs the workflow, whose answer is its job's result; see {@link
   * #workflow(Flow)}.
   */
  static <T, R> JobSteps<T> workflow(Codec<R> result, FlowWithResult<T, R> flow) {
    Objects.requireNonNull(result, "result");
    Objects.requireNonNull(flow, "flow");
    return (payload, job) ->
        FlowRun.run(
            job,
            steps -> {
              R answer = flow.run(payload, steps);
              Objects.requireNonNull(
                  answer, () -> "workflow answered null, which is no result: type=" + job.type());
              return Next.done(result.encode(answer));
            });
  }
}
