package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.api.Wake;
import io.millrace.engine.JobEngine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Jobs that come after batches, one of each kind. Each notes its run with its completion, in one
 * transaction, and notes what it finds if it comes too early. So whatever happens, each of them has
 * come once or is still to come.
 */
final class BatchFollowers {

  private static final QueueName AFTER = QueueName.of("after");

  private final JobEngine engine;
  private final Table<String, Long> cameAfter;
  private final Table<String, String> cameEarly;

  BatchFollowers(JobEngine engine) {
    this.engine = engine;
    this.cameAfter = engine.table("came after", Codec.TEXT, Codec.LONG);
    this.cameEarly = engine.table("came early", Codec.TEXT, Codec.TEXT);
  }

  /** Lets one of each kind come after a batch that has a name of its own. */
  static void follow(Batch batch) {
    batch.whenDone(AFTER, follower(batch.name(), Batch.After.DONE));
    batch.whenAllSucceeded(AFTER, follower(batch.name(), Batch.After.ALL_SUCCEEDED));
    batch.whenAnyDied(AFTER, follower(batch.name(), Batch.After.ANY_DIED));
  }

  private static NewJob follower(String name, Batch.After after) {
    return NewJob.of(key(name, after).getBytes(UTF_8));
  }

  static String key(String name, Batch.After after) {
    return name + " " + after;
  }

  /** Runs one of them, if there is one. Tells whether there was. */
  boolean goOn() {
    Optional<Lease> claimed =
        engine.claim(List.of(AFTER), ClaimOptions.by("worker")).stream().findFirst();
    claimed.ifPresent(this::run);
    return claimed.isPresent();
  }

  private void run(Lease lease) {
    String key = new String(lease.payload(), UTF_8);
    Optional<String> early = early(lease, key);
    engine
        .inTransaction(
            tx -> {
              tx.add(cameAfter, key, 1);
              early.ifPresent(found -> tx.put(cameEarly, key, found));
              tx.complete(lease);
            })
        .isDone();
  }

  /** What shows that it comes too early: of other kinds a redrive may be the reason. */
  private Optional<String> early(Lease lease, String key) {
    Wake wake = lease.wake() instanceof Wake.Retry again ? again.signal().get() : lease.wake();
    BatchId id = ((Wake.AfterBatch) wake).id();
    return engine
        .batches()
        .get(id)
        .filter(
            stats ->
                !key.startsWith(stats.name() + " ")
                    || key.endsWith(Batch.After.ALL_SUCCEEDED.name()) && !stats.hasSucceeded())
        .map(BatchStats::toString);
  }

  /** What they are found to be. */
  record Found(Map<String, Job> jobs, Map<String, Long> came, Map<String, String> early) {

    /** Those that have come more than once, or too early. */
    List<String> flaws() {
      List<String> flaws = new ArrayList<>();
      came.forEach((key, count) -> expect(flaws, "it comes once: " + key, count == 1));
      early.forEach((key, found) -> flaws.add("it comes too early: " + key + ", " + found));
      return flaws;
    }

    /** Adds what does not agree with a batch. */
    void check(List<String> flaws, BatchStats stats) {
      for (Batch.After after : Batch.After.values()) {
        String key = key(stats.name(), after);
        Job job = jobs.get(key);
        boolean hasCome = came.containsKey(key);
        boolean isWaiting = job != null && job.state() == JobState.WAITING;
        String what = key + ", job=" + job + ", has come=" + hasCome + ", " + stats;
        expect(flaws, "it comes once: " + what, !(hasCome && job != null));
        boolean isFinal = stats.isOver() && stats.dead() == 0;
        boolean holds =
            switch (after) {
              case DONE -> stats.isOver();
              case ALL_SUCCEEDED -> stats.hasSucceeded();
              case ANY_DIED -> stats.isOver() && stats.dead() + stats.failed() > 0;
            };
        if (holds) {
          expect(flaws, "it goes on: " + what, !isWaiting && (job != null || hasCome));
        } else if (isFinal) {
          expect(flaws, "it waits for nothing: " + what, !isWaiting);
          boolean canNever = after == Batch.After.ALL_SUCCEEDED;
          expect(flaws, "it never comes: " + what, !(canNever && (hasCome || job != null)));
        } else {
          expect(flaws, "it is not lost: " + what, job != null || hasCome);
        }
      }
    }
  }

  Found find() {
    Map<String, Job> jobs = new HashMap<>();
    Page.stream(page -> engine.list(JobFilter.ALL.queue(AFTER), page))
        .forEach(job -> jobs.put(new String(job.payload(), UTF_8), job));
    return new Found(jobs, Rows.of(cameAfter), Rows.of(cameEarly));
  }

  private static void expect(List<String> flaws, String what, boolean isSo) {
    if (!isSo) {
      flaws.add(what);
    }
  }
}
