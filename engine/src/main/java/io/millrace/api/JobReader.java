package io.millrace.api;

import io.millrace.MillraceException;
import java.time.Instant;
import java.util.Optional;

/**
 * Read access to a store. Any thread may use it. Every answer is a consistent snapshot and never
 * waits for the engine's own work, except that of {@link #explain}.
 *
 * <p>A store allows a limited number of reads at a time. Further ones wait for as long as {@link
 * EngineOptions#overloadWait()} says.
 *
 * <p><b>Errors.</b> Every read may throw {@link io.millrace.spi.StoreBusyException} if it waited
 * for so long; {@link EngineClosedException}, or {@link io.millrace.spi.StoreClosedException} of a
 * store that is only looked at, after the close; {@link EnginePoisonedException} while a failed
 * store is opened again; {@link CorruptDataException} if what it reads is damaged; and {@link
 * io.millrace.spi.StoreUnavailableException} or {@link io.millrace.spi.StoreFailedException} if the
 * store does not answer.
 *
 * <p>A page of jobs ends before a job whose row is damaged. The page that would begin with it fails
 * with a {@link CorruptDataException}, whose message ends with the cursor of the page behind it.
 *
 * <p>A job that was claimed just now may still be seen as ready: its lease is stored with the next
 * commit, some milliseconds later at the latest, unless {@link
 * EngineOptions.ClaimsAnswer#AFTER_COMMIT} is set.
 */
public interface JobReader extends AutoCloseable {

  /**
   * Lists the queues in the store's order, at most {@value Limits#PAGE_SIZE_MAX} a page: those with
   * shorter names first, then by the bytes of the names in UTF-8, and queues of one name by tenant
   * in the same way.
   *
   * @throws IllegalArgumentException the cursor is not of this question
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<QueueName> queues(PageRequest page);

  /**
   * Returns the figures of the queue, as of one commit; empty if it does not exist.
   *
   * @throws CorruptDataException a row of it is damaged
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Optional<QueueStats> stats(QueueName queue);

  /**
   * Lists the figures of the queues in the order of {@link #queues}, at most {@value
   * Limits#PAGE_SIZE_MAX} a page. A page is as of one commit. A queue whose rows are damaged is
   * left out, and {@link #stats(QueueName)} of it fails.
   *
   * @throws IllegalArgumentException the cursor is not of this question
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<QueueStats> stats(PageRequest page);

  /**
   * Returns the settings that apply to the queue, which need not exist yet: its own, else those of
   * its name, else the defaults.
   *
   * @throws CorruptDataException a row that holds these settings is damaged; it is set aside
   * @throws MillraceException as every read; see {@link JobReader}
   */
  QueueSettings settings(QueueName queue);

  /**
   * Returns the settings of a queue name, which apply to its queues of all tenants.
   *
   * @throws CorruptDataException the row that holds these settings is damaged; it is set aside
   * @throws IllegalArgumentException the name has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8
   * @throws MillraceException as every read; see {@link JobReader}
   */
  QueueSettings settings(String queueName);

  /**
   * Lists the jobs of the queue in one state, in the order of {@link JobQueue#peek}.
   *
   * @throws IllegalArgumentException the cursor is not of this question
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<Job> peek(QueueName queue, JobState state, PageRequest page);

  /**
   * Returns the job with this id, with its history; empty if it no longer exists.
   *
   * @throws CorruptDataException the job's record is damaged
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Optional<Job> get(JobId id);

  /**
   * Explains why the job is not running, or says that it is; empty if the job no longer exists.
   * Waits for the engine, which is asked for the facts that it alone knows, for at most as long as
   * {@link EngineOptions#overloadWait()} says. If it does not answer, or refuses changes, the
   * explanation says so and rests on the store alone. Costs little: of long lines {@value
   * Explanation#PLACE_MAX} jobs are counted.
   *
   * @throws CorruptDataException the job's record is damaged
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Optional<Explanation> explain(JobId id);

  /**
   * Lists the dead jobs of the queue that match, the earliest death first.
   *
   * @throws IllegalArgumentException the cursor is not of this question
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page);

  /**
   * Lists the jobs of all queues that meet the filter: queue by queue in the store's order, state
   * by state in the order of {@link JobState}, and in each state in the order of {@link #peek}. A
   * page is one snapshot and ends after a bounded search, so it may hold fewer jobs than asked for,
   * even none. A job that changes its state between two pages may be on both or on neither.
   *
   * @throws IllegalArgumentException the cursor is not of this question
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<Job> list(JobFilter filter, PageRequest page);

  /**
   * Lists the queues with something visible at the instant: a ready job, or a delayed one whose
   * time has come by then. Paused queues, and queues leased as a whole, are among them. A queue
   * whose jobs are all leased is not. The order is roughly that of visibility, the longest visible
   * first. A queue that changes between two pages may be on both.
   *
   * @throws IllegalArgumentException the cursor is not of this question
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<QueueName> activeQueues(Instant now, PageRequest page);

  /**
   * Returns the instant from which a job of the queue is visible, so that the queue is worth
   * looking at again. It is in the past if a job is ready. Empty if nothing will be visible until a
   * job is enqueued or handed back. Leased jobs do not count: if a lease runs out, {@link
   * #activeQueues} lists the queue from then on.
   *
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Optional<Instant> nextVisible(QueueName queue);

  /**
   * Lists the names of the existing users' tables, in the order of their bytes in UTF-8, at most
   * {@value Limits#PAGE_SIZE_MAX} a page.
   *
   * @throws IllegalArgumentException the cursor is not of this question
   * @throws MillraceException as every read; see {@link JobReader}
   */
  Page<String> tables(PageRequest page);

  /**
   * Returns the table of this name, for reading. Nothing happens until it is used.
   *
   * @param name 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8; must not begin with {@code
   *     millrace.}, as the engine's own names do
   * @param keys the codec of the keys
   * @param values the codec of the values
   * @throws IllegalArgumentException the name is longer or empty, or begins so
   */
  <K, V> TableReader<K, V> table(String name, Codec<K> keys, Codec<V> values);

  /** Returns the batches of the store, for reading. */
  BatchReader batches();

  /**
   * Reads everything once and compares records, indexes and counters. It goes queue by queue, each
   * as of one commit.
   *
   * @throws MillraceException as every read; see {@link JobReader}
   */
  VerifyReport verify();

  /** Ends the access and frees what it holds. */
  @Override
  void close();
}
