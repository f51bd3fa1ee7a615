package io.millrace.api;

import java.time.Duration;

/**
 * The limits on values from callers. Values beyond them are refused with {@link
 * IllegalArgumentException} where they are handed in.
 */
public final class Limits {

  /** The greatest length of a queue name and of a tenant, in UTF-8 bytes. */
  public static final int NAME_BYTES_MAX = 200;

  /** The greatest length of a unique, concurrency, signal or table key, in bytes. */
  public static final int KEY_BYTES_MAX = 255;

  /** The greatest length of a worker name, in UTF-8 bytes. */
  public static final int WORKER_BYTES_MAX = 200;

  public static final int HEADER_COUNT_MAX = 64;

  /** The greatest length of all header names and values of one job together, in UTF-8 bytes. */
  public static final int HEADER_BYTES_MAX = 8 << 10;

  public static final int PAYLOAD_BYTES_MAX = 16 << 20;

  /** The greatest length of a state that a checkpoint can keep, in bytes. */
  public static final int CHECKPOINT_BYTES_MAX = 16 << 20;

  /** The greatest length of a signal's payload, in bytes. Longer contents belong into a table. */
  public static final int SIGNAL_BYTES_MAX = 4 << 10;

  /** The most signals that are kept for one job until it waits for them. */
  public static final int INBOX_COUNT_MAX = 100;

  /** The most jobs in one call for many jobs. */
  public static final int CALL_JOB_COUNT_MAX = 10_000;

  /** The most batches that are within each other, the outermost included. */
  public static final int BATCH_DEPTH_MAX = 8;

  /** The most jobs that wait for one batch, those that come after it among them. */
  public static final int BATCH_WAITER_COUNT_MAX = 32;

  /**
   * The most operations of one transaction: those of a call for many jobs, and some for what
   * belongs to them, such as the end of the lease that creates them and a row that counts them.
   */
  public static final int TRANSACTION_OPERATION_COUNT_MAX = CALL_JOB_COUNT_MAX + 1_000;

  /** The most calls of the function of a transaction. */
  public static final int TRANSACTION_TRIES_MAX = 100;

  /** The most queues that may be leased as a whole at a time. */
  public static final int QUEUE_LEASE_COUNT_MAX = 10_000;

  /** The most queues that one claim may name. */
  public static final int CLAIM_QUEUE_COUNT_MAX = 1_000;

  /** The greatest length of the value of a table's row, in bytes. */
  public static final int TABLE_VALUE_BYTES_MAX = 1 << 20;

  /** The greatest length of the value of a row that a transaction appends to, in bytes. */
  public static final int APPENDED_BYTES_MAX = 1 << 16;

  /** The most rows of a table in one call for many rows. */
  public static final int CALL_ROW_COUNT_MAX = 10_000;

  /**
   * The greatest length of all payloads and headers in one call for many jobs, or of all rows in
   * one call for many rows, in bytes.
   */
  public static final int CALL_BYTES_MAX = 32 << 20;

  /**
   * The greatest length of all payloads, headers and states that one claim takes, in bytes, unless
   * the claim sets another.
   */
  public static final int CLAIM_BYTES_DEFAULT = 32 << 20;

  public static final int MAX_ATTEMPTS_MAX = 1_000;

  /** The most jobs of one concurrency key that a queue can have ready or leased at a time. */
  public static final int PER_KEY_MAX = 1_000_000;

  /** The most starts that a rate limit can allow in each period. */
  public static final int RATE_COUNT_MAX = 1_000_000;

  /** The most starts that a rate limit can allow at once. */
  public static final int RATE_BURST_MAX = 1_000_000;

  /** The shortest period of a rate limit. */
  public static final Duration RATE_PER_LEAST = Duration.ofMillis(1);

  /** The longest period of a rate limit. */
  public static final Duration RATE_PER_MAX = Duration.ofDays(7);

  /** The most jobs of one tenant in one turn. */
  public static final int SHARE_MAX = 1_000;

  public static final int WEIGHT_MAX = 65_535;

  /** The greatest length of an error that is kept, in UTF-8 bytes. Longer ones are cut. */
  public static final int ERROR_BYTES_MAX = 4 << 10;

  /** The greatest length of a result that a job can be completed with, in bytes. */
  public static final int RESULT_BYTES_MAX = 1 << 20;

  /** The most listeners of one engine. */
  public static final int LISTENER_COUNT_MAX = 64;

  /** The most events that wait for one listener. It misses events that come while so many wait. */
  public static final int LISTENER_EVENT_COUNT_MAX = 65_536;

  /** The most finished attempts of a job that are kept: the newest ones. */
  public static final int HISTORY_COUNT_MAX = 16;

  /** The shortest time to live and the shortest retention. */
  public static final Duration KEEP_LEAST = Duration.ofMillis(1);

  public static final int PAGE_SIZE_MAX = 1_000;
  public static final Duration LEASE_LEAST = Duration.ofMillis(100);
  public static final Duration LEASE_MAX = Duration.ofDays(7);

  /** The longest time that a job may be put off; also the cap on backoffs. */
  public static final Duration DELAY_MAX = Duration.ofDays(3_650);

  private Limits() {}
}
