package io.millrace.internal.transition.job;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.StateTraits;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.queue.Queues;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A job that was asked for by its id, as it is or as the plans made before will leave it. */
final class FoundJob {

  private final QueueState queue;
  private final JobPlace place;
  private final JobState state;
  private final byte @Nullable [] key;
  private final Planned.@Nullable After after;

  private FoundJob(
      QueueState queue,
      JobPlace place,
      JobState state,
      byte @Nullable [] key,
      Planned.@Nullable After after) {
    this.queue = queue;
    this.place = place;
    this.state = state;
    this.key = key;
    this.after = after;
  }

  /**
   * Returns the job, as it is or as the plans made before will leave it; null if there is none. For
   * a leased job it says where the record is.
   */
  static @Nullable FoundJob at(JobPlace place, OpenBatch batch) {
    // Loading a queue moves what is due, so the job's place is asked for after it.
    QueueState begun = batch.planned().queueOfNew(place.birth());
    QueueState queue = begun == null ? Queues.numbered(batch, place.queue()) : begun;
    if (queue == null) {
      return null;
    }
    Planned.After after = batch.planned().of(place.birth());
    JobState planned = after == null ? JobState.LEASED : after.state();
    if (planned == null) {
      return null;
    }
    if (planned != JobState.LEASED) {
      return new FoundJob(queue, place, planned, null, after);
    }
    byte[] key = place.find(batch);
    JobState state = key == null ? null : Keyspace.ofKey(key).state();
    return state == null ? null : new FoundJob(queue, place, state, key, null);
  }

  QueueState queue() {
    return queue;
  }

  /** Returns the number of the job's queue; one that does not exist yet gets it with the job. */
  int queueNumber() {
    return place.queue();
  }

  /** Returns the job's state; READY for one that is leased. */
  JobState state() {
    return state;
  }

  /**
   * Tells whether the job is gone for whoever wants to do something with it: it is completed, and
   * only its result is kept.
   */
  boolean isGone() {
    return StateTraits.of(state).isFinal();
  }

  /** Tells whether the job has ended. */
  boolean hasEnded() {
    return StateTraits.of(state).isEnd();
  }

  /**
   * Returns the job's record.
   *
   * @throws CorruptDataException the record is damaged; it will be set aside
   */
  JobRecord record(OpenBatch batch) {
    if (key != null) {
      return Records.decode(batch, key, batch.get(key));
    }
    assert after != null && after.job() != null : "who plans for a job that goes on has its record";
    return after.job();
  }

  /** Returns the content that the job's BLOB row will have, if a plan says so; else null. */
  @Nullable BlobRecord plannedContent() {
    return after == null ? null : after.content();
  }

  /** Returns the key at which the job's record is when the plans made before are carried out. */
  byte[] key(OpenBatch batch) {
    return key != null ? key : Objects.requireNonNull(place.find(batch), "a planned job is there");
  }

  /** Notes what the job will be by the plan that is being made. */
  void foretell(OpenBatch batch, Planned.After next) {
    batch.planned().put(queue, place.birth(), state, next);
  }
}
