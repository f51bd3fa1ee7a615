package io.millrace.internal.state;

import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotLogRecord;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TurnKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A concurrency key in use: how many jobs have it, as memory and as the store says.
 *
 * <p>The next blocked job is looked for at each job's end, in the store and in the batch under way.
 * Two things keep that short: before {@link #blockedFrom} there is none any more, so that nobody
 * walks over what is left of those that have gone; and the batch's own are {@link #added listed}.
 * If all of them are few they are {@link #allBlocked remembered}, and nobody looks for them. Of a
 * key of the engine both speak of turns ({@link TurnKeys}), and which is next is remembered.
 */
public final class SlotEntry implements SlotLogRecord.Counted {

  /** Of how many blocked jobs the keys are remembered, if there are no more. */
  private static final int REMEMBERED_MAX = 8;

  private static final long NOT_LOGGED = -1;

  private final byte[] key;
  private final int queue;
  private final boolean isOfEngine;
  private @Nullable SlotRecord stored;
  private @Nullable SlotRecord ownRow;
  private long loggedAt = NOT_LOGGED;
  private boolean isLoggedInUse;
  private int holders;
  private long blocked;
  private boolean isChanged;
  private boolean isUsed;
  private boolean isForgotten;
  private byte @Nullable [] blockedFrom;
  private List<byte[]> added = List.of();
  private List<byte[]> remembered = List.of();
  private boolean isUnfinished;
  private byte @Nullable [] nextTurn;
  private int nextMost;

  /**
   * A key as the store knows it.
   *
   * @param ownRow what its own row holds, whatever is logged; null if nobody knows
   */
  SlotEntry(byte[] key, SlotRecord stored, @Nullable SlotRecord ownRow) {
    this.key = key;
    this.queue = SlotKeys.queue(key);
    this.isOfEngine = SlotKeys.isOfEngine(key);
    this.stored = stored;
    this.ownRow = ownRow;
    this.holders = stored.holders();
    this.blocked = stored.blocked();
    this.isUnfinished = stored.isUnfinished();
  }

  /** Key of its own row. */
  @Override
  public byte[] slotKey() {
    return key;
  }

  /** Number of its queue. */
  public int queue() {
    return queue;
  }

  /** Whether the concurrency key belongs to the whole engine. */
  public boolean isOfEngine() {
    return isOfEngine;
  }

  public byte[] concurrencyKey() {
    return SlotKeys.concurrencyKey(key);
  }

  /** Jobs that are ready or leased. */
  @Override
  public int holders() {
    return holders;
  }

  /** Jobs that are blocked. */
  @Override
  public long blocked() {
    return blocked;
  }

  /** What the store is to tell of it. */
  public SlotRecord current() {
    return new SlotRecord(holders, blocked, isUnfinished);
  }

  /** Whether nobody has the key, so that it has no row. */
  public boolean isEmpty() {
    return holders == 0 && blocked == 0;
  }

  /** Whether the store tells something else. */
  public boolean differsFromStored() {
    return stored == null || differs(stored);
  }

  /** Whether its own row must be put or deleted to tell what is to be told. */
  public boolean differsFromOwnRow() {
    return ownRow == null || differs(ownRow);
  }

  private boolean differs(SlotRecord other) {
    return holders != other.holders()
        || blocked != other.blocked()
        || isUnfinished != other.isUnfinished();
  }

  /** Whether a row of the log tells of it, so that its own row does not count. */
  public boolean isLogged() {
    return loggedAt != NOT_LOGGED;
  }

  /** Whether the log says that somebody has the key. */
  boolean isLoggedInUse() {
    return isLoggedInUse;
  }

  /** Whether this row of the log is the newest that tells of it. */
  public boolean isLoggedAt(long number) {
    return loggedAt == number;
  }

  /** The batch under way has this row of the log, which tells of it as it is now. */
  void markLogged(long number) {
    stored = current();
    loggedAt = number;
    isLoggedInUse = !isEmpty();
  }

  /** The batch under way has its own row as it is now, and no row of the log tells of it. */
  void markOwnRow() {
    stored = current();
    ownRow = stored;
    loggedAt = NOT_LOGGED;
    isLoggedInUse = false;
  }

  /** Its own row is gone, or nobody knows what it holds. */
  public void forgetStored() {
    stored = null;
    ownRow = null;
  }

  /** No blocked job of the key has its record before this. */
  public byte[] blockedFrom() {
    byte[] known = blockedFrom;
    if (known != null) {
      return known;
    }
    return isOfEngine ? TurnKeys.start(key) : BlockedKeys.start(queue, concurrencyKey());
  }

  /** Whether jobs may go on for which a batch had no room. */
  public boolean isUnfinished() {
    return isUnfinished;
  }

  /**
   * The turn that is next, when that was found out: its job goes on when the key has fewer holders
   * than its most.
   */
  public void setNextTurn(byte[] turn, int most) {
    nextTurn = turn;
    nextMost = most;
  }

  /** Somebody has to look which turn is next. */
  public void forgetNextTurn() {
    nextTurn = null;
  }

  /** There is another turn; it may be the next one. */
  public void addTurn(byte[] turn, int most) {
    byte[] known = nextTurn;
    boolean isNext = blocked == 0 || (known != null && Arrays.compareUnsigned(turn, known) < 0);
    if (isNext) {
      setNextTurn(turn, most);
    }
    addBlocked(turn);
  }

  /** A turn is no more. */
  public void removeTurn(byte[] turn) {
    if (Arrays.equals(turn, nextTurn)) {
      forgetNextTurn();
    }
  }

  /** Whether a blocked job may go on, as far as is known. */
  public boolean mayGoOn() {
    return blocked > 0 && (nextTurn == null || holders < nextMost);
  }

  /** The blocked jobs up to and including this one have gone. */
  public void passBlocked(byte[] key) {
    blockedFrom = Bytes.successor(key);
  }

  /** The batch under way puts a blocked job there. */
  public void addBlocked(byte[] key) {
    if (added.isEmpty()) {
      added = new ArrayList<>(1);
    }
    added.add(key);
    byte[] known = blockedFrom;
    if (known != null && Arrays.compareUnsigned(key, known) < 0) {
      blockedFrom = key;
    }
  }

  /** As {@link #addBlocked}, of a job of the key's queue that is not counted yet. */
  public void block(byte[] key) {
    addBlocked(key);
    if (remembered.size() != blocked || blocked == REMEMBERED_MAX) {
      forgetBlocked();
      return;
    }
    if (remembered.isEmpty()) {
      remembered = new ArrayList<>(2);
    }
    int at = Collections.binarySearch(remembered, key, Arrays::compareUnsigned);
    remembered.add(-at - 1, key);
  }

  /** A job that was blocked there is not any more, though it is still counted. */
  public void unblock(byte[] key) {
    if (!remembered.isEmpty()) {
      remembered.removeIf(known -> Arrays.equals(known, key));
    }
  }

  /** Somebody has to look where blocked jobs are. */
  public void forgetBlocked() {
    remembered = List.of();
  }

  /** Where all blocked jobs of a key of a queue are, in their order; null if nobody knows. */
  public @Nullable List<byte[]> allBlocked() {
    return remembered.size() == blocked ? remembered : null;
  }

  /** Where the batch under way has put blocked jobs; some may have gone since. */
  public List<byte[]> added() {
    return added;
  }

  void setUnfinished(boolean value) {
    isUnfinished = value;
  }

  void set(int newHolders, long newBlocked) {
    holders = newHolders;
    blocked = newBlocked;
  }

  /** Whether it was asked for since it was to be forgotten. */
  boolean isUsed() {
    return isUsed;
  }

  void markUsed(boolean value) {
    isUsed = value;
  }

  /** Whether the table has it no longer: what the store says is to be asked. */
  boolean isForgotten() {
    return isForgotten;
  }

  void markForgotten() {
    isForgotten = true;
  }

  /** Answers whether it was unchanged before. */
  boolean markChanged() {
    boolean wasChanged = isChanged;
    isChanged = true;
    return !wasChanged;
  }

  void markUnchanged() {
    isChanged = false;
    added = List.of();
  }
}
