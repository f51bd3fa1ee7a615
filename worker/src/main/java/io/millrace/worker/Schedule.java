package io.millrace.worker;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What is to be enqueued again and again, and when. Immutable: every method answers another one. It
 * does nothing until it is {@linkplain Schedules#put put}.
 *
 * <pre>{@code
 * Schedule.cron("nightly", "0 3 * * *", ZoneId.of("Europe/Berlin")).enqueue(REPORT, "all")
 * Schedule.every("ping", Duration.ofMinutes(5)).enqueue(PING, "db-1").missed(Missed.SKIP)
 * }</pre>
 *
 * <p>Each job that it makes says in its header {@value #SCHEDULED_FOR} which instant it is for.
 */
public final class Schedule {

  /** The header that says which instant of its schedule a job is for, in ISO 8601. */
  public static final String SCHEDULED_FOR = "millrace-scheduled-for";

  /** Shortest period. */
  public static final Duration PERIOD_LEAST = Duration.ofSeconds(1);

  /** Longest payload of a recurring job, in bytes: what is longer belongs into a table. */
  public static final int PAYLOAD_BYTES_MAX = 256 << 10;

  /** Most missed instants that can be made up for, each with a job of its own. */
  public static final int MISSED_COUNT_MAX = 100;

  /** So late a job is made at most for an instant that does not count as missed. */
  public static final Duration LATE_MOST = Duration.ofMinutes(1);

  /** An instant of the longest text that there is. */
  private static final String SOME_INSTANT = "9999-12-31T23:59:59.999Z";

  private final String name;
  private final Recurrence times;
  private Missed missed = Missed.RUN_ONCE;
  private Overlap overlap = Overlap.ALLOW;
  private Duration jitter = Duration.ZERO;
  private Optional<QueueName> queue = Optional.empty();
  private NewJob job = NewJob.of(new byte[0]);

  /** What becomes of instants at which no worker made the jobs of schedules. */
  public sealed interface Missed {

    /** One job is made, for the newest of them. */
    Missed RUN_ONCE = new RunOnce();

    /**
     * None is made. An instant counts as missed when a later one has come, or it is longer ago than
     * {@link Schedule#LATE_MOST}.
     */
    Missed SKIP = new Skip();

    /**
     * A job is made for each, at once, but for the newest ones only.
     *
     * @param most 1 to {@value Schedule#MISSED_COUNT_MAX}
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
      public All {
        Limits.inRange("most", most, 1, MISSED_COUNT_MAX);
      }

      @Override
      public String toString() {
        return "ALL(" + most + ")";
      }
    }
  }

  /** What if the job that was made last has not ended when the next is due. */
  public enum Overlap {
    /** Another is made. */
    ALLOW,
    /** None is made, and the instant is passed over. A dead job has ended. */
    SKIP
  }

  private Schedule(String name, Recurrence times) {
    this.name = Limits.text("name", name, 1, Limits.NAME_BYTES_MAX);
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
   * At the times that a cron expression names, by clocks in a zone: minute, hour, day of month,
   * month, day of week, and seconds before them if there are six. Fields are numbers, names, ranges
   * ({@code 9-17}), lists ({@code 1,15}), steps ({@code *}{@code /10}) and {@code *}; {@code L} is
   * the last day of the month; {@code @hourly}, {@code @daily}, {@code @weekly}, {@code @monthly}
   * and {@code @yearly} stand for what they say. If both days say something other than {@code *},
   * one of them is enough.
   *
   * <p>Where clocks are put forward or back, a job of every hour or minute goes on as clocks show.
   * Any other runs once a day all the same: what comes twice when it comes first, and what does not
   * come at the moment when clocks are put forward.
   *
   * @param name what it is called, for ever; 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8
   * @throws IllegalArgumentException the expression cannot be read, and at which character; or none
   *     of the days that it names ever comes
   */
  public static Schedule cron(String name, String expression, ZoneId zone) {
    Objects.requireNonNull(zone, "zone");
    return new Schedule(name, new CronTimes(CronExpression.parse(expression), zone));
  }

  /**
   * A period after it was put, and then each period later, to the millisecond and without drift.
   *
   * @param name what it is called, for ever; 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8
   * @param period whole milliseconds, from {@link #PERIOD_LEAST} to ten years
   */
  public static Schedule every(String name, Duration period) {
    Limits.inRange("period", period, PERIOD_LEAST, Limits.DELAY_MAX);
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

  /** What it enqueues, with the type's options as they are now. */
  public <T> Schedule enqueue(JobType<T> type, T payload) {
    return enqueue(type, payload, UnaryOperator.identity());
  }

  /**
   * As the other; the function is given the type's options, and answers those of the jobs. It is
   * called once, now. A delay runs from the instant that a job is for.
   *
   * @throws IllegalArgumentException there is a job already, the payload is longer than {@value
   *     #PAYLOAD_BYTES_MAX} bytes, or the options say an instant ({@link EnqueueOptions#visibleAt})
   */
  public <T> Schedule enqueue(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    if (queue.isPresent()) {
      throw new IllegalArgumentException(
          "schedule has a job already: name=" + name + "; make another schedule for the other job");
    }
    NewJob made = type.newJob(payload, options);
    Limits.inRange("payload length in bytes", made.payload().length, 0, PAYLOAD_BYTES_MAX);
    made.options().visibleAt().ifPresent(Schedule::refuse);
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

  /** What becomes of missed instants; {@link Missed#RUN_ONCE} unless set. */
  public Schedule missed(Missed value) {
    Schedule changed = new Schedule(this);
    changed.missed = Objects.requireNonNull(value, "missed");
    return changed.checked();
  }

  /** What if the job that was made last has not ended; {@link Overlap#ALLOW} unless set. */
  public Schedule overlap(Overlap value) {
    Schedule changed = new Schedule(this);
    changed.overlap = Objects.requireNonNull(value, "overlap");
    return changed.checked();
  }

  /**
   * Jobs are delayed by up to this, each by another time, so that those of many schedules do not
   * begin together. How long it is follows from the schedule's name and the instant.
   */
  public Schedule jitter(Duration most) {
    Limits.delay("jitter", most);
    wholeMs("jitter", most);
    Schedule changed = new Schedule(this);
    changed.jitter = most;
    return changed;
  }

  /**
   * The instants that come after one, if it were put then: to see what an expression means.
   *
   * @param count 1 to {@value Limits#PAGE_SIZE_MAX}
   */
  public List<Instant> next(Instant after, int count) {
    Limits.inRange("count", count, 1, Limits.PAGE_SIZE_MAX);
    long ms = Limits.instant("after", after).toEpochMilli();
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

  /** What is to be stored of it. */
  SchedulePlan plan() {
    QueueName where =
        queue.orElseThrow(
            () ->
                new IllegalArgumentException(
                    "schedule has no job: name=" + name + "; say what it enqueues"));
    return new SchedulePlan(times, missed, overlap, jitter.toMillis(), where, job);
  }

  /** Its name and its times. */
  @Override
  public String toString() {
    return name + ": " + times;
  }
}
