package io.millrace.worker.management;

import java.util.List;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.jspecify.annotations.Nullable;

/**
 * A worker as tools see it: the jobs that it runs, and what an operator may do.
 *
 * <p>Found in the platform MBean server as {@code io.millrace:type=Worker,name="worker-4711"} from
 * its start until it has stopped; of workers that share a name, each but the first has a number as
 * well, as {@code instance=2}. Thread-safe. Calls about schedules wait for the store, as {@link
 * #cancel} does; {@link #stop} waits for jobs; no other call waits for anything.
 *
 * <p>Answers are open data, which tools read without our classes: an item for each component of the
 * record that is named, called like that; absent is null. Instants and durations are in
 * milliseconds, and their items end in {@code Ms}; a queue is {@code queue} and {@code tenant}.
 *
 * <p><b>Errors</b> are an {@link IllegalArgumentException} for wrong arguments and an {@link
 * IllegalStateException} for everything else, whose message begins with the simple name of the
 * worker's own exception: a tool need not have our classes.
 *
 * <p>Every change is logged with its outcome.
 */
public interface WorkerMBean {

  /** The value of the key {@code type} in the object names. */
  String TYPE = "Worker";

  /** The most jobs that {@link #running} returns. */
  int RUNNING_COUNT_MAX = 1_000;

  /** The most calls of a stack that {@link #running} returns. */
  int STACK_LENGTH_MAX = 256;

  /** Returns the name under which the worker claims. */
  String getName();

  /**
   * Returns the name of the engine whose jobs it runs, as that engine's own bean has it; null if
   * tools do not see that engine.
   */
  @Nullable String getEngine();

  /** Returns the total weight of jobs that may run at a time. */
  int getConcurrency();

  /**
   * Sets the total weight of jobs that may run at a time, from now on; those that run go on.
   *
   * @throws IllegalArgumentException the weight is not from 1 to 65,535
   */
  void setConcurrency(int weight);

  /**
   * Returns the total weight of the jobs that were claimed and whose handlers have not returned.
   */
  int getBusy();

  /** Returns the number of jobs that run now. */
  int getRunningCount();

  /**
   * Returns the types of jobs that the worker has no handler for, and how often it met such a job.
   */
  TabularData getUnknownTypes();

  /** Tells whether the worker claims no jobs until it is resumed. */
  boolean isPaused();

  /** Tells whether the worker was told to stop, and waits for the jobs that it runs. */
  boolean isStopping();

  /** Tells whether the worker has stopped; soon it is no longer visible. */
  boolean isStopped();

  /** Stops claiming jobs; those that run go on. */
  void pause();

  /** Claims jobs again. */
  void resume();

  /**
   * Returns the jobs that run now, as {@link RunningJobStatus}, those that have run longest first,
   * at most {@value #RUNNING_COUNT_MAX}.
   *
   * @param stackLength the most calls of each handler's thread to return, the innermost first: 0 to
   *     {@value #STACK_LENGTH_MAX}
   * @throws IllegalArgumentException the number is out of its range
   */
  CompositeData[] running(int stackLength);

  /**
   * Tells whether the job runs now.
   *
   * @throws IllegalArgumentException the text is no id of a job
   */
  boolean isRunning(String jobId);

  /**
   * Asks for a job to be cancelled, and interrupts its handler if this worker runs it; returns the
   * name of a {@code CancelResult}.
   *
   * @throws IllegalArgumentException the text is no id of a job
   * @throws IllegalStateException as every call; see {@link WorkerMBean}
   */
  String cancel(String jobId);

  /**
   * Stops for good: claims no more, waits for running jobs, interrupts those that take longer, and
   * hands back those that do not end then either. Returns when that is done, with a {@code
   * StopReport}.
   *
   * @param graceSeconds how long to wait, 0 for not at all
   * @throws IllegalArgumentException the time is negative, or longer than ten years; the worker
   *     goes on
   * @throws IllegalStateException as every call; see {@link WorkerMBean}
   */
  CompositeData stop(long graceSeconds);

  /**
   * Returns a page of {@code schedules}, those that are stored with the worker's queues, as {@code
   * ScheduleStatus}, in the order of their names; {@code next} is where the next page begins, null
   * at the end.
   *
   * @param cursor where the page begins; null for the first
   * @throws IllegalArgumentException the size is not from 1 to 1,000, or the cursor is not of such
   *     a page
   * @throws IllegalStateException as every call; see {@link WorkerMBean}
   */
  CompositeData schedules(int size, @Nullable String cursor);

  /**
   * Returns the next instants of a schedule, in epoch milliseconds; none while it is paused, null
   * if there is no such schedule.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the number is not
   *     from 1 to 1,000
   * @throws IllegalStateException as every call; see {@link WorkerMBean}
   */
  @Nullable List<Long> nextInstants(String schedule, int count);

  /**
   * Lets a schedule make no more jobs until it is resumed; returns whether there is such a
   * schedule.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8
   * @throws IllegalStateException as every call; see {@link WorkerMBean}
   */
  boolean pauseSchedule(String schedule);

  /**
   * Lets a paused schedule go on with the instants that are still to come; returns whether there is
   * such a schedule.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8
   * @throws IllegalStateException as every call; see {@link WorkerMBean}
   */
  boolean resumeSchedule(String schedule);

  /**
   * Makes a job of a schedule at once; returns its id, or null if there is no such schedule.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8
   * @throws IllegalStateException as every call; see {@link WorkerMBean}
   */
  @Nullable String runScheduleNow(String schedule);
}
