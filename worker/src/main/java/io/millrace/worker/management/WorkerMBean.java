package io.millrace.worker.management;

import java.util.List;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.jspecify.annotations.Nullable;

/**
 * A worker as tools see it: what it runs, and what an operator may do.
 *
 * <p>Found in the platform MBean server as {@code io.millrace:type=Worker,name="worker-4711"} from
 * its start until it has stopped; of workers that share a name, each but the first has a number as
 * well, as {@code instance=2}. Thread-safe. What is asked of schedules waits for the store, as
 * {@link #cancel} does; {@link #stop} waits for jobs; nothing else waits for anything.
 *
 * <p>What it tells are open data, which tools read without our classes: an item for each component
 * of the record that is named, called like that; absent is null. Instants and durations are in
 * milliseconds, and their items end in {@code Ms}; a queue is {@code queue} and {@code tenant}.
 *
 * <p>What goes wrong is told by {@link IllegalArgumentException} for wrong arguments and {@link
 * IllegalStateException} for everything else, whose message begins with the simple name of the
 * worker's own exception: a tool need not have our classes.
 *
 * <p>Every change is logged with its outcome.
 */
public interface WorkerMBean {

  /** The value of the key {@code type} in the object names. */
  String TYPE = "Worker";

  /** The most jobs that {@link #running} tells. */
  int RUNNING_COUNT_MAX = 1_000;

  /** The most calls of a stack that {@link #running} tells. */
  int STACK_LENGTH_MAX = 256;

  /** As which it claims. */
  String getName();

  /** Of how much weight it runs jobs at a time. */
  int getConcurrency();

  /** Runs jobs of this weight at a time from now on; those that run go on. */
  void setConcurrency(int weight);

  /** Of how much weight it runs jobs now. */
  int getBusy();

  /** How many jobs it runs now. */
  int getRunningCount();

  /** The types of jobs that it has no handler for, and how often it handed one back. */
  TabularData getUnknownTypes();

  /** Whether it claims no jobs until it is resumed. */
  boolean isPaused();

  /** Whether it was told to stop, and waits for the jobs that it runs. */
  boolean isStopping();

  /** Whether it has stopped; soon it is seen no more. */
  boolean isStopped();

  /** Claims no more jobs; those that run go on. */
  void pause();

  /** Claims jobs again. */
  void resume();

  /**
   * The jobs that it runs now, as {@link RunningJobStatus}, those that run longest first, at most
   * {@value #RUNNING_COUNT_MAX}.
   *
   * @param stackLength how many calls to tell of what each handler's thread does, the innermost
   *     first: 0 to {@value #STACK_LENGTH_MAX}
   */
  CompositeData[] running(int stackLength);

  /** Whether it runs the job now. */
  boolean isRunning(String jobId);

  /**
   * Asks for a job to be cancelled, and interrupts its handler if this worker runs it; answers as
   * {@code CancelResult}.
   */
  String cancel(String jobId);

  /**
   * Stops for good: claims no more, waits for running jobs, interrupts those that take longer, and
   * hands back what does not end then either. Answers when that is done, as {@code StopReport}.
   *
   * @param graceSeconds how long to wait, 0 for not at all
   */
  CompositeData stop(long graceSeconds);

  /**
   * A page of {@code schedules}, those that are stored with its queues, as {@code ScheduleStatus},
   * in the order of their names; {@code next} is where the next page begins, null at the end.
   *
   * @param cursor where the page begins; null for the first
   */
  CompositeData schedules(int size, @Nullable String cursor);

  /**
   * The next instants of a schedule, epoch milliseconds; none while it is paused, null if there is
   * no such schedule.
   */
  @Nullable List<Long> nextInstants(String schedule, int count);

  /** Lets a schedule make no more jobs until it is resumed; answers whether it is there. */
  boolean pauseSchedule(String schedule);

  /** Lets a paused schedule go on with what is still to come; answers whether it is there. */
  boolean resumeSchedule(String schedule);

  /** Makes a job of a schedule at once; answers its id, or null if there is no such schedule. */
  @Nullable String runScheduleNow(String schedule);
}
