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
 * <p>It is a {@link JobQueues} as any other, so that what is to be tested gets it in place of a
 * {@code JobEngine}. Waits after failures are as long as their backoff says, without jitter. What
 * waits for time to pass on the test's own thread, such as a claim that waits for a job, waits for
 * ever.
 *
 * <p>The methods of this interface are for one thread, the test's; those of {@code JobQueues} are
 * for any. After {@link #close} it is of no use.
 */
public interface TestEngine extends JobQueues, WorkerDriver {

  /** Where the clock starts unless the test says otherwise: on a Monday, at midnight UTC. */
  Instant START_DEFAULT = Instant.parse("2024-01-01T00:00:00Z");

  /** The most handlers that run at one instant. */
  int RUNS_AT_ONCE_MAX = 10_000;

  /** How far the clock goes from where it started: about a hundred years. */
  Duration TIME_MAX = Duration.ofDays(36_525);

  /** An empty engine whose clock shows {@link #START_DEFAULT}. */
  static TestEngine create() {
    return create(START_DEFAULT);
  }

  /**
   * An empty engine whose clock shows this.
   *
   * @throws IllegalArgumentException the start is before 1970 or after the year 9999
   */
  static TestEngine create(Instant start) {
    return create(start, UnaryOperator.identity());
  }

  /**
   * As the other.
   *
   * @param options is given the options of a test engine, and answers what to open it with; the
   *     clock stays the test's
   */
  static TestEngine create(Instant start, UnaryOperator<EngineOptions> options) {
    return VirtualTime.open(start, options);
  }

  /** A worker to be set up, as {@link Worker#on} of this engine. */
  default WorkerSetup worker() {
    return Worker.on(this);
  }

  /**
   * Runs all jobs that are ready, and those that become ready by that, until none is left for which
   * there is a worker; the clock stands still. Several workers take turns. What handlers throw is
   * the business of their workers, as ever; but when all have run, this fails if one threw an
   * {@code AssertionError}, and, if the engine is {@link #strict}, if it threw what its job died
   * of, or something after the job was completed; unless that is {@linkplain #allowFailures
   * allowed}.
   *
   * @return how many handlers ran
   * @throws AssertionError a handler threw such a thing, which is the cause; or more than {@link
   *     #RUNS_AT_ONCE_MAX} ran; says what is still ready
   * @throws IllegalStateException called inside a handler
   */
  int run();

  /**
   * Lets so much time pass: moves the clock from one due thing to the next (a delayed job, a retry,
   * the end of a lease or of a time to live, the deadline of a signal ...) and runs at each all
   * that is ready, as {@link #run} does; before the first move, too. Each handler runs at the very
   * instant at which its job is due. In the end the clock shows the given time later.
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
   * As {@link #advance}, up to this instant.
   *
   * @throws IllegalArgumentException the clock shows a later one, or this is later than {@link
   *     #TIME_MAX} after the start
   */
  int advanceTo(Instant instant);

  /**
   * Fails {@link #run} and {@link #advance}, from now on, whenever a handler throws what no further
   * attempt makes good. The engines that {@link MillraceExtension} gives to tests are so from the
   * beginning.
   *
   * @return this engine
   */
  TestEngine strict();

  /**
   * Says that handlers may throw this, or a subclass, and it fails no {@link #run} and no {@link
   * #advance} from now on: the test is about jobs that die of it. May be called several times. An
   * {@code AssertionError} that is the cause of what is allowed is allowed as well.
   */
  void allowFailures(Class<? extends Throwable> type);

  /**
   * Lets the process die, as {@code kill -9} does, and start again at the same instant. What is
   * committed is there, and nothing else; leases ended with their holders, so that the jobs are
   * ready again and the attempts count. Queues, tables and workers that the test has go on.
   *
   * <p>Inside a handler this ends its run by an {@link Error}, which must pass; nothing that
   * happens on its way changes anything of the job.
   */
  void crash();

  /** As {@link #failNextCommit(CommitFate)} with {@link CommitFate#LOST}. */
  default void failNextCommit() {
    failNextCommit(CommitFate.LOST);
  }

  /**
   * Lets the next commit fail, so that nobody knows what became of it: whoever waits for it gets an
   * {@link io.millrace.api.OutcomeUnknownException}. The engine then opens its store again, at the
   * same instant and before anybody notices; leases last their full duration from then on.
   *
   * <p>A claim is a commit as well. To let the commit fail by which a worker completes a job, call
   * this in the job's handler.
   */
  void failNextCommit(CommitFate fate);

  /** What became of a commit whose outcome nobody was told. */
  enum CommitFate {
    /** It did not happen. */
    LOST,
    /** It did. */
    KEPT
  }

  @Override
  WorkerListener listener();

  /** The jobs of the type as they are now, in the queues of its name, to be looked at. */
  <T> JobsAssert<T> assertJobs(JobType<T> type);
}
