package io.millrace.api;

import io.millrace.options.Option.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;

/**
 * The limits on values from callers, and the checks of them. A check returns the value if it is
 * allowed, and throws {@link IllegalArgumentException} if not.
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
  public static final int STATE_BYTES_MAX = 16 << 20;

  /** The greatest length of a signal's payload, in bytes. Longer contents belong into a table. */
  public static final int SIGNAL_BYTES_MAX = 4 << 10;

  /** The most signals that are kept for one job until it waits for them. */
  public static final int INBOX_COUNT_MAX = 100;

  /** The most jobs in one call for many jobs. */
  public static final int CALL_JOB_COUNT_MAX = 10_000;

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
   * The prefix of the names of the engine's own tables. Names of users' tables may not begin with
   * it.
   */
  public static final String TABLE_OWN_PREFIX = "millrace.";

  /**
   * The name of the table of recurring jobs. It works like a user's table, but its name is
   * reserved.
   */
  public static final String TABLE_OF_SCHEDULES = TABLE_OWN_PREFIX + "schedules";

  /**
   * The name of the table of jobs that workers cut short because they stopped, with the number of
   * times. It works like a user's table, but its name is reserved.
   */
  public static final String TABLE_OF_HAND_BACKS = TABLE_OWN_PREFIX + "handbacks";

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

  /** Returns the value if it is in the range, both ends inclusive. */
  public static long inRange(String parameter, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s is out of range: value=%d, least=%d, most=%d",
              parameter,
              value,
              least,
              most));
    }
    return value;
  }

  /** Returns the value if it is in the range, both ends inclusive. */
  public static Duration inRange(String parameter, Duration value, Duration least, Duration most) {
    Objects.requireNonNull(value, parameter);
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          parameter + " is out of range: value=" + value + ", least=" + least + ", most=" + most);
    }
    return value;
  }

  /**
   * Returns a check that calls {@link #text(String, String, int, int)} with a length from 1 byte.
   */
  static Check<String, String> text(int bytesMost) {
    return (parameter, value) -> text(parameter, value, 1, bytesMost);
  }

  /** Returns the delay if it is from 0 to {@link #DELAY_MAX}. */
  public static Duration delay(String parameter, Duration value) {
    return inRange(parameter, value, Duration.ZERO, DELAY_MAX);
  }

  /** Returns the instant if epoch milliseconds can hold it with {@link #DELAY_MAX} to spare. */
  public static Instant instant(String parameter, Instant value) {
    Objects.requireNonNull(value, parameter);
    if (value.isBefore(INSTANT_LEAST) || value.isAfter(INSTANT_MOST)) {
      throw new IllegalArgumentException(
          parameter
              + " is out of range: value="
              + value
              + ", least="
              + INSTANT_LEAST
              + ", most="
              + INSTANT_MOST);
    }
    return value;
  }

  /** Returns the lease duration if it is from {@link #LEASE_LEAST} to {@link #LEASE_MAX}. */
  public static Duration lease(String parameter, Duration value) {
    return inRange(parameter, value, LEASE_LEAST, LEASE_MAX);
  }

  /** Returns the payload if it is not longer than {@link #PAYLOAD_BYTES_MAX}. */
  public static byte[] payload(byte[] payload) {
    Objects.requireNonNull(payload, "payload");
    inRange("payload length in bytes", payload.length, 0, PAYLOAD_BYTES_MAX);
    return payload;
  }

  /** Returns the state if it is not longer than {@link #STATE_BYTES_MAX}. */
  public static byte[] state(byte[] state) {
    Objects.requireNonNull(state, "state");
    inRange("state length in bytes", state.length, 0, STATE_BYTES_MAX);
    return state;
  }

  /**
   * Returns the time to live or retention if it is from {@link #KEEP_LEAST} to {@link #DELAY_MAX}.
   */
  public static Duration keep(String parameter, Duration value) {
    return inRange(parameter, value, KEEP_LEAST, DELAY_MAX);
  }

  /** Returns the signal's name if it is 1 to {@link #KEY_BYTES_MAX} bytes of UTF-8. */
  public static String signal(String name) {
    return text("signal", name, 1, KEY_BYTES_MAX);
  }

  /** Returns the signal's payload if it is not longer than {@link #SIGNAL_BYTES_MAX}. */
  public static byte[] signalPayload(byte[] payload) {
    Objects.requireNonNull(payload, "payload");
    inRange("signal payload length in bytes", payload.length, 0, SIGNAL_BYTES_MAX);
    return payload;
  }

  /** Returns the result if it is not longer than {@link #RESULT_BYTES_MAX}. */
  public static byte[] result(byte[] result) {
    Objects.requireNonNull(result, "result");
    inRange("result length in bytes", result.length, 0, RESULT_BYTES_MAX);
    return result;
  }

  /**
   * Tells whether the table of this name is the engine's own, so that users cannot see its rows.
   */
  public static boolean isOwnTable(String name) {
    return name.startsWith(TABLE_OWN_PREFIX)
        && !name.equals(TABLE_OF_SCHEDULES)
        && !name.equals(TABLE_OF_HAND_BACKS);
  }

  /**
   * Returns the name if a user's table may have it: if it is as long as a queue name may be, and
   * not one of the engine's own.
   */
  public static String tableName(String name) {
    text("table", name, 1, NAME_BYTES_MAX);
    if (isOwnTable(name)) {
      throw new IllegalArgumentException(
          "table has a name that is the engine's own: value=\""
              + name
              + "\"; choose one that does not begin with \""
              + TABLE_OWN_PREFIX
              + "\"");
    }
    return name;
  }

  /** Returns the key of a row, as bytes, if it is not longer than {@link #KEY_BYTES_MAX}. */
  public static byte[] tableKey(byte[] key) {
    Objects.requireNonNull(key, "key");
    inRange("key length in bytes", key.length, 0, KEY_BYTES_MAX);
    return key;
  }

  /** Returns the value of a row if it is not longer than {@link #TABLE_VALUE_BYTES_MAX}. */
  public static byte[] tableValue(byte[] value) {
    Objects.requireNonNull(value, "value");
    inRange("value length in bytes", value.length, 0, TABLE_VALUE_BYTES_MAX);
    return value;
  }

  /**
   * Returns the text if its length in UTF-8 bytes is in the range, both ends inclusive, and if it
   * has no unpaired surrogates, so that it can be read back from UTF-8.
   */
  public static String text(String parameter, String value, int bytesLeast, int bytesMost) {
    Objects.requireNonNull(value, parameter);
    int bytes = Utf8.lengthBytes(parameter, value);
    if (bytes < bytesLeast || bytes > bytesMost) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s has a length out of range: value=\"%s\", UTF-8 bytes=%d, least=%d, most=%d",
              parameter,
              value.length() > 80 ? value.substring(0, 80) + "…" : value,
              bytes,
              bytesLeast,
              bytesMost));
    }
    return value;
  }

  private static final Instant INSTANT_LEAST = Instant.EPOCH;
  private static final Instant INSTANT_MOST = Instant.parse("9999-12-31T23:59:59.999Z");
}
