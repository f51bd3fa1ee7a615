package io.millrace.spring;

import io.millrace.worker.Schedule;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that is run again and again, at the times of a {@link Schedule}: each time is
 * a job, which is tried again if it fails, and for each instant there is at most one.
 *
 * <pre>{@code
 * @Recurring(name = "nightly", cron = "0 3 * * *", zone = "Europe/Berlin")
 * void report() { ... }
 * }</pre>
 *
 * <p>The schedule is stored when the application starts. It goes when the application starts
 * without it. The method has no payload, and returns what a {@link JobHandler} may return. All
 * texts may have placeholders, such as <code>${report.cron}</code>.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Recurring {

  /** The expression of a schedule that makes no jobs, for configuration files. */
  String DISABLED = "-";

  /** Returns the name of the schedule, and of the type of its jobs. */
  String name();

  /**
   * Returns the times as a cron expression; see {@link Schedule#cron}. Either this or {@link
   * #every} is set. {@value #DISABLED} switches the schedule off.
   */
  String cron() default "";

  /** Returns the period, as in {@code 90s} or {@code 5m}; see {@link Schedule#every}. */
  String every() default "";

  /** Returns the zone whose clocks the expression means; that of this machine unless set. */
  String zone() default "";

  /** Returns the name of the queue of its jobs; that of the schedule unless set. */
  String queue() default "";

  /** Returns the longest delay that is added to jobs; none unless set. See {@link Schedule}. */
  String jitter() default "";

  /** Returns the longest time that a job may take, as in {@code 90s} or {@code 5m}. */
  String timeout() default "";

  /** Returns the treatment of instants at which no worker made the jobs. */
  Missed missed() default Missed.RUN_ONCE;

  /** Returns the treatment of an instant at which the job that was made last has not ended. */
  Schedule.Overlap overlap() default Schedule.Overlap.ALLOW;

  /** The treatment of missed instants. */
  enum Missed {
    /** A single job, for the newest of them. */
    RUN_ONCE,
    /** Passing over. */
    SKIP
  }
}
