package io.millrace.console.source;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Concurrency keys of jobs that run or wait for a slot, those with most waiting jobs first.
 *
 * @param isWhole whether all such jobs were seen; else the counts are of the first ones
 */
public record KeyUse(List<Use> keys, boolean isWhole) {

  private static final int COUNT_MAX = 200;

  /**
   * A key.
   *
   * @param scope the queue that the key is of, or {@code engine} if it is of all queues
   * @param running the jobs seen that hold a slot and run
   * @param waiting the jobs seen that wait for a slot
   */
  public record Use(String scope, String key, long running, long waiting) {
    private Use and(Use other) {
      return new Use(scope, key, running + other.running, waiting + other.waiting);
    }
  }

  /** Looks at the jobs of a store. */
  public static KeyUse of(Source source) {
    Map<String, Use> seen = new HashMap<>();
    JobFilter filter = JobFilter.ALL.states(EnumSet.of(JobState.LEASED, JobState.BLOCKED));
    boolean isWhole =
        Scan.run(
            source,
            Selection.of(filter),
            job -> {
              add(seen, job, job.queue().toString(), job.concurrencyKey());
              add(seen, job, "engine", job.engineConcurrencyKey());
            });
    List<Use> keys =
        seen.values().stream()
            .sorted(
                Comparator.comparingLong(Use::waiting)
                    .thenComparingLong(Use::running)
                    .reversed()
                    .thenComparing(Use::scope)
                    .thenComparing(Use::key))
            .limit(COUNT_MAX)
            .toList();
    return new KeyUse(keys, isWhole && seen.size() <= COUNT_MAX);
  }

  private static void add(Map<String, Use> seen, Job job, String scope, Optional<String> key) {
    boolean isBlocked = job.state() == JobState.BLOCKED;
    key.map(it -> new Use(scope, it, isBlocked ? 0 : 1, isBlocked ? 1 : 0))
        .ifPresent(use -> seen.merge(scope + "\0" + use.key(), use, Use::and));
  }
}
