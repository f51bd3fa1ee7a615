package io.millrace.protocol;

import io.millrace.api.JobEvent;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** An event in the life of a job, as a server tells it. */
public record HeardEvent(
    Kind kind,
    JobId jobId,
    QueueName queue,
    String type,
    int attempt,
    Instant at,
    Optional<Duration> waited,
    Optional<Duration> ran,
    Optional<String> worker,
    Optional<String> error,
    Optional<JobState> state)
    implements JobEvent {

  /** Returns the event as it is told. */
  public static HeardEvent of(JobEvent event) {
    return event instanceof HeardEvent heard
        ? heard
        : new HeardEvent(
            event.kind(),
            event.jobId(),
            event.queue(),
            event.type(),
            event.attempt(),
            event.at(),
            event.waited(),
            event.ran(),
            event.worker(),
            event.error(),
            event.state());
  }
}
