package io.millrace.model;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A batch of jobs as the model keeps it: only the ends of jobs that are gone are counted. */
public final class ModelTally {

  /** What a job is in its batch, and a batch in an outer one. */
  enum Part {
    LEFT,
    SUCCEEDED,
    DEAD,
    FAILED,
    CANCELLED,
    EXPIRED,
    PURGED
  }

  public final BatchId id;
  public final Optional<ModelTally> outer;
  final String name;
  final Duration retention;
  final long startedAtMs;
  final Map<Part, Long> ended = new EnumMap<>(Part.class);
  boolean isSealed;
  boolean isCancelled;

  /** Since when it is over, if it is. */
  OptionalLong endedAtMs = OptionalLong.empty();

  /** When it is removed, in steady time, once that is known. */
  OptionalLong removeAtMs = OptionalLong.empty();

  /** Whether its retention is over. */
  boolean isGone;

  /** What its outer one takes it for. */
  Part countedAs = Part.LEFT;

  ModelTally(Batch batch, BatchId id, Optional<ModelTally> outer, long startedAtMs) {
    this.id = id;
    this.outer = outer;
    this.name = batch.name();
    this.retention = batch.retention();
    this.startedAtMs = startedAtMs;
  }

  boolean isOver() {
    return endedAtMs.isPresent();
  }

  /** Whether jobs may join it. */
  public boolean isJoinable() {
    return !isGone && !isOver() && !isCancelled;
  }

  /** Whether it is there. */
  public boolean isThere() {
    return !isGone;
  }

  /** How many batches there are with it and around it. */
  public int depth() {
    return 1 + outer.map(ModelTally::depth).orElse(0);
  }

  /** What the model's jobs, and batches within it, are in it now. */
  long count(ReferenceModel model, Part part) {
    long own =
        model.jobs.values().stream()
            .filter(job -> job.tally.filter(it -> it == this).isPresent())
            .filter(job -> job.state != JobState.DONE)
            .filter(job -> part == (job.state == JobState.DEAD ? Part.DEAD : Part.LEFT))
            .count();
    long inner =
        model.tallies.all().stream()
            .filter(it -> it.outer.filter(other -> other == this).isPresent())
            .filter(it -> it.countedAs == part)
            .count();
    return own + inner + ended.getOrDefault(part, 0L);
  }

  long total(ReferenceModel model) {
    long total = 0;
    for (Part part : Part.values()) {
      total += count(model, part);
    }
    return total;
  }

  /** What it is to an outer one. */
  Part asOne(ReferenceModel model) {
    if (!isOver()) {
      return Part.LEFT;
    }
    if (count(model, Part.DEAD) > 0) {
      return Part.DEAD;
    }
    if (count(model, Part.SUCCEEDED) == total(model)) {
      return Part.SUCCEEDED;
    }
    return count(model, Part.FAILED) > 0 ? Part.FAILED : Part.CANCELLED;
  }

  /** Whether a job that comes after it goes on, now that it is over. */
  boolean holds(ReferenceModel model, Batch.After after) {
    return switch (after) {
      case DONE -> true;
      case ALL_SUCCEEDED -> count(model, Part.SUCCEEDED) == total(model);
      case ANY_DIED -> count(model, Part.DEAD) + count(model, Part.FAILED) > 0;
    };
  }

  /** What the engine must tell of it. */
  public BatchStats stats(ReferenceModel model) {
    long running =
        model.jobs.values().stream()
            .filter(job -> job.tally.filter(it -> it == this).isPresent())
            .filter(job -> job.state == JobState.LEASED)
            .count();
    return new BatchStats(
        id,
        name,
        outer.map(it -> it.id),
        isSealed,
        isCancelled,
        count(model, Part.LEFT),
        running,
        count(model, Part.SUCCEEDED),
        count(model, Part.DEAD),
        count(model, Part.FAILED),
        count(model, Part.CANCELLED),
        count(model, Part.EXPIRED),
        count(model, Part.PURGED),
        0,
        retention,
        Instant.ofEpochMilli(startedAtMs),
        endedAtMs.isPresent()
            ? Optional.of(Instant.ofEpochMilli(endedAtMs.getAsLong()))
            : Optional.empty());
  }
}
