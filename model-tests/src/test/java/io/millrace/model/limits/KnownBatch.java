package io.millrace.model.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch.After;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.JobId;
import io.millrace.api.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A batch, and what must have become of its jobs. */
final class KnownBatch {

  /** The ends of jobs, as batches count them. */
  enum End {
    SUCCEEDED,
    DEAD,
    FAILED,
    CANCELLED,
    EXPIRED,
    PURGED
  }

  /** Where a job is that comes after the batch. */
  enum Follower {
    WAITS,
    GOES_ON,
    CAME,
    CANCELLED
  }

  final BatchId id;
  final String name;
  final Optional<KnownBatch> outer;
  final Duration retention;
  final boolean keepsResults;
  final Map<After, Follower> followers = new EnumMap<>(After.class);

  /** Lengths of the results that jobs of it were completed with. */
  final Map<JobId, Integer> results = new HashMap<>();

  private final List<KnownBatch> inner = new ArrayList<>();
  private final Map<End, Long> ends = new EnumMap<>(End.class);
  private long left;
  private int waitingCount;
  private boolean isSealed;
  private boolean isCancelled;
  private boolean isLate;

  KnownBatch(BatchId id, BatchPlan plan) {
    this.id = id;
    this.name = plan.batch().name();
    this.outer = plan.outer();
    this.retention = plan.batch().retention();
    this.keepsResults = plan.batch().keepsResults();
    this.isSealed = plan.isSealed();
    plan.batch().following().keySet().forEach(after -> followers.put(after, Follower.WAITS));
    outer.ifPresent(it -> it.inner.add(this));
  }

  void joined() {
    left++;
  }

  /** A job that was left has ended, or is a dead letter. */
  void ended(End how) {
    left--;
    ends.merge(how, 1L, Long::sum);
  }

  void deadIsRemoved() {
    ends.merge(End.DEAD, -1L, Long::sum);
    ends.merge(End.FAILED, 1L, Long::sum);
  }

  void deadIsRedriven() {
    ends.merge(End.DEAD, -1L, Long::sum);
    left++;
  }

  void seal() {
    isSealed = true;
  }

  void cancel() {
    isSealed = true;
    isCancelled = true;
  }

  void waited() {
    waitingCount++;
  }

  void waitsNoMore() {
    waitingCount--;
  }

  List<KnownBatch> inner() {
    return inner;
  }

  boolean isSealed() {
    return isSealed;
  }

  long left() {
    return left + inner.stream().filter(it -> !it.isOver()).count();
  }

  long count(End how) {
    long within = inner.stream().filter(it -> it.isOver() && it.asOne() == how).count();
    return within + ends.getOrDefault(how, 0L);
  }

  private long endedCount() {
    long count = 0;
    for (End how : End.values()) {
      count += count(how);
    }
    return count;
  }

  /** What it is to an outer one once it is over. */
  private End asOne() {
    if (count(End.DEAD) > 0) {
      return End.DEAD;
    }
    if (hasSucceeded()) {
      return End.SUCCEEDED;
    }
    return count(End.FAILED) > 0 ? End.FAILED : End.CANCELLED;
  }

  private boolean hasSucceeded() {
    return isOver() && count(End.SUCCEEDED) == endedCount();
  }

  boolean isOver() {
    return isSealed && left() == 0;
  }

  /** Tells whether it goes on never more, and is removed in its time. */
  boolean isFinal() {
    return isOver() && count(End.DEAD) == 0;
  }

  boolean isJoinable() {
    return !isOver() && !isCancelled;
  }

  int depth() {
    return 1 + outer.map(KnownBatch::depth).orElse(0);
  }

  /** Tells whether it is the other one, or within that. */
  boolean isWithin(KnownBatch other) {
    return this == other || outer.filter(it -> it.isWithin(other)).isPresent();
  }

  boolean hasRoomToWait() {
    long following = followers.values().stream().filter(Follower.WAITS::equals).count();
    return waitingCount + following < Limits.BATCH_WAITER_COUNT_MAX;
  }

  /** Has what comes after it go on, or be cancelled, if it is over. */
  void settle() {
    if (isOver()) {
      followers.replaceAll(
          (after, follower) -> follower == Follower.WAITS ? following(after) : follower);
    }
  }

  private Follower following(After after) {
    boolean goesOn =
        switch (after) {
          case DONE -> true;
          case ALL_SUCCEEDED -> hasSucceeded();
          case ANY_DIED -> count(End.DEAD) + count(End.FAILED) > 0;
        };
    if (goesOn) {
      return Follower.GOES_ON;
    }
    return isFinal() ? Follower.CANCELLED : Follower.WAITS;
  }

  /** So much time passes now that it is removed if it is final and not kept for long. */
  void passTime(Duration time) {
    isLate = isFinal() && retention.compareTo(time) <= 0;
  }

  /** Tells whether it may have been removed by now. */
  boolean mayBeGone() {
    return isFinal() && !retention.equals(LimitsBatches.KEPT);
  }

  /** Tells whether the counts that a deleted queue changes agree. */
  boolean isCountedIn(BatchStats found) {
    return found.left() == left() && found.dead() == count(End.DEAD);
  }

  /** Counts agree, running ones beside, and it is there as long as it must be, and no longer. */
  void check(Optional<BatchStats> found, long running) {
    if (isLate) {
      assertThat(found).as("removed in its time: %s", name).isEmpty();
    } else if (found.isEmpty()) {
      assertThat(mayBeGone()).as("is there: %s, left=%d, %s", name, left(), ends).isTrue();
    } else {
      checkCounts(found.get(), running);
    }
  }

  private void checkCounts(BatchStats found, long running) {
    BatchStats right =
        new BatchStats(
            id,
            name,
            outer.map(it -> it.id),
            isSealed,
            isCancelled,
            left(),
            running,
            count(End.SUCCEEDED),
            count(End.DEAD),
            count(End.FAILED),
            count(End.CANCELLED),
            count(End.EXPIRED),
            count(End.PURGED),
            0,
            retention,
            found.startedAt(),
            isOver() ? found.endedAt() : Optional.empty());
    assertThat(found).isEqualTo(right);
    assertThat(found.isOver()).as("is over: %s", found).isEqualTo(isOver());
  }
}
