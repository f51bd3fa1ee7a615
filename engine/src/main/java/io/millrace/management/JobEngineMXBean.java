package io.millrace.management;

import org.jspecify.annotations.Nullable;

/**
 * A running engine as tools see it: what it does, what it holds, and what an operator may do.
 *
 * <p>Found in the platform MBean server as {@code io.millrace:type=JobEngine,name="lmdb:/folder"};
 * the name is that of the engine's options, or else where its store is. Thread-safe. Every read is
 * a consistent snapshot and never waits for the engine's own work.
 *
 * <p>What goes wrong is told by {@link IllegalArgumentException} for wrong arguments and {@link
 * IllegalStateException} for everything else, whose message begins with the simple name of the
 * engine's own exception: a tool need not have our classes.
 *
 * <p>A tenant is empty for the default one. A cursor is null for the first page and else comes from
 * the page before.
 */
public interface JobEngineMXBean {

  /** The domain of the object names. */
  String DOMAIN = "io.millrace";

  /** The value of the key {@code type} in the object names. */
  String TYPE = "JobEngine";

  /** The most queues on a page. */
  int QUEUE_PAGE_SIZE = 200;

  /** The most jobs on a page; each may have a payload of many megabytes. */
  int JOB_PAGE_SIZE = 20;

  /** What the engine is called. */
  String getName();

  /** The kind of store, as at the beginning of its location. */
  String getStoreKind();

  /** The store's folder, absolute; of one that lives in none, its location without passwords. */
  String getStoreFolder();

  MetricsSnapshot getMetrics();

  HealthSnapshot getHealth();

  /** Queues in the store's order. */
  QueuePage queues(@Nullable String cursor);

  /** A queue's counts; null if there is no such queue. */
  @Nullable QueueSnapshot queue(String name, String tenant);

  /** Jobs of a queue in a state, in the order of that state. */
  JobPage peek(String name, String tenant, String state, @Nullable String cursor);

  /** The job with this id; null if it no longer exists. */
  @Nullable JobSnapshot job(String id);

  /**
   * Dead jobs of a queue, the earliest death first.
   *
   * @param errorContains text that the last error contains; null for any
   * @param diedBeforeMs died earlier than this, epoch ms; 0 for any
   */
  JobPage deadLetters(
      String name,
      String tenant,
      @Nullable String errorContains,
      long diedBeforeMs,
      @Nullable String cursor);

  /** Makes a dead job ready again; answers as {@code RedriveResult}. */
  String redrive(String id);

  /** Makes all dead jobs of a queue ready again that match; answers how many. */
  long redriveAll(String name, String tenant, @Nullable String errorContains, long diedBeforeMs);

  /** Removes a dead job for good; answers whether it was there. */
  boolean deleteDead(String id);

  /** Removes all dead jobs of a queue for good that match; answers how many. */
  long deleteAllDead(String name, String tenant, @Nullable String errorContains, long diedBeforeMs);

  /** Reads everything once and compares: records, indexes, counters. Takes a while. */
  VerifySnapshot verify();

  /**
   * Writes a consistent copy of the store into an empty or absent folder while work goes on.
   *
   * @param folder absolute, on the engine's machine
   */
  void backup(String folder);
}
