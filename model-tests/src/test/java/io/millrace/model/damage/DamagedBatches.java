package io.millrace.model.damage;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.Wake;
import io.millrace.engine.JobEngine;
import io.millrace.model.damage.Contents.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The batches of a store that may be damaged: open, over with a dead letter, with an inner one, and
 * with results, each with jobs that come after it. What is their own is in their names.
 */
final class DamagedBatches {

  static final QueueName PARTS = QueueName.of("parts");
  static final QueueName AFTER = QueueName.of("after");

  /** Between the name of a batch and the condition, in the name of a job that comes after it. */
  static final String AFTER_MARK = "/";

  private static final int PAGE_SIZE = 50;

  private final JobEngine engine;

  DamagedBatches(JobEngine engine) {
    this.engine = engine;
  }

  /** Whether a job of the batch of this name is a dead letter. */
  static boolean hasDead(String name) {
    return name.startsWith("died-");
  }

  /** Seals all that are open, so that each is over once its jobs are worked. */
  boolean seal() {
    for (BatchStats stats : all()) {
      if (!stats.isSealed()) {
        engine.batches().seal(stats.id());
      }
    }
    return true;
  }

  private List<BatchStats> all() {
    List<BatchStats> all = new ArrayList<>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(PAGE_SIZE));
    while (next.isPresent()) {
      Page<BatchStats> page = engine.batches().list(next.get());
      all.addAll(page.items());
      next = page.next().map(cursor -> PageRequest.after(cursor, PAGE_SIZE));
    }
    return all;
  }

  /** Says what is wrong if the job that comes after a batch comes too early, or after another. */
  Optional<String> early(String follower, Wake wake) {
    if (!(wake instanceof Wake.AfterBatch after)) {
      return Optional.of(follower + " goes on by " + wake);
    }
    BatchStats stats = engine.batches().get(after.id()).orElse(null);
    // A batch whose row was damaged has lost its name, and counts one job as lost.
    boolean isRemade = stats != null && stats.name().isEmpty() && stats.lost() > 0;
    boolean isRight =
        stats != null
            && (isRemade || follower.startsWith(stats.name() + AFTER_MARK))
            && stats.isOver()
            && (stats.hasSucceeded() || !follower.endsWith(Batch.After.ALL_SUCCEEDED.name()));
    return isRight ? Optional.empty() : Optional.of(follower + " comes after " + stats);
  }

  /** Returns those that are not as they must be once all is worked. */
  List<String> deviations(List<Entry> jobs) {
    Map<String, BatchStats> found = new HashMap<>();
    List<String> deviations = new ArrayList<>();
    for (BatchStats stats : all()) {
      if (found.put(stats.name(), stats) != null) {
        deviations.add("two of a name: " + stats);
      }
    }
    TreeSet<String> names = new TreeSet<>();
    jobs.forEach(job -> job.after().ifPresent(names::add));
    for (String name : names) {
      BatchStats stats = found.remove(name);
      if (stats == null || !isRight(stats)) {
        deviations.add("batch " + name + ": " + stats);
      }
    }
    found.values().forEach(stats -> deviations.add("not ours: " + stats));
    return deviations;
  }

  /** All jobs have ended, and none is lost. */
  private static boolean isRight(BatchStats stats) {
    long dead = hasDead(stats.name()) ? 1 : 0;
    long succeeded = jobCount(stats.name()) - dead;
    return stats.isOver()
        && stats.succeeded() == succeeded
        && stats.dead() == dead
        && stats.total() == succeeded + dead;
  }

  private static long jobCount(String name) {
    return name.startsWith("inner-") ? 1 : 2;
  }

  /**
   * Says which counts no damage excuses. Jobs whose rows are damaged are lost, in place of what
   * they were, and a batch that has lost one counts as cancelled in its outer one: nothing more.
   */
  List<String> wrongCounts() {
    List<String> wrong = new ArrayList<>();
    for (BatchStats stats : all()) {
      boolean isNamed = !stats.name().isEmpty();
      boolean isTooMuch = isNamed && stats.total() > jobCount(stats.name());
      long cancelled = stats.name().startsWith("outer-") ? 1 : 0;
      boolean isNeverSo =
          stats.failed() + stats.expired() + stats.purged() > 0 || stats.cancelled() > cancelled;
      if (isTooMuch || isNamed && isNeverSo) {
        wrong.add("counts of " + stats);
      }
    }
    return wrong;
  }

  /** Says which batches keep another result than that of their job. */
  List<String> wrongResults() {
    List<String> wrong = new ArrayList<>();
    for (BatchStats stats : all()) {
      for (byte[] result : results(stats.id())) {
        if (!Arrays.equals(result, Contents.RESULT)) {
          wrong.add("result of " + stats + ": " + result.length + " bytes");
        }
      }
    }
    return wrong;
  }

  /** Returns those that should keep a result, and do not. */
  List<String> lostResults() {
    List<String> lost = new ArrayList<>();
    for (BatchStats stats : all()) {
      boolean isKept = stats.name().startsWith("kept-");
      if (results(stats.id()).size() != (isKept ? 1 : 0)) {
        lost.add("results of " + stats);
      }
    }
    return lost;
  }

  private List<byte[]> results(BatchId id) {
    return engine.batches().results(id, PageRequest.first(PAGE_SIZE)).items().stream()
        .map(output -> output.result())
        .toList();
  }
}
