package io.millrace.test;

import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerDriver;
import io.millrace.worker.WorkerListener;
import io.millrace.worker.WorkerSetup;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * The real engine on a store in memory, with a clock that stands still until the test moves it.
 * Handlers of workers run on the test's thread, one after the other, and only inside {@link #run}
 * and {@link #advance}: so a test is deterministic, and months of retries take milliseconds.
 *
 * <pre>{@code
 * try (TestEngine engine = TestEngine.create()) {
 *   engine.worker().handle(MAIL, (mail, job) -> mailer.send(mail)).start();
 *   engine.enqueue(MAIL, new Mail("ada"));
 *   engine.run();                                        // attempt 1 fails
 *   engine.assertJobs(MAIL).delayed(1).nextIn(Duration.ofSeconds(1));
 *   engine.advance(Duration.ofHours(1));                 // all attempts that fall into this hour
 *   engine.assertJobs(MAIL).hasSize(0);
 * }
 * }</pre>
 *
 * <p>It is a {@link JobQueues} like any other, so that the code that is tested gets it in place of
 * a {@code JobEngine}. Waits after failures are as long as their backoff says, without jitter. A
 * call that waits for time to pass on the test's own thread, such as a claim that waits for a job,
 * waits for ever.
 *
 * <p>The methods of this interface are for one thread, the test's; those of {@code JobQueues} are
 * for any. After {@link #close} it is of no use.
 */
public interface TestEngine extends JobQueues, WorkerDriver {

  /**
   * The time at which the clock starts unless the test says otherwise: a Monday, at midnight UTC.
   */
  Instant START_DEFAULT = Instant.parse("2024-01-01T00:00:00Z");

  /** The most handlers that run at one instant. */
  int RUNS_AT_ONCE_MAX = 10_000;

  /** The longest time by which the clock can move from its start: about a hundred years. */
  Duration TIME_MAX = Duration.ofDays(36_525);

  /** Creates an empty engine whose clock shows {@link #START_DEFAULT}. */
  static TestEngine create() {
    return create(START_DEFAULT);
  }

  /**
   * Creates an empty engine whose clock shows this time.
   *
   * @throws IllegalArgumentException the start is before 1970 or after the year 9999
   */
  static TestEngine create(Instant start) {
    return create(start, UnaryOperator.identity());
  }

  /**
   * Creates an empty engine with options of the test's own; see {@link #create(Instant)}.
   *
   * @param options given the options of a test engine, answers those to open it with; the clock
   *     stays the test's
   * @throws IllegalArgumentException as {@link #create(Instant)}, or the function loses some of its
   *     changes
   */
  static TestEngine create(Instant start, UnaryOperator<EngineOptions> options) {
    return VirtualTime.open(start, options);
  }

  /** Sets up a worker on this engine, as {@link Worker#on} does. */
  default WorkerSetup worker() {
    return Worker.on(this);
  }

  /**
   * Runs all jobs that are ready, and those that become ready by that, until none is left for which
   * there is a worker. The clock stands still. Several workers take turns. Exceptions of handlers
   * are handled by their workers, as ever. But when all jobs have run, this fails if a handler
   * threw an {@code AssertionError}; of a {@link #strict} engine also if a handler threw the
   * exception that its job died of, or one after the job was completed. Exceptions that are
   * {@linkplain #allowFailures allowed} never fail it.
   *
   * @return how many handlers ran
   * @throws AssertionError a handler threw such an exception, which is the cause; or more than
   *     {@link #RUNS_AT_ONCE_MAX} ran, and the message says which jobs are still ready
   * @throws IllegalStateException called inside a handler
   */
  int run();

  /**
   * Lets this time pass. Moves the clock from one due event to the next (a delayed job, a retry,
   * the end of a lease or of a time to live, the deadline of a signal ...) and runs at each all
   * jobs that are ready, as {@link #run} does; before the first move, too. Each handler runs at the
   * very instant at which its job is due. In the end the clock shows the given time later.
   *
   * <p>Inside a handler it lets time pass during that handler: the engine does what is due, but no
   * other handler runs.
   *
   * @return how many handlers ran
   * @throws AssertionError as {@link #run} does, when all that time has passed; or more than {@link
   *     #RUNS_AT_ONCE_MAX} ran at one instant
   * @throws IllegalArgumentException the time is negative, or ends later than {@link #TIME_MAX}
   *     after the start
   */
  int advance(Duration time);

  /**
   * Lets time pass up to this instant; see {@link #advance}.
   *
   * @throws IllegalArgumentException the clock shows a later time, or the instant is later than
   *     {@link #TIME_MAX} after the start
   */
  int advanceTo(Instant instant);

  /**
   * Fails {@link #run} and {@link #advance}, from now on, whenever a handler throws an exception
   * that no further attempt makes good. The engines that {@link MillraceExtension} gives to tests
   * are strict from the beginning.
   *
   * @return this engine
   */
  TestEngine strict();

  /**
   * Expects that handlers throw exceptions of this class, or a subclass, which fail no {@link #run}
   * and no {@link #advance} from now on: the test is about jobs that die of them. May be called
   * several times. An {@code AssertionError} that is the cause of an allowed exception is allowed
   * as well.
   */
  void allowFailures(Class<? extends Throwable> type);

  /**
   * Lets the process die, as {@code kill -9} does, and start again at the same instant. What was
   * committed is there, and nothing else. Leases have ended with their holders, so that the jobs
   * are ready again and the attempts count. Queues, tables and workers that the test has go on.
   *
   * <p>Inside a handler this ends its run by an {@link Error}, which must pass; nothing that
   * happens on its way changes anything of the job.
   *
   * @throws IllegalStateException the engine cannot be started again, since the options of the test
   *     keep it from that
   */
  void crash();

  /**
   * Lets the next commit fail and be {@link CommitFate#LOST}; see {@link
   * #failNextCommit(CommitFate)}.
   */
  default void failNextCommit() {
    failNextCommit(CommitFate.LOST);
  }

  /**
   * Lets the next commit fail, so that nobody knows its outcome: each caller that waits for it gets
   * an {@link io.millrace.api.OutcomeUnknownException}. The engine then opens its store again, at
   * the same instant and before anybody notices; leases last their full duration from then on.
   *
   * <p>A claim is a commit as well. To fail the commit by which a worker completes a job, call this
   * in the job's handler.
   */
  void failNextCommit(CommitFate fate);

  /** The fate of a commit whose outcome nobody was told. */
  enum CommitFate {
    /** The commit did not happen. */
    LOST,
    /** The commit happened. */
    KEPT
  }

  @Override
  WorkerListener listener();

  /**
   * Returns assertions about the jobs of the type as they are now, in the queues of its name.
   *
   * @throws io.millrace.MillraceException as every read; see {@link io.millrace.api.JobReader}
   */
  <T> JobsAssert<T> assertJobs(JobType<T> type);
}
