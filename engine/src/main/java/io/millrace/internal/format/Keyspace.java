package io.millrace.internal.format;

import org.jspecify.annotations.Nullable;

/** A kind of row: the first byte of every key. The codes are on disk, never change. */
public enum Keyspace {
  /** name => facts about the store. */
  META(0x01),
  /** queue name, tenant => number and settings. */
  QUEUE(0x02),
  /** queue number => name and tenant, or that it was dropped. */
  QUEUE_NAME(0x03),
  /** queue => counts and heads. */
  COUNTERS(0x04),
  /** time, key => a corrupt row as it was found. */
  QUARANTINE(0x05),
  /** queue, birth sequence => lease of the job whose record is at its READY key. */
  LEASE(0x06),
  /** queue, visibleAt, birth sequence => job. */
  DELAYED(0x07),
  /** queue, concurrency key, 127 - priority, sequence at entry => job. */
  BLOCKED(0x08),
  /** queue, concurrency key => number of holders. */
  SLOT(0x09),
  /** queue, signal, birth sequence => job. */
  WAITING(0x0A),
  /** queue, signal => a signal that found nobody waiting. */
  SIGNAL(0x0B),
  /** queue, time of death, birth sequence => job. */
  DEAD(0x0C),
  /** queue, time of completion, birth sequence => job. */
  DONE(0x0D),
  /** queue, birth sequence, attempt => one finished attempt. */
  HISTORY(0x0E),
  /** time, queue, kind, birth sequence or hash => whose time it is. */
  TIMER(0x0F),
  /** time, queue => nothing: look at this queue at this time. */
  AGENDA(0x10),
  /** queue, unique key => its holder. */
  UNIQUE(0x11),
  /** queue, birth sequence => where the job's record is now. */
  MOVED(0x12),
  /** queue, birth sequence, version => payload and headers. */
  BLOB(0x13),
  /** table, key => the user's own row. */
  TABLE(0x14),
  /**
   * queue, 127 - priority, ready sequence => job. The last, for a B-tree that is appended to fills
   * its pages only while nothing lies behind: ADR 33.
   */
  READY(0x15);

  private static final Keyspace[] BY_CODE = new Keyspace[0x16];

  static {
    for (Keyspace keyspace : values()) {
      BY_CODE[keyspace.code] = keyspace;
    }
  }

  private final byte code;

  Keyspace(int code) {
    this.code = (byte) code;
  }

  /** The first byte of the keyspace's keys. */
  public byte code() {
    return code;
  }

  /**
   * The keyspace with the code.
   *
   * @throws IllegalArgumentException there is none
   */
  public static Keyspace of(byte code) {
    if (code <= 0 || code >= BY_CODE.length) {
      throw new IllegalArgumentException("keyspace code is not known: code=" + (code & 0xff));
    }
    return BY_CODE[code];
  }

  /**
   * The keyspace that the key is in.
   *
   * @throws IllegalArgumentException the key is empty or in no keyspace
   */
  public static Keyspace ofKey(byte[] key) {
    if (key.length == 0) {
      throw new IllegalArgumentException("key is empty");
    }
    return of(key[0]);
  }

  /** The keyspace that the key is in; null if it is in none. */
  public static @Nullable Keyspace find(byte[] key) {
    boolean isKnown = key.length > 0 && key[0] > 0 && key[0] < BY_CODE.length;
    return isKnown ? BY_CODE[key[0]] : null;
  }

  /** The keyspace with the greatest keys. */
  public static Keyspace last() {
    return BY_CODE[BY_CODE.length - 1];
  }

  /**
   * Whether the rows are job records: a job is where its record is, but for leased ones, which stay
   * in READY.
   */
  public boolean isOfJobs() {
    return switch (this) {
      case READY, DELAYED, BLOCKED, WAITING, DEAD, DONE -> true;
      default -> false;
    };
  }

  /** Least key that may be in the keyspace. */
  public byte[] start() {
    return new byte[] {code};
  }

  /** Exclusive end of the keyspace's keys. */
  public byte[] end() {
    return new byte[] {(byte) (code + 1)};
  }
}
