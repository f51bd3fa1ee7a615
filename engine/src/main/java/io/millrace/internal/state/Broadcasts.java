package io.millrace.internal.state;

import io.millrace.internal.format.BroadcastRecord;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The broadcasts that have not reached yet all jobs that waited for them, in the order in which
 * they were made; at most one of each name of a queue. All of them are in the store, too.
 *
 * <p>A job that a broadcast has not reached is still in WAITING, and yet counts as woken by it:
 * whatever else would wake the job finds that out by {@link #covering}.
 *
 * <p>Belongs to the commit loop.
 */
public final class Broadcasts {

  /** The most finished broadcasts of which the number of woken jobs is remembered. */
  private static final int OVER_COUNT_MAX = 1_000;

  private final SortedMap<Long, BroadcastRecord> bySequence = new TreeMap<>();

  /**
   * The numbers of jobs that finished broadcasts woke, by sequence, for whoever made the
   * broadcasts. May hold one whose end was taken back.
   */
  private final SortedMap<Long, Long> woken = new TreeMap<>();

  /** Tells whether no broadcast is under way. */
  public boolean isEmpty() {
    return bySequence.isEmpty();
  }

  /** Returns how many broadcasts are under way. */
  public int count() {
    return bySequence.size();
  }

  /** Returns the sequence of the broadcast that was made first; 0 if none is under way. */
  public long first() {
    return bySequence.isEmpty() ? 0 : bySequence.firstKey();
  }

  /** Returns the broadcast of this sequence; null if it has reached all jobs. */
  public @Nullable BroadcastRecord find(long sequence) {
    return bySequence.get(sequence);
  }

  /** Returns the sequence of the broadcast of this name in the queue; 0 if none is under way. */
  public long of(int queue, byte[] name) {
    var found = first(bySequence, queue, name);
    return found == null ? 0 : found.getKey();
  }

  /**
   * Returns the broadcast that is about to wake a job which waits for the name; null if there is
   * none.
   *
   * @param waitSequence the least sequence of a broadcast that the job waits for
   */
  public @Nullable BroadcastRecord covering(int queue, byte[] name, long waitSequence) {
    var found = first(bySequence.tailMap(waitSequence), queue, name);
    return found == null ? null : found.getValue();
  }

  /**
   * Counts a job that stops waiting for the name as woken by the broadcast that covers it, if there
   * is one: whatever else came for the job, the broadcast was first. The next step of the broadcast
   * writes that.
   *
   * @return the action that takes this back if the batch never happens
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
   * Sets how far a broadcast is; null once it has reached all jobs.
   *
   * @return the action that takes this back if the batch never happens
   */
  public Runnable set(long sequence, @Nullable BroadcastRecord broadcast) {
    BroadcastRecord before = put(sequence, broadcast);
    return () -> put(sequence, before);
  }

  /** Notes that a broadcast has reached all jobs, and how many of them it woke. */
  public void noteOver(long sequence, long count) {
    woken.put(sequence, count);
    if (woken.size() > OVER_COUNT_MAX) {
      woken.remove(woken.firstKey());
    }
  }

  /** Returns how many jobs a finished broadcast woke; 0 if that is no longer known. */
  public long wokenCount(long sequence) {
    return woken.getOrDefault(sequence, 0L);
  }

  private @Nullable BroadcastRecord put(long sequence, @Nullable BroadcastRecord broadcast) {
    return broadcast == null ? bySequence.remove(sequence) : bySequence.put(sequence, broadcast);
  }

  /**
   * Forgets all broadcasts under way, since the store is being opened: those that it has are set
   * next.
   */
  public void clear() {
    bySequence.clear();
  }
}
