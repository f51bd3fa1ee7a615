package io.millrace.model.limits;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.model.limits.KnownBatch.End;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What is known of a job. */
final class KnownJob {

  /** Where a job must be. */
  enum Fate {
    /** Ready, delayed, waiting for a batch or, if a lease is known, leased. */
    LIVES,
    DEAD,
    DONE,
    GONE
  }

  final QueueName queue;
  final Optional<KnownBatch> batch;
  final boolean isKept;
  private final boolean mayBeLate;
  Optional<Lease> lease = Optional.empty();

  /** The batch that it waits for. */
  Optional<KnownBatch> awaited = Optional.empty();

  /** The batch that its next lease tells of. */
  Optional<KnownBatch> wokenBy = Optional.empty();

  /** Whether its holder was asked to stop. */
  boolean isAskedToStop;

  private Fate fate = Fate.LIVES;
  private boolean wasStarted;

  KnownJob(QueueName queue, EnqueueOptions options, Optional<KnownBatch> batch) {
    this.queue = queue;
    this.batch = batch;
    this.isKept = options.resultRetention().isPresent();
    this.mayBeLate = options.timeToLive().isPresent();
    batch.ifPresent(KnownBatch::joined);
  }

  Fate fate() {
    return fate;
  }

  boolean isThere() {
    return fate != Fate.GONE;
  }

  void started(Lease by) {
    lease = Optional.of(by);
    wasStarted = true;
    wokenBy = Optional.empty();
  }

  /** Nobody holds it any more: with a cancel that was requested it is removed. */
  void handedBack() {
    lease = Optional.empty();
    if (isAskedToStop) {
      isAskedToStop = false;
      end(Fate.GONE, End.CANCELLED);
    }
  }

  void died() {
    end(Fate.DEAD, End.DEAD);
  }

  void completed() {
    end(isKept ? Fate.DONE : Fate.GONE, End.SUCCEEDED);
  }

  void removed(End how) {
    end(Fate.GONE, how);
  }

  private void end(Fate to, End how) {
    if (fate == Fate.LIVES) {
      batch.ifPresent(it -> it.ended(how));
    } else if (fate == Fate.DEAD) {
      batch.ifPresent(KnownBatch::deadIsRemoved);
    }
    awaited.ifPresent(KnownBatch::waitsNoMore);
    awaited = Optional.empty();
    lease = Optional.empty();
    isAskedToStop = false;
    fate = to;
  }

  void redriven() {
    batch.ifPresent(KnownBatch::deadIsRedriven);
    fate = Fate.LIVES;
  }

  void waitFor(KnownBatch other) {
    lease = Optional.empty();
    awaited = Optional.of(other);
    other.waited();
  }

  /** Goes on if the batch that it waits for is over. */
  void settle() {
    if (awaited.filter(KnownBatch::isOver).isPresent()) {
      awaited.get().waitsNoMore();
      wokenBy = awaited;
      awaited = Optional.empty();
    }
  }

  boolean isTooLate() {
    return mayBeLate && !wasStarted && fate == Fate.LIVES;
  }

  /** The states in one of which it must be; none if it must be gone. */
  Set<JobState> states() {
    return switch (fate) {
      case DEAD -> EnumSet.of(JobState.DEAD);
      case DONE -> EnumSet.of(JobState.DONE);
      case GONE -> EnumSet.noneOf(JobState.class);
      case LIVES -> {
        if (lease.isPresent()) {
          yield EnumSet.of(JobState.LEASED);
        }
        yield awaited.isPresent()
            ? EnumSet.of(JobState.WAITING)
            : EnumSet.of(JobState.READY, JobState.DELAYED);
      }
    };
  }
}
