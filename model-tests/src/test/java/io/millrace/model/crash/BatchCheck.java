package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.model.crash.BatchPlan.Count;
import io.millrace.model.crash.BatchPlan.Fate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a store has of batches while nobody works on them, beside what must be so: which jobs a
 * batch has had follows from its plan and the rows of those that joined, and what those that are
 * gone count as follows from their fates.
 */
final class BatchCheck {

  private final List<BatchStats> batches;
  private final Map<String, Job> jobs = new HashMap<>();
  private final Map<String, List<String>> joined = new HashMap<>();
  private final Set<String> succeeded = new HashSet<>();
  private final BatchFollowers.Found followers;
  private final List<String> flaws = new ArrayList<>();

  private BatchCheck(BatchLife life, List<BatchStats> batches) {
    this.batches = batches;
    Page.stream(page -> life.engine().list(JobFilter.ALL, page))
        .filter(job -> job.batch().isPresent() && job.state() != JobState.DONE)
        .forEach(this::add);
    life.joined()
        .forEach(
            job ->
                joined
                    .computeIfAbsent(BatchPlan.of(job).name(), name -> new ArrayList<>())
                    .add(job));
    life.succeeded().forEach(succeeded::add);
    this.followers = life.followers().find();
  }

  private void add(Job job) {
    String name = new String(job.payload(), UTF_8);
    Job other = jobs.put(name, job);
    expect("there is one of a name: " + job + ", " + other, other == null);
  }

  /**
   * Returns what does not agree.
   *
   * @param begun the names of batches that were said to have begun
   */
  static List<String> flaws(BatchLife life, Set<String> begun) {
    while (true) {
      List<BatchStats> before = life.batches().toList();
      BatchCheck check = new BatchCheck(life, before);
      String report = life.engine().verify().toString();
      check.expect("the store is sound: " + report, life.engine().verify().isClean());
      check.check(begun);
      // Leases and times to live may end meanwhile.
      if (life.batches().toList().equals(before)) {
        return check.flaws;
      }
    }
  }

  private void check(Set<String> begun) {
    flaws.addAll(followers.flaws());
    Map<BatchId, String> names = new HashMap<>();
    batches.forEach(stats -> names.put(stats.id(), stats.name()));
    expect("there is one of a name: " + names, Set.copyOf(names.values()).size() == names.size());
    for (String name : begun) {
      boolean isThere = names.containsValue(name) || new BatchPlan(name).isBrief();
      expect("each is there that has begun: " + name, isThere);
    }
    jobs.forEach(
        (name, job) -> {
          String batch = names.get(job.batch().get());
          expect("it is of its batch: " + job, BatchPlan.of(name).name().equals(batch));
        });
    batches.forEach(this::check);
  }

  private void check(BatchStats stats) {
    BatchPlan plan = new BatchPlan(stats.name());
    List<String> own = new ArrayList<>(plan.jobs());
    own.addAll(joined.getOrDefault(stats.name(), List.of()));
    List<BatchStats> inner =
        batches.stream().filter(it -> it.outer().equals(Optional.of(stats.id()))).toList();
    String what = stats + ", jobs=" + own + ", inner=" + inner;
    expect("all of it is there: " + what, stats.total() == own.size() + inner.size());
    expect("it is over if none is left: " + what, stats.isOver() == isOver(stats));
    expect("none is lost: " + what, stats.lost() == 0);
    checkCounts(stats, own, inner, what);
    followers.check(flaws, stats);
  }

  private static boolean isOver(BatchStats stats) {
    return stats.isSealed() && stats.left() == 0;
  }

  private void checkCounts(
      BatchStats stats, List<String> own, List<BatchStats> inner, String what) {
    long left = 0;
    long dead = 0;
    long emptied = 0;
    long noted = 0;
    Map<Count, Long> counts = new EnumMap<>(Count.class);
    for (String name : own) {
      Job job = jobs.get(name);
      Fate fate = BatchPlan.fate(name);
      if (job != null) {
        boolean isDead = job.state() == JobState.DEAD;
        left += isDead ? 0 : 1;
        dead += isDead ? 1 : 0;
        expect("it is not done twice: " + job, !succeeded.contains(name));
      } else if (fate == Fate.DROPPED) {
        emptied++;
      } else {
        counts.merge(fate.count(), 1L, Long::sum);
        noted += succeeded.contains(name) ? 1 : 0;
        boolean isAsFated = stats.isCancelled() || succeeded.contains(name) == fate.isNoted();
        expect("it is gone as is its fate: " + name + " " + fate, isAsFated);
      }
    }
    for (BatchStats it : inner) {
      if (!it.isOver()) {
        left++;
      } else if (it.dead() > 0) {
        dead++;
      } else {
        Count count = it.failed() > 0 ? Count.FAILED : Count.CANCELLED;
        counts.merge(it.hasSucceeded() ? Count.SUCCEEDED : count, 1L, Long::sum);
        noted += it.hasSucceeded() ? 1 : 0;
      }
    }
    expect("dead letters are counted: " + dead + " of " + what, stats.dead() == dead);
    if (stats.isCancelled()) {
      boolean isLeft = stats.left() >= left && stats.left() <= left + emptied;
      expect("those that are left are counted: " + left + " of " + what, isLeft);
      expect("what has succeeded is counted: " + noted + " of " + what, stats.succeeded() >= noted);
      return;
    }
    // A deleted queue lets its jobs count one after the other.
    long purged = stats.purged() - counts.getOrDefault(Count.PURGED, 0L);
    boolean isLeft = purged >= 0 && stats.left() + purged == left + emptied;
    expect("those that are left are counted: " + left + " of " + what, isLeft);
    boolean areEnds =
        stats.succeeded() == counts.getOrDefault(Count.SUCCEEDED, 0L)
            && stats.failed() == counts.getOrDefault(Count.FAILED, 0L)
            && stats.cancelled() == counts.getOrDefault(Count.CANCELLED, 0L)
            && stats.expired() == counts.getOrDefault(Count.EXPIRED, 0L);
    expect("ends are counted: " + counts + " of " + what, areEnds);
  }

  private void expect(String what, boolean isSo) {
    if (!isSo) {
      flaws.add("not so: " + what);
    }
  }
}
