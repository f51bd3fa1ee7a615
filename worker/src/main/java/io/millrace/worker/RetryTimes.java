package io.millrace.worker;

import io.millrace.api.Backoff;
import io.millrace.api.FailOptions;
import io.millrace.api.Lease;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The waits of one handler's jobs after failed attempts. Any thread. */
final class RetryTimes {

  private static final Logger LOG = LoggerFactory.getLogger(RetryTimes.class);
  private static final String FAULT =
      "a backoff function failed, and its jobs wait as their backoff says; this is said"
          + " once: type=%s, job=%s, attempt=%s";

  private final HandlerOptions options;
  private final Logger log;
  private final AtomicBoolean hasTold = new AtomicBoolean();

  RetryTimes(HandlerOptions options) {
    this(options, LOG);
  }

  RetryTimes(HandlerOptions options, Logger log) {
    this.options = options;
    this.log = log;
  }

  /** Returns options to try again after exactly this time, whatever backoff the job has. */
  static FailOptions after(Duration delay) {
    return FailOptions.RETRY.backoff(Backoff.fixed(delay)); // a delay alone is capped by the job's
  }

  /**
   * Returns options without asking the user's function: for runs that were cut short, or where no
   * user code may run.
   */
  FailOptions unasked() {
    return options.backoff().map(FailOptions.RETRY::backoff).orElse(FailOptions.RETRY);
  }

  /**
   * Returns options after an attempt that failed with this exception, or with none. Calls the
   * user's function.
   */
  FailOptions after(Lease lease, @Nullable Throwable thrown) {
    return thrown instanceof RetryAfterException said
        ? after(said.delay())
        : asked(lease, thrown).orElseGet(this::unasked);
  }

  private Optional<FailOptions> asked(Lease lease, @Nullable Throwable thrown) {
    try {
      return options
          .backoffFunction()
          .flatMap(
              function ->
                  Objects.requireNonNull(
                      function.waitAfter(lease.attempt(), thrown), "the function answered null"))
          .map(RetryTimes::after);
    } catch (Throwable e) {
      if (!hasTold.getAndSet(true)) {
        Telling.tell(
            () -> log.warn(FAULT.formatted(lease.type(), lease.jobId(), lease.attempt()), e));
      }
      return Optional.empty();
    }
  }
}
