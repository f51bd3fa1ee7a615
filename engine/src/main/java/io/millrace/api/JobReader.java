package io.millrace.api;

import java.time.Instant;
import java.util.Optional;

/**
 * What can be seen of a store without changing it. Any thread; every answer is a consistent
 * snapshot and never waits for the engine's own work, but for {@link #explain}.
 *
 * <p>A store has room for so many reads at a time. Further ones wait for as long as {@link
 * EngineOptions#overloadWait()} says, and then get {@link io.millrace.spi.StoreBusyException}.
 *
 * <p>A page of jobs ends before one whose row is damaged. The page that would begin with it fails
 * with a {@link CorruptDataException}, whose message ends with the cursor of the page behind it.
 *
 * <p>A job that was claimed just now may still be seen as ready: its lease is stored with the next
 * commit, some milliseconds later at the latest, unless {@link
 * EngineOptions.ClaimsAnswer#AFTER_COMMIT} is set.
 */
public interface JobReader extends AutoCloseable {

  /**
   * Queues in the store's order, at most {@value Limits#PAGE_SIZE_MAX} a page: those with shorter
   * names first, then by the bytes of the names in UTF-8, and those of one name by tenant likewise.
   */
  Page<QueueName> queues(PageRequest page);

  Optional<QueueStats> stats(QueueName queue);

  /**
   * What holds for the queue, which need not exist yet: what it says itself, else what is said for
   * its name, else the defaults.
   *
   * @throws CorruptDataException a row that says so is damaged; it is set aside
   */
  QueueSettings settings(QueueName queue);

  /**
   * What is said for the queues of this name, of all tenants.
   *
   * @throws CorruptDataException the row that says so is damaged; it is set aside
   */
  QueueSettings settings(String queueName);

  Page<Job> peek(QueueName queue, JobState state, PageRequest page);

  /**
   * The job with this id, with its history; empty if it no longer exists.
   *
   * @throws CorruptDataException its record is damaged
   */
  Optional<Job> get(JobId id);

  /**
   * Why the job is not running, or that it is; empty if it no longer exists. Waits for the engine,
   * which is asked what it alone knows, for as long as {@link EngineOptions#overloadWait()} says at
   * most: if it does not answer, or refuses changes, the store still does, and the answer says so.
   * Costs little: of long lines {@value Explanation#PLACE_MAX} jobs are counted.
   *
   * @throws CorruptDataException its record is damaged
   */
  Optional<Explanation> explain(JobId id);

  /** Dead jobs of the queue that match, the earliest death first. */
  Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page);

  /**
   * Jobs of all queues that meet the filter: queue by queue in the store's order, state by state in
   * the order of {@link JobState}, in each state as {@link #peek}. A page is one snapshot and ends
   * after a bounded look, so it may hold fewer jobs than asked for, even none; a job that changes
   * its state between two pages may be on both or on neither.
   */
  Page<Job> list(JobFilter filter, PageRequest page);

  /**
   * Queues with something visible at the instant: a ready job, or a delayed one whose time has come
   * by then. Paused queues are among them, and such as a worker has leased as a whole; one whose
   * jobs are all leased is not. Roughly the longest visible first; a queue that changes between two
   * pages may be on both.
   */
  Page<QueueName> activeQueues(Instant now, PageRequest page);

  /**
   * When to look at the queue again: from when on a job of it is visible, which is past if one is
   * ready. Empty if nothing will be visible until something is enqueued or handed back. Leased jobs
   * do not count: if a lease runs out, {@link #activeQueues} has the queue from then on.
   */
  Optional<Instant> nextVisible(QueueName queue);

  /**
   * Names of the users' tables that there are, in the order of their bytes in UTF-8, at most
   * {@value Limits#PAGE_SIZE_MAX} a page.
   */
  Page<String> tables(PageRequest page);

  /**
   * The table of this name, to be looked at. Nothing happens until it is used.
   *
   * @param name 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8, and does not begin with {@value
   *     Limits#TABLE_OWN_PREFIX}, as the engine's own do
   * @param keys how keys are written
   * @param values how values are written
   */
  <K, V> TableReader<K, V> table(String name, Codec<K> keys, Codec<V> values);

  /**
   * Reads everything once and compares: records, indexes, counters. Queue by queue, each as of one
   * commit.
   */
  VerifyReport verify();

  @Override
  void close();
}
