package io.millrace.jmh.load;

import java.time.Duration;
import java.util.Locale;

/** Work of the callers. */
public enum Workload {
  /** Producers alone. */
  ENQUEUE("producers alone; the jobs are claimed and completed after the measurement"),
  /** Producers and consumers on a short queue. */
  CYCLE("jobs are enqueued, claimed and completed; the queue stays short"),
  /** The work of {@link #CYCLE}, behind a backlog of ready jobs. */
  BACKLOG("as cycle, with --backlog ready jobs waiting in front"),
  /** Jobs that become visible a moment later, beside a backlog of far-off ones. */
  DELAYED("jobs become visible 100 ms after their enqueue, beside --backlog far-off ones"),
  /** The work of {@link #CYCLE}, each job with a unique key of its own. */
  UNIQUE("as cycle, and each job holds a unique key until it is completed"),
  /** The work of {@link #CYCLE}, with keys of which hardly ever two jobs are under way. */
  KEYED("as cycle, each job with one of 10,000 concurrency keys, so that hardly any waits"),
  /** The work of {@link #CYCLE}, with keys of which several jobs are under way. */
  BLOCKED("as cycle, four jobs in a row with one concurrency key, so that three of four wait"),
  /** The work of {@link #KEYED}, with rate limits for which hardly ever a job waits. */
  LIMITED("as keyed, with rate limits of the queue and of each key that let all through"),
  /** The work of {@link #KEYED}, with keys that belong to the engine. */
  ENGINE_KEYED("as keyed, with concurrency keys of the whole engine"),
  /** The work of {@link #BLOCKED}, with keys that belong to the engine. */
  ENGINE_BLOCKED("as blocked, with concurrency keys of the whole engine"),
  /** The work of {@link #CYCLE}, with the handlers of a worker in place of consumers. */
  WORKER("as cycle, with a worker that runs --consumers handlers at a time on threads of its own"),
  /** The work of {@link #WORKER}, on virtual threads. */
  VIRTUAL("as worker, on virtual threads (Java 21 or later)"),
  /** The work of {@link #CYCLE}, with all jobs in one batch. */
  ONE_BATCH("as cycle, all jobs in one batch, which has --backlog far-off ones besides"),
  /** The work of {@link #CYCLE}, with the jobs of each call in a batch of their own. */
  OWN_BATCHES("as cycle, and each call starts a batch of its jobs"),
  /** Many consumers that each hold a job for a while, on a queue that is kept filled. */
  SLOW("calls of --batch are enqueued; each consumer claims one job and holds it for 50 ms"),
  /** The work of {@link #CYCLE}, beside rows of users' tables. */
  TABLES("as cycle, beside --backlog rows in tables"),
  /** Everything mixed, for hours. */
  SOAK("cycle with priorities, delays and failures mixed, then a check of the whole store");

  private static final int BACKLOG_COUNT = 1_000_000;
  private static final Duration SLOW_HOLD = Duration.ofMillis(50);

  private final String description;

  Workload(String description) {
    this.description = description;
  }

  /**
   * Returns how many jobs or rows are in the store before the measurement if the user does not say.
   */
  public int defaultBacklogCount() {
    return this == BACKLOG || this == DELAYED || this == TABLES ? BACKLOG_COUNT : 0;
  }

  /** Tells whether the backlog is far-off jobs, which stay there. */
  boolean isBesideFarOff() {
    return this == DELAYED || this == ONE_BATCH;
  }

  /** Tells whether there are consumers beside the producers. */
  boolean hasConsumers() {
    return this != ENQUEUE;
  }

  /** Tells whether callers can only block: none of their calls can be by future. */
  boolean isBlockingOnly() {
    return this == OWN_BATCHES || this == SLOW;
  }

  /** Returns how long a consumer holds its jobs before it completes them. */
  Duration hold() {
    return this == SLOW ? SLOW_HOLD : Duration.ZERO;
  }

  /** Returns how many jobs a consumer claims at once, where those who enqueue do so many. */
  int claimCount(int batchCount) {
    return this == SLOW ? 1 : batchCount;
  }

  /** Tells whether jobs are run by a worker. */
  boolean isByWorker() {
    return this == WORKER || this == VIRTUAL;
  }

  /** Tells whether jobs have concurrency keys of the whole engine. */
  boolean isOfEngine() {
    return this == ENGINE_KEYED || this == ENGINE_BLOCKED;
  }

  /** Tells whether jobs have concurrency keys of which hardly ever two are under way. */
  boolean isKeyed() {
    return this == KEYED || this == LIMITED || this == ENGINE_KEYED;
  }

  /** Tells whether most jobs have the concurrency key of another that is under way. */
  boolean isBlocked() {
    return this == BLOCKED || this == ENGINE_BLOCKED;
  }

  /** Returns the name on the command line and in JSON. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns one line for the help text. */
  public String description() {
    return description;
  }
}
