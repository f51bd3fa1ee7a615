package io.millrace.internal.state;

import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TurnKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A concurrency key in use: how many jobs have it, by memory and by the store.
 *
 * <p>At the end of each job the next blocked job is looked for, in the store and in the batch under
 * way. Two things keep that short. No blocked job is before {@link #blockedFrom}, so that the
 * remains of those that have gone are not walked over. And the jobs that the batch itself has
 * blocked are {@link #added listed}. If the blocked jobs are few, {@link #allBlocked all} are
 * remembered, and none is looked for. For a key of the engine both are about turns ({@link
 * TurnKeys}), and the next turn is remembered.
 */
public final class SlotEntry {

  /** The most blocked jobs that are remembered; of a key that has more, none is. */
  private static final int REMEMBERED_MAX = 8;

  private final byte[] key;
  private final int queue;
  private final boolean isOfEngine;
  private @Nullable SlotRecord stored;
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

  /** Creates the entry of a key as the store knows it. */
  SlotEntry(byte[] key, SlotRecord stored) {
    this.key = key;
    this.queue = SlotKeys.queue(key);
    this.isOfEngine = SlotKeys.isOfEngine(key);
    this.stored = stored;
    this.holders = stored.holders();
    this.blocked = stored.blocked();
    this.isUnfinished = stored.isUnfinished();
  }

  /** Returns the key of the concurrency key's row. */
  public byte[] slotKey() {
    return key;
  }

  /** Returns the number of the key's queue. */
  public int queue() {
    return queue;
  }

  /** Tells whether the concurrency key belongs to the whole engine. */
  public boolean isOfEngine() {
    return isOfEngine;
  }

  public byte[] concurrencyKey() {
    return SlotKeys.concurrencyKey(key);
  }

  /** Returns how many jobs of the key are ready or leased. */
  public int holders() {
    return holders;
  }

  /** Returns how many jobs of the key are blocked. */
  public long blocked() {
    return blocked;
  }

  /** Returns what the store is to hold for the key. */
  public SlotRecord current() {
    return new SlotRecord(holders, blocked, isUnfinished);
  }

  /** Tells whether no job has the key, so that it has no row. */
  public boolean isEmpty() {
    return holders == 0 && blocked == 0;
  }

  /** Tells whether the key's row must be put or deleted to hold what memory does. */
  public boolean differsFromStored() {
    SlotRecord known = stored;
    return known == null
        || holders != known.holders()
        || blocked != known.blocked()
        || isUnfinished != known.isUnfinished();
  }

  /** Tells whether the store is known to have no row of the key. */
  public boolean hasNoRow() {
    return stored != null && stored.countsAs(SlotRecord.NOBODY);
  }

  /** Notes that the batch under way has the key's row as it is now. */
  public void markStored() {
    stored = current();
  }

  /** Forgets what the store holds: the key's row is gone, or its content is not known. */
  public void forgetStored() {
    stored = null;
  }

  /**
   * Returns the key in the store before which no blocked job of the concurrency key has its record,
   * or its turn if the concurrency key belongs to the engine.
   */
  public byte[] blockedFrom() {
    byte[] known = blockedFrom;
    if (known != null) {
      return known;
    }
    return isOfEngine ? TurnKeys.start(key) : BlockedKeys.start(queue, concurrencyKey());
  }

  /** Tells whether jobs may go on for which a batch had no room. */
  public boolean isUnfinished() {
    return isUnfinished;
  }

  /**
   * Sets the turn that was found to be next.
   *
   * @param most the holders below which the job of the turn may go on
   */
  public void setNextTurn(byte[] turn, int most) {
    nextTurn = turn;
    nextMost = most;
  }

  /** Forgets which turn is next: it has to be looked for. */
  public void forgetNextTurn() {
    nextTurn = null;
  }

  /**
   * Adds a turn, which may be the next one.
   *
   * @param most the holders below which the job of the turn may go on
   */
  public void addTurn(byte[] turn, int most) {
    byte[] known = nextTurn;
    boolean isNext = blocked == 0 || (known != null && Arrays.compareUnsigned(turn, known) < 0);
    if (isNext) {
      setNextTurn(turn, most);
    }
    addBlocked(turn);
  }

  /** Notes that a turn is gone. */
  public void removeTurn(byte[] turn) {
    if (Arrays.equals(turn, nextTurn)) {
      forgetNextTurn();
    }
  }

  /** Tells whether a blocked job may go on, as far as is known. */
  public boolean mayGoOn() {
    return blocked > 0 && (nextTurn == null || holders < nextMost);
  }

  /** Notes that the blocked jobs up to and including this one have gone. */
  public void passBlocked(byte[] key) {
    blockedFrom = Bytes.successor(key);
  }

  /** Notes that the batch under way puts a blocked job there. */
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

  /**
   * Notes that the batch under way puts a blocked job of a queue's concurrency key there, which is
   * not counted yet.
   */
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

  /** Notes that a job which was blocked there no longer is, though it is still counted. */
  public void unblock(byte[] key) {
    if (!remembered.isEmpty()) {
      remembered.removeIf(known -> Arrays.equals(known, key));
    }
  }

  /** Forgets where the blocked jobs are: they have to be looked for. */
  public void forgetBlocked() {
    remembered = List.of();
  }

  /**
   * Returns where all blocked jobs of a queue's concurrency key are, in their order; null if that
   * is not known.
   */
  public @Nullable List<byte[]> allBlocked() {
    return remembered.size() == blocked ? remembered : null;
  }

  /** Returns where the batch under way has put blocked jobs; some may have gone since. */
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

  /** Tells whether the entry was asked for since the table last went over it. */
  boolean isUsed() {
    return isUsed;
  }

  void markUsed(boolean value) {
    isUsed = value;
  }

  /** Tells whether the table no longer has the entry: the store has to be asked. */
  boolean isForgotten() {
    return isForgotten;
  }

  void markForgotten() {
    isForgotten = true;
  }

  /** Marks the entry as changed, and returns whether it was unchanged before. */
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
