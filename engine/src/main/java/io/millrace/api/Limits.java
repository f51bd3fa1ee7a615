package io.millrace.api;

import io.millrace.options.Option.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;

/** The limits on what callers may hand in, and the checks at the border. */
public final class Limits {

  /** Longest queue name and longest tenant, in UTF-8 bytes. */
  public static final int NAME_BYTES_MAX = 200;

  /** Longest unique, concurrency, signal and table key, in bytes. */
  public static final int KEY_BYTES_MAX = 255;

  /** Longest worker name, in UTF-8 bytes. */
  public static final int WORKER_BYTES_MAX = 200;

  public static final int HEADER_COUNT_MAX = 64;

  /** All header names and values of one job together, in UTF-8 bytes. */
  public static final int HEADER_BYTES_MAX = 8 << 10;

  public static final int PAYLOAD_BYTES_MAX = 16 << 20;

  /** Longest state that a checkpoint can keep, in bytes. */
  public static final int STATE_BYTES_MAX = 16 << 20;

  /** Longest payload of a signal, in bytes: what is longer belongs into a table. */
  public static final int SIGNAL_BYTES_MAX = 4 << 10;

  /** Most signals that are kept for one job until it waits for them. */
  public static final int INBOX_COUNT_MAX = 100;

  /** Most jobs in one call of many. */
  public static final int CALL_JOB_COUNT_MAX = 10_000;

  /**
   * Most operations of one transaction: a call of many jobs, and what belongs to them, such as the
   * end of the lease that makes them and a row that counts them.
   */
  public static final int TRANSACTION_OPERATION_COUNT_MAX = CALL_JOB_COUNT_MAX + 1_000;

  /** How often the function of a transaction is called, at most. */
  public static final int TRANSACTION_TRIES_MAX = 100;

  /** Most queues that may be leased as a whole at a time. */
  public static final int QUEUE_LEASE_COUNT_MAX = 10_000;

  /** Most queues that one claim may name. */
  public static final int CLAIM_QUEUE_COUNT_MAX = 1_000;

  /** Longest value of a table's row, in bytes. */
  public static final int TABLE_VALUE_BYTES_MAX = 1 << 20;

  /** Length of a row that a transaction has appended to, in bytes. */
  public static final int APPENDED_BYTES_MAX = 1 << 16;

  /** Most rows of a table in one call of many. */
  public static final int CALL_ROW_COUNT_MAX = 10_000;

  /** How the names of the engine's own tables begin; users' tables may not. */
  public static final String TABLE_OWN_PREFIX = "millrace.";

  /** The table of recurring jobs: a table as users' are, under a name that is kept for it. */
  public static final String TABLE_OF_SCHEDULES = TABLE_OWN_PREFIX + "schedules";

  /**
   * The table of jobs that workers cut short because they stopped, and how often: a table as users'
   * are, under a name that is kept for it.
   */
  public static final String TABLE_OF_HAND_BACKS = TABLE_OWN_PREFIX + "handbacks";

  /** All payloads and headers in one call of many, in bytes; or all rows of a table. */
  public static final int CALL_BYTES_MAX = 32 << 20;

  /** All payloads, headers and states that one claim takes, in bytes, unless it says otherwise. */
  public static final int CLAIM_BYTES_DEFAULT = 32 << 20;

  public static final int MAX_ATTEMPTS_MAX = 1_000;

  /** Most jobs of one concurrency key that a queue can have in line or worked on at a time. */
  public static final int PER_KEY_MAX = 1_000_000;

  /** Most starts that a rate limit can allow in each of its times. */
  public static final int RATE_COUNT_MAX = 1_000_000;

  /** Most starts that a rate limit can allow at once. */
  public static final int RATE_BURST_MAX = 1_000_000;

  /** Shortest time that a rate limit can count starts in. */
  public static final Duration RATE_PER_LEAST = Duration.ofMillis(1);

  /** Longest time that a rate limit can count starts in. */
  public static final Duration RATE_PER_MAX = Duration.ofDays(7);

  /** Jobs of one tenant in its turn. */
  public static final int SHARE_MAX = 1_000;

  public static final int WEIGHT_MAX = 65_535;

  /** Longest text that is kept of an error, in UTF-8 bytes; what is longer is cut. */
  public static final int ERROR_BYTES_MAX = 4 << 10;

  /** Longest result that a job can be completed with, in bytes. */
  public static final int RESULT_BYTES_MAX = 1 << 20;

  /** Most listeners of one engine. */
  public static final int LISTENER_COUNT_MAX = 64;

  /** Most events that wait for one listener; it misses those that come then. */
  public static final int LISTENER_EVENT_COUNT_MAX = 65_536;

  /** How many finished attempts of a job are kept: the newest. */
  public static final int HISTORY_COUNT_MAX = 16;

  /** Shortest time to live and shortest retention. */
  public static final Duration KEEP_LEAST = Duration.ofMillis(1);

  public static final int PAGE_SIZE_MAX = 1_000;
  public static final Duration LEASE_LEAST = Duration.ofMillis(100);
  public static final Duration LEASE_MAX = Duration.ofDays(7);

  /** Farthest that a job may be put into the future; also the cap on backoffs. */
  public static final Duration DELAY_MAX = Duration.ofDays(3_650);

  private Limits() {}

  /** Answers the value if it is in the range, both ends inclusive. */
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

  /** Answers the value if it is in the range, both ends inclusive. */
  public static Duration inRange(String parameter, Duration value, Duration least, Duration most) {
    Objects.requireNonNull(value, parameter);
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          parameter + " is out of range: value=" + value + ", least=" + least + ", most=" + most);
    }
    return value;
  }

  /** Answers a check of texts by {@link #text(String, String, int, int)}, from 1 byte. */
  static Check<String, String> text(int bytesMost) {
    return (parameter, value) -> text(parameter, value, 1, bytesMost);
  }

  /** Answers the delay if it is from 0 to {@link #DELAY_MAX}. */
  public static Duration delay(String parameter, Duration value) {
    return inRange(parameter, value, Duration.ZERO, DELAY_MAX);
  }

  /** Answers the instant if epoch milliseconds can hold it with {@link #DELAY_MAX} to spare. */
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

  /** Answers the lease duration if it is from {@link #LEASE_LEAST} to {@link #LEASE_MAX}. */
  public static Duration lease(String parameter, Duration value) {
    return inRange(parameter, value, LEASE_LEAST, LEASE_MAX);
  }

  /** Answers the payload if it is not longer than {@link #PAYLOAD_BYTES_MAX}. */
  public static byte[] payload(byte[] payload) {
    Objects.requireNonNull(payload, "payload");
    inRange("payload length in bytes", payload.length, 0, PAYLOAD_BYTES_MAX);
    return payload;
  }

  /** Answers the state if it is not longer than {@link #STATE_BYTES_MAX}. */
  public static byte[] state(byte[] state) {
    Objects.requireNonNull(state, "state");
    inRange("state length in bytes", state.length, 0, STATE_BYTES_MAX);
    return state;
  }

  /**
   * Answers the time to live or retention if it is from {@link #KEEP_LEAST} to {@link #DELAY_MAX}.
   */
  public static Duration keep(String parameter, Duration value) {
    return inRange(parameter, value, KEEP_LEAST, DELAY_MAX);
  }

  /** Answers the signal's name if it is 1 to {@link #KEY_BYTES_MAX} bytes of UTF-8. */
  public static String signal(String name) {
    return text("signal", name, 1, KEY_BYTES_MAX);
  }

  /** Answers the signal's payload if it is not longer than {@link #SIGNAL_BYTES_MAX}. */
  public static byte[] signalPayload(byte[] payload) {
    Objects.requireNonNull(payload, "payload");
    inRange("signal payload length in bytes", payload.length, 0, SIGNAL_BYTES_MAX);
    return payload;
  }

  /** Answers the result if it is not longer than {@link #RESULT_BYTES_MAX}. */
  public static byte[] result(byte[] result) {
    Objects.requireNonNull(result, "result");
    inRange("result length in bytes", result.length, 0, RESULT_BYTES_MAX);
    return result;
  }

  /** Whether a table of this name is the engine's own, whose rows no user sees. */
  public static boolean isOwnTable(String name) {
    return name.startsWith(TABLE_OWN_PREFIX)
        && !name.equals(TABLE_OF_SCHEDULES)
        && !name.equals(TABLE_OF_HAND_BACKS);
  }

  /** Answers the name if a user's table may have it: as long as a queue's, and not the engine's. */
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

  /** Answers the key of a row, as bytes, if it is not longer than {@link #KEY_BYTES_MAX}. */
  public static byte[] tableKey(byte[] key) {
    Objects.requireNonNull(key, "key");
    inRange("key length in bytes", key.length, 0, KEY_BYTES_MAX);
    return key;
  }

  /** Answers the value of a row if it is not longer than {@link #TABLE_VALUE_BYTES_MAX}. */
  public static byte[] tableValue(byte[] value) {
    Objects.requireNonNull(value, "value");
    inRange("value length in bytes", value.length, 0, TABLE_VALUE_BYTES_MAX);
    return value;
  }

  /**
   * Answers the text if its UTF-8 form, in bytes, is in the range, both ends inclusive, and can be
   * told back.
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
