package io.millrace.spring;

import io.millrace.worker.HandlerContext;
import io.millrace.worker.HandlerOptions;
import io.millrace.worker.JobContext;
import io.millrace.worker.Next;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that works on jobs: returning completes the job, throwing fails the attempt.
 *
 * <pre>{@code
 * @JobHandler("mail")
 * void send(Mail mail, JobContext job) { ... }
 * }</pre>
 *
 * <p>The method has at most one payload, of any type, and at most one {@link JobContext}, in either
 * order. If it returns nothing, the context may be a {@link HandlerContext}. If it returns a {@link
 * Next}, that says what becomes of the job; any other value is the job's result. The application
 * does not start if the method has other parameters, or if two methods have one type.
 *
 * <p>Names and times may have placeholders, such as <code>${mail.queue}</code>.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface JobHandler {

  /** Returns the name of the type of the jobs, which is stored with them. */
  String value();

  /**
   * Returns the name of the queue; that of the type unless set. A bean of type {@link
   * io.millrace.api.JobType} of the same name decides on queue and codec, and this must be left
   * out.
   */
  String queue() default "";

  /** Returns how many jobs of the type run at a time; as many as the worker runs unless set. */
  int concurrency() default 0;

  /** Returns the longest time that a job may take, as in {@code 90s} or {@code 5m}. */
  String timeout() default "";

  /** Returns the exceptions that trying again cannot mend; see {@link HandlerOptions#permanent}. */
  Class<? extends Throwable>[] permanent() default {};

  /**
   * Returns the exceptions after which the job is handed back uncounted; see {@link
   * HandlerOptions#releaseOn}.
   */
  Class<? extends Throwable>[] releaseOn() default {};
}
