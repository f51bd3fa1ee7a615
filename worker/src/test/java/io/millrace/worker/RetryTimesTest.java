package io.millrace.worker;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a function that is at fault leaves in the log. */
class RetryTimesTest extends WorkerRig {

  private final LogRecorder log = new LogRecorder();

  @Test
  void after_functionFailsAgainAndAgain_isLoggedOnce() {
    IllegalStateException fault = new IllegalStateException("in the function");
    HandlerOptions options =
        HandlerOptions.DEFAULT.backoff(
            (attempt, thrown) -> {
              throw fault;
            });
    RetryTimes times = new RetryTimes(options, log.logger());
    JobId id = queues.enqueue(MAIL, "m").jobId();
    Lease lease = queues.queue("mail").claim("w", ofSeconds(30)).orElseThrow();

    FailOptions first = times.after(lease, null);
    FailOptions second = times.after(lease, new IllegalStateException("of the handler"));

    assertThat(first).isEqualTo(FailOptions.RETRY);
    assertThat(second).isEqualTo(FailOptions.RETRY);
    assertThat(log.lines())
        .containsExactly(
            new LogRecorder.Line(
                "warn",
                "a backoff function failed, and its jobs wait as their backoff says; this is said"
                    + " once: type=mail, job="
                    + id
                    + ", attempt=1",
                fault));
  }

  @Test
  void after_functionAnswersNone_isNoFault() {
    HandlerOptions options =
        HandlerOptions.DEFAULT.backoff((attempt, thrown) -> Optional.<Duration>empty());
    RetryTimes times = new RetryTimes(options, log.logger());
    queues.enqueue(MAIL, "m");
    Lease lease = queues.queue("mail").claim("w", ofSeconds(30)).orElseThrow();

    assertThat(times.after(lease, null)).isEqualTo(FailOptions.RETRY);
    assertThat(log.lines()).isEmpty();
  }
}
