package io.millrace.console.source;

import io.millrace.api.BatchId;
import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.api.Result;
import io.millrace.api.UpdateOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The changes that a console makes. Any thread may make them. */
public interface Changes {

  /**
   * The outcome of a change.
   *
   * @param word the name of the result
   * @param isDone whether it is the one that was wanted
   */
  record Outcome(String word, boolean isDone) {

    /** The outcome for a job that is no longer there. */
    public static final Outcome GONE = new Outcome("GONE", false);

    /** Returns the outcome that a result is. */
    public static <R extends Enum<R> & Result<R>> Outcome of(R result) {
      return new Outcome(result.name(), result.isDone());
    }

    /** Returns the outcome of a redrive. */
    public static Outcome of(RedriveResult result) {
      if (result instanceof RedriveResult.Duplicate duplicate) {
        return new Outcome("DUPLICATE of " + duplicate.holder(), false);
      }
      return new Outcome(
          result
              .getClass()
              .getSimpleName()
              .replaceAll("(?<=.)(?=[A-Z])", "_")
              .toUpperCase(Locale.ROOT),
          result.isDone());
    }

    /** Returns the outcome of the removal of a dead letter. */
    public static Outcome ofDelete(boolean isDeleted) {
      return isDeleted ? new Outcome("DELETED", true) : GONE;
    }
  }

  /** Cancels a job; interrupts its handler if it runs on a worker that is known. */
  Outcome cancel(JobId id);

  /** Takes a job from the worker that holds it. */
  Outcome release(JobId id);

  /** Makes a dead letter ready again. */
  Outcome redrive(JobId id);

  /** Removes a dead letter for good. */
  Outcome deleteDead(JobId id);

  Outcome reschedule(JobId id, Instant visibleAt);

  Outcome update(JobId id, UpdateOptions changes);

  /** Makes a dead letter of a job that waits for a signal which does not come. */
  Outcome failStuck(JobId id, String error);

  Outcome signal(JobId id, String signal, byte[] payload);

  void pause(QueueName queue);

  void resume(QueueName queue);

  /** Refuses enqueues to a queue, until {@link #endDrain}. */
  void drain(QueueName queue);

  void endDrain(QueueName queue);

  /** Removes all jobs of a queue in these states; returns how many. */
  long purge(QueueName queue, Set<JobState> states);

  /** Changes a queue's own settings, by texts. */
  void configure(QueueName queue, Map<String, String> settings);

  /** Deletes a queue with all its jobs; returns whether it was there. */
  boolean deleteQueue(QueueName queue);

  /** Cancels a batch; returns how many of its jobs had which result. */
  Map<CancelResult, Long> cancelBatch(BatchId id);

  /** Lets a schedule make no more jobs; returns whether it is there. */
  boolean pauseSchedule(String name);

  /** Lets a schedule go on; returns whether it is there. */
  boolean resumeSchedule(String name);

  /** Makes a job of a schedule at once; returns empty if it is not there. */
  Optional<JobId> runSchedule(String name);

  /** Writes a consistent copy of the store into an empty or absent folder. */
  void backup(Path folder);

  /** Opens the store again after a failure. */
  void reopen();
}
