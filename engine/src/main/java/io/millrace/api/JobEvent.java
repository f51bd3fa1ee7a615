package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Something that happened to a job. Immutable. Made by Millrace alone: it may get more accessors.
 */
public interface JobEvent {

  /** What happened. There may be more kinds one day: have a default for them. */
  enum Kind {
    /** The job joined its queue, to be served at once or later. */
    ENQUEUED,
    /** A worker was granted a lease on it. */
    CLAIMED,
    /** It was completed. */
    COMPLETED,
    /** An attempt failed, and it will be tried again. */
    RETRIED,
    /** It was handed back, by its worker or as the engine closed. */
    RELEASED,
    /** It was handed back until later. */
    SNOOZED,
    /** Its worker let it wait for a signal; it is ready at once if there is one already. */
    WAITED,
    /** It waited for a signal, and goes on: that came, or its deadline passed. */
    WOKEN,
    /** Its lease ran out, or its process died, and it will be tried again. */
    EXPIRED,
    /** It is a dead letter: it failed, or its lease ran out, and that was for good. */
    DIED,
    /** It was cancelled, while it waited or as its lease ended. */
    CANCELLED,
    /** It was removed, for nobody had started it within its time to live. */
    DROPPED,
    /**
     * It was removed: purged, deleted from the dead letters or with its queue, or its retention has
     * passed.
     */
    REMOVED,
    /** A dead letter is to be worked on again. */
    REDRIVEN,
    /** Its record turned out to be damaged while somebody worked on it, and was set aside. */
    QUARANTINED
  }

  /** What happened. */
  Kind kind();

  /** To which job. */
  JobId jobId();

  /** Whose queue it is. */
  QueueName queue();

  /** What kind of work it is: the queue's name if nothing else was said. */
  String type();

  /** How many starts count since it was enqueued or redriven, one that runs included. */
  int attempt();

  /** When, in engine time. */
  Instant at();

  /** How long it had been ready; of a start. */
  Optional<Duration> waited();

  /** How long the attempt lasted; of the end of one. */
  Optional<Duration> ran();

  /** Whose attempt it is; empty if nobody worked on it. */
  Optional<String> worker();

  /** What the attempt failed of. */
  Optional<String> error();

  /** The job's state from then on; empty if it is no more. */
  Optional<JobState> state();
}
