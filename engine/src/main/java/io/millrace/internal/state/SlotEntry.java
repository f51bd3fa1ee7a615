package io.millrace.internal.state;

import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A concurrency key in use: how many jobs have it, as memory and as the store says.
 *
 * <p>The next blocked job is looked for at each job's end, in the store and in the batch under way.
 * Two things keep that short: before {@link #blockedFrom} there is none any more, so that nobody
 * walks over what is left of those that have gone; and the batch's own are {@link #added listed}.
 */
public final class SlotEntry {

  private final byte[] key;
  private SlotRecord stored;
  private int holders;
  private long blocked;
  private boolean isChanged;
  private byte @Nullable [] blockedFrom;
  private List<byte[]> added = List.of();

  SlotEntry(byte[] key, SlotRecord stored) {
    this.key = key;
    this.stored = stored;
    this.holders = stored.holders();
    this.blocked = stored.blocked();
  }

  /** Key of its row. */
  public byte[] key() {
    return key;
  }

  /** Number of its queue. */
  public int queue() {
    return SlotKeys.queue(key);
  }

  public byte[] concurrencyKey() {
    return SlotKeys.concurrencyKey(key);
  }

  /** Jobs that are ready or leased. */
  public int holders() {
    return holders;
  }

  /** Jobs that are blocked. */
  public long blocked() {
    return blocked;
  }

  /** What its row is to hold. */
  public SlotRecord current() {
    return new SlotRecord(holders, blocked);
  }

  /** Whether nobody has the key, so that it has no row. */
  public boolean isEmpty() {
    return holders == 0 && blocked == 0;
  }

  /** Whether the row must be put or deleted. */
  public boolean differsFromStored() {
    return holders != stored.holders() || blocked != stored.blocked();
  }

  /** The batch under way has the row as it is now. */
  public void markStored() {
    stored = current();
  }

  /** Its row is gone, whatever it held. */
  public void forgetStored() {
    stored = new SlotRecord(0, 0);
  }

  /** No blocked job of the key has its record before this. */
  public byte[] blockedFrom() {
    byte[] known = blockedFrom;
    return known == null ? BlockedKeys.start(queue(), concurrencyKey()) : known;
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

  /** Where the batch under way has put blocked jobs; some may have gone since. */
  public List<byte[]> added() {
    return added;
  }

  void set(int newHolders, long newBlocked) {
    holders = newHolders;
    blocked = newBlocked;
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
