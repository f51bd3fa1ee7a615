package io.millrace.management;

import java.util.List;
import java.util.Map;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * A running engine as tools see it: what it does, what it holds, and what an operator may do.
 *
 * <p>Found in the platform MBean server as {@code io.millrace:type=JobEngine,name="lmdb:/folder"};
 * the name is that of the engine's options, or else the location of its store. Thread-safe. Every
 * read is a consistent snapshot and never waits for the engine's own work, but for {@link
 * #explain}.
 *
 * <p>Answers are open data, which tools read without our classes: an item for each accessor of the
 * type of {@code io.millrace.api} that is named, called like the accessor; absent is null. Instants
 * and durations are in milliseconds, and their items end in {@code Ms}; constants, ids, backoffs
 * and rate limits are texts. The items of a queue's name are {@code queue} and {@code tenant}; in
 * answers about the queue itself they are {@code name} and {@code tenant}. The items of a job's
 * wait for a signal are {@code signal}, {@code signalSinceMs} and {@code signalDeadlineMs}; those
 * of a failure are {@code lastError} and {@code lastErrorAtMs}. A page has its items, and in {@code
 * next} the cursor of the next page, null at the end; fewer items than fit, even none, do not mean
 * the end.
 *
 * <p><b>Errors</b> are an {@link IllegalArgumentException} for wrong arguments, and nothing
 * happened; and an {@link IllegalStateException} for everything else, whose message begins with the
 * simple name of the engine's own exception: a tool need not have our classes. What such an
 * exception leaves behind is said there.
 *
 * <p>Every change is logged with its outcome.
 *
 * <p>A tenant is empty for the default one. A cursor is null for the first page and else comes from
 * the page before.
 */
public interface JobEngineMBean {

  /** The domain of the object names. */
  String DOMAIN = "io.millrace";

  /** The value of the key {@code type} in the object names. */
  String TYPE = "JobEngine";

  /** The most queues or batches on a page. */
  int QUEUE_PAGE_SIZE = 200;

  /** The most jobs on a page; each may have a payload of many megabytes. */
  int JOB_PAGE_SIZE = 20;

  /** Returns the engine's name. */
  String getName();

  /** Returns the kind of store, as at the beginning of its location. */
  String getStoreKind();

  /**
   * Returns the store's folder, absolute; of a store that lives in none, its location without
   * passwords.
   */
  String getStoreFolder();

  /** Returns the figures of what the engine does and holds, as {@code EngineMetrics}. */
  CompositeData getMetrics();

  /** Returns the engine's health, as {@code EngineHealth}. */
  CompositeData getHealth();

  /**
   * Returns a page of {@code queues} in the store's order: their names.
   *
   * @throws IllegalArgumentException the cursor is not of such a page
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData queues(@Nullable String cursor);

  /**
   * Returns a page of {@code queues} in the store's order with their counts, as {@code QueueStats}.
   * A queue whose rows are damaged is left out; {@link #queue} of it fails.
   *
   * @param size the most queues on the page, 1 to {@value #QUEUE_PAGE_SIZE}
   * @throws IllegalArgumentException the size is out of its range, or the cursor is not of such a
   *     page
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData queueStats(int size, @Nullable String cursor);

  /**
   * Returns a page of the {@code names} of users' tables, in the order of their bytes.
   *
   * @param size the most names on the page, 1 to {@value #QUEUE_PAGE_SIZE}
   * @throws IllegalArgumentException the size is out of its range, or the cursor is not of such a
   *     page
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData tables(int size, @Nullable String cursor);

  /**
   * Returns a page of {@code rows} of a user's table, each a {@code key} and a {@code value}, by
   * key.
   *
   * @param prefix the beginning of their keys; empty for all rows
   * @param size the most rows on the page, 1 to {@value #JOB_PAGE_SIZE}
   * @throws IllegalArgumentException the size is out of its range, the name of the table is, or is
   *     one that Millrace keeps for itself, the prefix is longer than 255 bytes, or the cursor is
   *     not of such a page
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData tableRows(String table, byte[] prefix, int size, @Nullable String cursor);

  /**
   * Drops a user's table with all of its rows. Returns whether there was one.
   *
   * @throws IllegalArgumentException the name of the table is out of its range, or is one that
   *     Millrace keeps for itself
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  boolean dropTable(String table);

  /**
   * Returns a queue's counts, as {@code QueueStats}; null if there is no such queue.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  @Nullable CompositeData queue(String name, String tenant);

  /**
   * Returns the queues that are leased as a whole, as {@code LeasedQueue}, by name: at most 10,000.
   *
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData[] queueLeases();

  /**
   * Ends the lease on a queue, whoever holds it. Returns whether there was one.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  boolean endQueueLease(String name, String tenant);

  /**
   * Returns a page of {@code jobs} of a queue in a state, in the order of that state, as {@code
   * Job}.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200; there is no such state, or the cursor is not of such a page
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData peek(String name, String tenant, String state, @Nullable String cursor);

  /**
   * Returns a page of {@code jobs} of all queues that meet every condition given: queue by queue,
   * state by state.
   *
   * @param conditions texts by key, none for all jobs: {@code states} (names with commas between
   *     them), {@code queueName}, {@code tenant}, {@code type}, {@code uniqueKey}, {@code
   *     concurrencyKey} (of a queue or of the engine), {@code batch}, {@code priority} and {@code
   *     attempts} ({@code 3}, or {@code 0..10}), {@code enqueuedSince}, {@code enqueuedBefore},
   *     {@code stuckBefore} (instants such as {@code 2030-01-31T12:00:00Z}; stuck is a job that
   *     waits for a signal without a deadline), {@code errorContains}, and {@code header.NAME} for
   *     each header that jobs are to have
   * @param size the most jobs on the page, 1 to {@value #JOB_PAGE_SIZE}
   * @throws IllegalArgumentException the size is out of its range; a condition is wrong, and the
   *     message says what is allowed; or the cursor is not of such a page
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData list(Map<String, String> conditions, int size, @Nullable String cursor);

  /**
   * Returns a page of jobs as {@link #list}, but each with an empty payload, and without the state
   * that its checkpoint kept and its result: {@link #job} has them. So many megabytes stay where
   * they are if a tool only wants to know which jobs there are.
   *
   * @param size the most jobs on the page, 1 to {@value #JOB_PAGE_SIZE}
   * @throws IllegalArgumentException the size is out of its range, a condition is wrong, or the
   *     cursor is not of such a page
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData jobHeads(Map<String, String> conditions, int size, @Nullable String cursor);

  /**
   * Returns the job with this id, as {@code Job}; null if it no longer exists.
   *
   * @throws IllegalArgumentException the text is no id of a job
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  @Nullable CompositeData job(String id);

  /**
   * Returns a page of {@code batches} in the order in which they were begun, as {@code BatchStats}.
   *
   * @param size the most batches on the page, 1 to {@value #QUEUE_PAGE_SIZE}
   * @throws IllegalArgumentException the size is out of its range, or the cursor is not of such a
   *     page
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData batches(int size, @Nullable String cursor);

  /**
   * Returns the batch with this id, as {@code BatchStats}; null if it is not there.
   *
   * @throws IllegalArgumentException the text is no id of a batch
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  @Nullable CompositeData batch(String id);

  /**
   * Cancels a batch: it takes no more jobs, and those that it has are cancelled as by {@link
   * #cancel}. Returns how many jobs had which {@code CancelResult}, by its name.
   *
   * @throws IllegalArgumentException the text is no id of a batch
   * @throws IllegalStateException as every call, also if there is no such batch; some of its jobs
   *     may have been cancelled; see {@link JobEngineMBean}
   */
  Map<String, Long> cancelBatch(String id);

  /**
   * Explains why a job is not running, as {@code Explanation}, whose reasons are each a {@code
   * kind}, a {@code sentence}, and the {@code facts} of that kind; null if the job no longer
   * exists. Asks the engine's own thread what it alone knows, for a second by default: if there is
   * no answer the store still tells, and the reasons say so.
   *
   * @throws IllegalArgumentException the text is no id of a job
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  @Nullable CompositeData explain(String id);

  /**
   * Returns a page of {@code jobs}, the dead ones of a queue, the earliest death first.
   *
   * @param errorContains text that the last error contains; null for any
   * @param diedBeforeMs died earlier than this, epoch ms; 0 for any
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200; the text is out of its range, or the time is not from 1970 to 9999; or the cursor
   *     is not of such a page
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData deadLetters(
      String name,
      String tenant,
      @Nullable String errorContains,
      long diedBeforeMs,
      @Nullable String cursor);

  /**
   * Makes a dead job ready again, with its checkpoint. Answers as {@link #redrive(String, String)}.
   *
   * @throws IllegalArgumentException the text is no id of a job
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  String redrive(String id);

  /**
   * Makes a dead job ready again. Returns REDRIVEN, NOT_DEAD, GONE, or DUPLICATE and the id of the
   * job that holds its unique key now, so that it stays dead.
   *
   * @param checkpointed KEEP or CLEAR: what becomes of the state that its last checkpoint kept
   * @throws IllegalArgumentException the text is no id of a job, or the treatment is neither KEEP
   *     nor CLEAR
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  String redrive(String id, String checkpointed);

  /**
   * Makes all dead jobs of a queue ready again that match. Returns how many.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200; the text is out of its range, or the time is not from 1970 to 9999
   * @throws IllegalStateException as every call, see {@link JobEngineMBean}; earlier steps stay
   *     done
   */
  long redriveAll(String name, String tenant, @Nullable String errorContains, long diedBeforeMs);

  /**
   * Makes all dead jobs of a queue ready again that match. Returns how many.
   *
   * @param checkpointed KEEP or CLEAR: what becomes of the states that their last checkpoints kept
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200; the text is out of its range, or the time is not from 1970 to 9999; or the
   *     treatment is neither KEEP nor CLEAR
   * @throws IllegalStateException as every call, see {@link JobEngineMBean}; earlier steps stay
   *     done
   */
  long redriveAll(
      String name,
      String tenant,
      @Nullable String errorContains,
      long diedBeforeMs,
      String checkpointed);

  /**
   * Removes a dead job for good. Returns whether it was there.
   *
   * @throws IllegalArgumentException the text is no id of a job
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  boolean deleteDead(String id);

  /**
   * Removes all dead jobs of a queue for good that match. Returns how many.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200; the text is out of its range, or the time is not from 1970 to 9999
   * @throws IllegalStateException as every call, see {@link JobEngineMBean}; earlier steps stay
   *     done
   */
  long deleteAllDead(String name, String tenant, @Nullable String errorContains, long diedBeforeMs);

  /**
   * Stops serving claims of a queue, also over restarts; creates it if need be.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  void pause(String name, String tenant);

  /**
   * Serves claims of a queue again.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  void resume(String name, String tenant);

  /**
   * Refuses enqueues to a queue from now on. Returns the name of a {@code DrainResult}.
   *
   * @param waitMs how long to wait until no work is left in the queue, in milliseconds; 0 only
   *     looks
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200; or the time is negative, or longer than ten years
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  String drain(String name, String tenant, long waitMs);

  /**
   * Accepts enqueues to a queue again.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  void endDrain(String name, String tenant);

  /**
   * Removes all jobs of a queue in these states, any but LEASED. Returns how many.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200; there is no such state, or it is LEASED
   * @throws IllegalStateException as every call, see {@link JobEngineMBean}; earlier steps stay
   *     done
   */
  long purge(String name, String tenant, List<String> states);

  /**
   * Deletes a queue with all its jobs, leased ones too. Returns whether it was there.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  boolean deleteQueue(String name, String tenant);

  /**
   * Returns the settings that hold for a queue, also for one that is still to be: as {@code values}
   * texts by key, as {@link #configure} takes them, and as {@code inherited} the keys of those that
   * the queue does not set itself.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData settings(String name, String tenant);

  /**
   * Returns the settings for the queues of a name, of all tenants, in the form of {@link
   * #settings}.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData nameSettings(String name);

  /**
   * Changes the settings of a queue itself, and returns those that hold then. The keys are {@code
   * leaseDuration}, {@code depthMax}, {@code expiry}, {@code maxAttempts}, {@code backoff}, {@code
   * resultRetention}, {@code deadRetention}, {@code perKey}, {@code keyOrder}, {@code rateLimit},
   * {@code rateLimitPerKey} and {@code share}; durations are as {@code PT30S}, rate limits as
   * {@code 100/PT1S burst 10}. {@code none} takes a limit or a retention away, {@code inherit}
   * takes the queue's own setting away. Others stay as they are.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200; or a key or a value is wrong: the message says what is allowed
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData configure(String name, String tenant, Map<String, String> changes);

  /**
   * Changes the settings for the queues of a name, of all tenants, as {@link #configure} does for
   * one.
   *
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8; or a key or a value
   *     is wrong: the message says what is allowed
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData configureName(String name, Map<String, String> changes);

  /**
   * Removes a job, or asks its holder to let go of it. Returns the name of a {@code CancelResult}.
   *
   * @throws IllegalArgumentException the text is no id of a job
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  String cancel(String id);

  /**
   * Removes a job unless somebody works on it. Returns the name of a {@code CancelResult}.
   *
   * @throws IllegalArgumentException the text is no id of a job
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  String cancelIfWaiting(String id);

  /**
   * Takes the lease on a job away. Returns the name of a {@code JobReleaseResult}.
   *
   * @throws IllegalArgumentException the text is no id of a job
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  String release(String id);

  /**
   * Makes a job that waits wait until a time. Returns the name of a {@code RescheduleResult}.
   *
   * @param visibleAtMs when the wait ends, epoch ms
   * @throws IllegalArgumentException the text is no id of a job, or the time is not from 1970 to
   *     9999
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  String reschedule(String id, long visibleAtMs);

  /**
   * Sends a signal to a job, which goes on if it waits for it. Returns the name of a {@code
   * SignalResult}.
   *
   * @param payload null for none
   * @throws IllegalArgumentException the text is no id of a job, the signal has not 1 to 255 bytes
   *     of UTF-8, or the payload has more than 4,096 bytes
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  String signal(String id, String signal, byte @Nullable [] payload);

  /**
   * Sends a signal to all jobs of a queue that wait for it. Returns how many those were. If there
   * are none, the signal is kept for 7 days for the first.
   *
   * @param payload null for none
   * @throws IllegalArgumentException the name has not 1 to 200 bytes of UTF-8, or the tenant more
   *     than 200; the signal has not 1 to 255 bytes of UTF-8, or the payload has more than 4,096
   *     bytes
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  long broadcast(String name, String tenant, String signal, byte @Nullable [] payload);

  /**
   * Makes a job a dead letter that waits for a signal. Returns the name of a {@code StuckResult}.
   *
   * @throws IllegalArgumentException the text is no id of a job
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  String failStuck(String id, String error);

  /**
   * Changes a job that nobody works on. Returns the name of an {@code UpdateResult}.
   *
   * @param changes new values, as texts by the keys of {@code UpdateOptions.with}, such as {@code
   *     priority} and {@code leaseDuration}; none if only the payload or the headers change
   * @param payload the new payload; null leaves the old one
   * @param headers the new headers, in place of all that there were; null leaves them
   * @throws IllegalArgumentException the text is no id of a job, a number is unknown or out of its
   *     range, or the payload or the headers are too long
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  String update(
      String id,
      Map<String, String> changes,
      byte @Nullable [] payload,
      @Nullable Map<String, String> headers);

  /**
   * Counts the jobs that meet all conditions.
   *
   * @param conditions as {@link #list} takes them, at least one
   * @throws IllegalArgumentException a condition is wrong; the message says what is allowed; or
   *     there is none
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  long countJobs(Map<String, String> conditions);

  /**
   * Cancels all jobs that meet the conditions. Returns how many ended how, by the names of {@code
   * CancelResult}. This and the other calls for all jobs that meet conditions may take long: each
   * job is a commit of its own.
   *
   * @param conditions as {@link #list} takes them, at least one
   * @param isIfWaiting whether to leave those alone that somebody works on
   * @throws IllegalArgumentException a condition is wrong; the message says what is allowed; or
   *     there is none
   * @throws IllegalStateException as every call, see {@link JobEngineMBean}; jobs before stay
   *     changed
   */
  Map<String, Long> cancelJobs(Map<String, String> conditions, boolean isIfWaiting);

  /**
   * Takes the leases on all jobs away that meet the conditions. Returns how many ended how, by the
   * names of {@code JobReleaseResult}.
   *
   * @throws IllegalArgumentException a condition is wrong; the message says what is allowed; or
   *     there is none
   * @throws IllegalStateException as every call, see {@link JobEngineMBean}; jobs before stay
   *     changed
   */
  Map<String, Long> releaseJobs(Map<String, String> conditions);

  /**
   * Makes all jobs that wait and meet the conditions wait until a time. Returns how many ended how,
   * by the names of {@code RescheduleResult}.
   *
   * @param visibleAtMs when the wait ends, epoch ms
   * @throws IllegalArgumentException a condition is wrong; the message says what is allowed; or
   *     there is none, or the time is not from 1970 to 9999
   * @throws IllegalStateException as every call, see {@link JobEngineMBean}; jobs before stay
   *     changed
   */
  Map<String, Long> rescheduleJobs(Map<String, String> conditions, long visibleAtMs);

  /**
   * Changes all jobs that meet the conditions, as {@link #update} does one. Returns how many ended
   * how, by the names of {@code UpdateResult}.
   *
   * @throws IllegalArgumentException a condition is wrong; the message says what is allowed; or
   *     there is none; a number is unknown or out of its range, or the payload or the headers are
   *     too long
   * @throws IllegalStateException as every call, see {@link JobEngineMBean}; jobs before stay
   *     changed
   */
  Map<String, Long> updateJobs(
      Map<String, String> conditions,
      Map<String, String> changes,
      byte @Nullable [] payload,
      @Nullable Map<String, String> headers);

  /**
   * Makes all dead jobs ready again that meet the conditions. Returns how many became ready.
   *
   * @param checkpointed as {@link #redrive(String, String)} takes it
   * @throws IllegalArgumentException a condition is wrong; the message says what is allowed; or
   *     there is none, or the treatment is neither KEEP nor CLEAR
   * @throws IllegalStateException as every call, see {@link JobEngineMBean}; jobs before stay
   *     changed
   */
  long redriveJobs(Map<String, String> conditions, String checkpointed);

  /**
   * Opens the store again after a failure; does nothing to an engine that is not poisoned.
   *
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  void reopen();

  /**
   * Reads everything once and compares: records, indexes, counters. Takes a while. Returns a {@code
   * VerifyReport}.
   *
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  CompositeData verify();

  /**
   * Writes a consistent copy of the store into an empty or absent folder while work goes on.
   *
   * @param folder absolute, on the engine's machine
   * @throws IllegalArgumentException the path is not absolute
   * @throws IllegalStateException as every call; see {@link JobEngineMBean}
   */
  void backup(String folder);
}
