package io.millrace.internal.state;

import io.millrace.internal.format.BroadcastRecord;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Broadcasts that have not reached all jobs yet that waited for them, in the order in which they
 * were made; at most one of each name of a queue. All of it is in the store, too.
 *
 * <p>A job that it has not reached is in WAITING still, and counts as woken by it all the same:
 * whatever else would wake the job finds that out by {@link #covering}.
 *
 * <p>Belongs to the commit loop.
 */
public final class Broadcasts {

  /** Of how many that have reached all it is remembered how many jobs they woke. */
  private static final int OVER_COUNT_MAX = 1_000;

  private final SortedMap<Long, BroadcastRecord> bySequence = new TreeMap<>();

  /** Those that have reached all, for whoever made them; perhaps one whose end was taken back. */
  private final SortedMap<Long, Long> woken = new TreeMap<>();

  /** Whether there is none. */
  public boolean isEmpty() {
    return bySequence.isEmpty();
  }

  /** How many there are. */
  public int count() {
    return bySequence.size();
  }

  /** The sequence of the one that was made first; 0 if there is none. */
  public long first() {
    return bySequence.isEmpty() ? 0 : bySequence.firstKey();
  }

  /** The one of this sequence; null if it has reached all. */
  public @Nullable BroadcastRecord find(long sequence) {
    return bySequence.get(sequence);
  }

  /** The sequence of the one of this name; 0 if there is none. */
  public long of(int queue, byte[] name) {
    var found = first(bySequence, queue, name);
    return found == null ? 0 : found.getKey();
  }

  /**
   * The one that is about to wake a job which has waited for the name since; null if there is none.
   *
   * @param waitSequence the least sequence of a broadcast that the job waits for
   */
  public @Nullable BroadcastRecord covering(int queue, byte[] name, long waitSequence) {
    var found = first(bySequence.tailMap(waitSequence), queue, name);
    return found == null ? null : found.getValue();
  }

  /**
   * A job goes on that has waited for the name since: whatever came for it, the one that covers it,
   * if there is one, was first and has woken it. The next step writes that.
   *
   * @return to be called if that never happened
   */
  public Runnable countWoken(int queue, byte[] name, long waitSequence) {
    var found = first(bySequence.tailMap(waitSequence), queue, name);
    if (found == null) {
      return () -> {};
    }
    return set(found.getKey(), found.getValue().withOneMore());
  }

  private static Map.@Nullable Entry<Long, BroadcastRecord> first(
      SortedMap<Long, BroadcastRecord> broadcasts, int queue, byte[] name) {
    for (var broadcast : broadcasts.entrySet()) {
      BroadcastRecord record = broadcast.getValue();
      if (record.queue() == queue && Arrays.equals(record.name(), name)) {
        return Map.entry(broadcast.getKey(), record);
      }
    }
    return null;
  }

  /**
   * How far it is; null if it has reached all.
   *
   * @return to be called if that never happened
   */
  public Runnable set(long sequence, @Nullable BroadcastRecord broadcast) {
    BroadcastRecord before = put(sequence, broadcast);
    return () -> put(sequence, before);
  }

  /** It has reached all: how many jobs it woke. */
  public void noteOver(long sequence, long count) {
    woken.put(sequence, count);
    if (woken.size() > OVER_COUNT_MAX) {
      woken.remove(woken.firstKey());
    }
  }

  /** How many jobs it woke, which has reached all; 0 if nobody knows any more. */
  public long wokenCount(long sequence) {
    return woken.getOrDefault(sequence, 0L);
  }

  private @Nullable BroadcastRecord put(long sequence, @Nullable BroadcastRecord broadcast) {
    return broadcast == null ? bySequence.remove(sequence) : bySequence.put(sequence, broadcast);
  }

  /** The store is opened: what it has is told next. */
  public void clear() {
    bySequence.clear();
  }
}
