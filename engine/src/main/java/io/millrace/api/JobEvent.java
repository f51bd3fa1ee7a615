package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An event in the life of a job. Immutable. Only Millrace implements this interface, and accessors
 * may be added.
 */
public interface JobEvent {

  /** The kinds of events. More may be added: have a default for them. */
  enum Kind {
    /** The job joined its queue, to be served at once or later. */
    ENQUEUED,
    /** A worker was granted a lease on the job. */
    CLAIMED,
    /** The job was completed. */
    COMPLETED,
    /** An attempt failed, and the job will be tried again. */
    RETRIED,
    /** The job was handed back, by its worker or because the engine was closed. */
    RELEASED,
    /** The job was handed back until later. */
    SNOOZED,
    /**
     * The job's worker let it wait for a signal. It is ready at once if the signal has come
     * already.
     */
    WAITED,
    /** The job waited for a signal and goes on: the signal came, or the deadline passed. */
    WOKEN,
    /** The job's lease ran out, or its process died, and the job will be tried again. */
    EXPIRED,
    /**
     * The job became a dead letter: it failed for good, or its last attempt failed or outlived its
     * lease.
     */
    DIED,
    /** The job was cancelled, while it waited or when its lease ended. */
    CANCELLED,
    /** The job was removed because it was not started within its time to live. */
    DROPPED,
    /**
     * The job was removed: it was purged, it was deleted from the dead letters or with its queue,
     * or its retention has passed.
     */
    REMOVED,
    /** A dead letter is to be worked on again. */
    REDRIVEN,
    /** The job's record turned out to be damaged while a worker held it, and was set aside. */
    QUARANTINED
  }

  /** Returns the kind of event. */
  Kind kind();

  /** Returns the id of the job. */
  JobId jobId();

  /** Returns the name of the job's queue. */
  QueueName queue();

  /** Returns the kind of work that the job is; the queue's name if no type was set. */
  String type();

  /**
   * Returns the number of starts that count since the job was enqueued or redriven, including a
   * running one.
   */
  int attempt();

  /** Returns when the event happened, in engine time. */
  Instant at();

  /**
   * Returns how long the job had been ready when it was claimed; present for {@link Kind#CLAIMED}
   * only.
   */
  Optional<Duration> waited();

  /** Returns how long the attempt lasted; present if the event ended an attempt. */
  Optional<Duration> ran();

  /** Returns the worker whose attempt it is; empty if no worker held the job. */
  Optional<String> worker();

  /** Returns the error that the attempt failed with; empty if there is none. */
  Optional<String> error();

  /** Returns the job's state after the event; empty if the job no longer exists. */
  Optional<JobState> state();
}
