package io.millrace.worker;

import io.millrace.api.BatchId;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.options.Checks;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A job that is to be enqueued again and again, and the times at which. Immutable: every method
 * returns another schedule. A schedule has no effect until it is {@linkplain Schedules#put put}.
 *
 * <pre>{@code
 * Schedule.cron("nightly", "0 3 * * *", ZoneId.of("Europe/Berlin")).enqueue(REPORT, "all")
 * Schedule.every("ping", Duration.ofMinutes(5)).enqueue(PING, "db-1").missed(Missed.SKIP)
 * }</pre>
 *
 * <p>Each job that a schedule makes has a header {@value #SCHEDULED_FOR}, which names the instant
 * that the job is for.
 */
public final class Schedule {

  /** The header that names the instant of its schedule that a job is for, in ISO 8601. */
  public static final String SCHEDULED_FOR = "millrace-scheduled-for";

  /** The shortest period. */
  public static final Duration PERIOD_LEAST = Duration.ofSeconds(1);

  /** The longest payload of a recurring job, in bytes; longer ones belong in a table. */
  public static final int PAYLOAD_BYTES_MAX = 256 << 10;

  /** The most missed instants that can be made up for, each with a job of its own. */
  public static final int MISSED_COUNT_MAX = 100;

  /** The longest delay with which a job is made for an instant that does not count as missed. */
  public static final Duration LATE_MOST = Duration.ofMinutes(1);

  /** An instant whose text is as long as any. */
  private static final String SOME_INSTANT = "9999-12-31T23:59:59.999Z";

  private final String name;
  private final Recurrence times;
  private Missed missed = Missed.RUN_ONCE;
  private Overlap overlap = Overlap.ALLOW;
  private Duration jitter = Duration.ZERO;
  private Optional<QueueName> queue = Optional.empty();
  private NewJob job = NewJob.of(new byte[0]);

  /** The treatment of missed instants: those at which no worker made the schedule's jobs. */
  public sealed interface Missed {

    /** A single job, for the newest of the missed instants. */
    Missed RUN_ONCE = new RunOnce();

    /**
     * Passing over: missed instants get no job. An instant counts as missed when a later one has
     * come, or when it is longer ago than {@link Schedule#LATE_MOST}.
     */
    Missed SKIP = new Skip();

    /**
     * Makes a job for each missed instant, all at once, but for the newest ones only.
     *
     * @param most how many of the newest, 1 to {@value Schedule#MISSED_COUNT_MAX}
     * @throws IllegalArgumentException the number is out of this range
     */
    static Missed all(int most) {
      return new All(most);
    }

    /** See {@link #RUN_ONCE}. */
    record RunOnce() implements Missed {
      @Override
      public String toString() {
        return "RUN_ONCE";
      }
    }

    /** See {@link #SKIP}. */
    record Skip() implements Missed {
      @Override
      public String toString() {
        return "SKIP";
      }
    }

    /** See {@link #all}. */
    record All(int most) implements Missed {
      /**
       * Creates the treatment.
       *
       * @throws IllegalArgumentException the number is not from 1 to {@value
       *     Schedule#MISSED_COUNT_MAX}
       */
      public All {
        Checks.inRange("most", most, 1, MISSED_COUNT_MAX);
      }

      @Override
      public String toString() {
        return "ALL(" + most + ")";
      }
    }
  }

  /** The treatment of an instant at which the job that was made last has not ended. */
  public enum Overlap {
    /** Another job, beside the one that has not ended. */
    ALLOW,
    /** Passing over: the instant gets no job. A dead job counts as ended. */
    SKIP
  }

  private Schedule(String name, Recurrence times) {
    this.name = Checks.text("name", name, 1, Limits.NAME_BYTES_MAX);
    this.times = times;
  }

  private Schedule(Schedule other) {
    name = other.name;
    times = other.times;
    missed = other.missed;
    overlap = other.overlap;
    jitter = other.jitter;
    queue = other.queue;
    job = other.job;
  }

  private Schedule checked() {
    if (overlap == Overlap.SKIP && missed instanceof Missed.All) {
      throw new IllegalArgumentException(
          "schedule cannot make several jobs for missed instants and none while one has not ended:"
              + " name="
              + name
              + "; use Missed.RUN_ONCE, or Overlap.ALLOW");
    }
    return this;
  }

  /**
   * Creates a schedule with the times that a cron expression names, by clocks in a zone. The fields
   * are minute, hour, day of month, month, day of week, and seconds before them if there are six.
   * Fields are numbers, names, ranges ({@code 9-17}), lists ({@code 1,15}), steps ({@code *}{@code
   * /10}) and {@code *}; {@code L} is the last day of the month; {@code @hourly}, {@code @daily},
   * {@code @weekly}, {@code
   * @monthly} and {@code @yearly} stand for what they say. If both day fields say something other
   *     than {@code *}, a day that fits one of them is enough.
   *
   * <p>Where clocks are put forward or back, a job of every hour or minute goes on as clocks show.
   * Any other runs once a day all the same: at a time that comes twice, when it comes first, and at
   * one that does not come, at the moment when clocks are put forward.
   *
   * @param name the name of the schedule, for ever; 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8
   * @throws IllegalArgumentException the expression cannot be read, and at which character; none
   *     of the days that it names ever comes; or the name is out of its range or not valid Unicode
   */
  public static Schedule cron(String name, String expression, ZoneId zone) {
    Objects.requireNonNull(zone, "zone");
    return new Schedule(name, new CronTimes(CronExpression.parse(expression), zone));
  }

  /**
   * Creates a schedule whose first time is a period after it was put, and then each period later,
   * to the millisecond and without drift.
   *
   * @param name the name of the schedule, for ever; 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8
   * @param period whole milliseconds, from {@link #PERIOD_LEAST} to ten years
   * @throws IllegalArgumentException the name or the period is out of its range, the name is not
   *     valid Unicode, or the period is not of whole milliseconds
   */
  public static Schedule every(String name, Duration period) {
    Checks.inRange("period", period, PERIOD_LEAST, Limits.DELAY_MAX);
    return new Schedule(name, new PeriodTimes(wholeMs("period", period), 0));
  }

  private static long wholeMs(String parameter, Duration value) {
    long ms = value.toMillis();
    if (!Duration.ofMillis(ms).equals(value)) {
      throw new IllegalArgumentException(
          parameter + " is not of whole milliseconds: value=" + value + "; round it");
    }
    return ms;
  }

  /**
   * Sets the job that is enqueued, with the type's options as they are now.
   *
   * @throws IllegalArgumentException as {@link #enqueue(JobType, Object, UnaryOperator)}
   */
  public <T> Schedule enqueue(JobType<T> type, T payload) {
    return enqueue(type, payload, UnaryOperator.identity());
  }

  /**
   * Sets the job that is enqueued, with options of its own. A delay among them runs from the
   * instant that a job is for.
   *
   * @param options given the type's options, answers those of the jobs; called once, now
   * @throws IllegalArgumentException the schedule has a job already, the payload is longer than
   *     {@value #PAYLOAD_BYTES_MAX} bytes, or the options name an instant ({@link
   *     EnqueueOptions#visibleAt}) or a {@link EnqueueOptions#batch}, have no room for one more
   *     header, or as {@link JobType#newJob(Object, UnaryOperator)}
   */
  public <T> Schedule enqueue(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    if (queue.isPresent()) {
      throw new IllegalArgumentException(
          "schedule has a job already: name=" + name + "; make another schedule for the other job");
    }
    NewJob made = type.newJob(payload, options);
    Checks.bytes("payload", made.payload(), PAYLOAD_BYTES_MAX);
    made.options().visibleAt().ifPresent(Schedule::refuse);
    made.options().batch().ifPresent(Schedule::refuse);
    // Each job has this header, too: here is where somebody sees that there is no room for it.
    made.options().header(SCHEDULED_FOR, SOME_INSTANT);
    Schedule changed = new Schedule(this);
    changed.queue = Optional.of(type.queueName());
    changed.job = new NewJob(made.payload().clone(), made.options());
    return changed;
  }

  private static void refuse(Instant visibleAt) {
    throw new IllegalArgumentException(
        "options of a recurring job name an instant: visibleAt="
            + visibleAt
            + "; say a delay, or nothing");
  }

  private static void refuse(BatchId batch) {
    throw new IllegalArgumentException(
        "options of a recurring job name a batch, which ends: batch="
            + batch
            + "; let the job start a batch of its own");
  }

  /**
   * Sets the treatment of missed instants; {@link Missed#RUN_ONCE} unless set.
   *
   * @throws IllegalArgumentException {@link Missed#all} and {@link Overlap#SKIP} do not go together
   */
  public Schedule missed(Missed value) {
    Schedule changed = new Schedule(this);
    changed.missed = Objects.requireNonNull(value, "missed");
    return changed.checked();
  }

  /**
   * Sets the treatment of an instant at which the last job has not ended; {@link Overlap#ALLOW}
   * unless set.
   *
   * @throws IllegalArgumentException {@link Missed#all} and {@link Overlap#SKIP} do not go together
   */
  public Schedule overlap(Overlap value) {
    Schedule changed = new Schedule(this);
    changed.overlap = Objects.requireNonNull(value, "overlap");
    return changed.checked();
  }

  /**
   * Sets the longest delay that is added to jobs, a different one to each, so that the jobs of many
   * schedules do not begin together. The delay of a job follows from the schedule's name and the
   * instant.
   *
   * @throws IllegalArgumentException the time is not from zero to {@link Limits#DELAY_MAX}, or not
   *     of whole milliseconds
   */
  public Schedule jitter(Duration most) {
    Checks.upTo("jitter", most, Limits.DELAY_MAX);
    wholeMs("jitter", most);
    Schedule changed = new Schedule(this);
    changed.jitter = most;
    return changed;
  }

  /**
   * Returns the instants that come after a time, as if the schedule were put then: to see what an
   * expression means.
   *
   * @param count how many, 1 to {@value Limits#PAGE_SIZE_MAX}
   * @throws IllegalArgumentException the number is out of its range, or the instant is not from
   *     1970 to 9999
   */
  public List<Instant> next(Instant after, int count) {
    Checks.inRange("count", count, 1, Limits.PAGE_SIZE_MAX);
    long ms = Checks.instant("after", after).toEpochMilli();
    Recurrence begun = times.beginningAt(ms);
    List<Instant> instants = new ArrayList<>(count);
    while (instants.size() < count) {
      ms = begun.nextMs(ms);
      instants.add(Instant.ofEpochMilli(ms));
    }
    return instants;
  }

  public String name() {
    return name;
  }

  /** Returns the plan that is stored for this schedule. */
  SchedulePlan plan() {
    QueueName where =
        queue.orElseThrow(
            () ->
                new IllegalArgumentException(
                    "schedule has no job: name=" + name + "; say what it enqueues"));
    return new SchedulePlan(times, missed, overlap, jitter.toMillis(), where, job);
  }

  /** Returns the name and the times. */
  @Override
  public String toString() {
    return name + ": " + times;
  }
}
