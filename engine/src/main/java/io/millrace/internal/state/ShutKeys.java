package io.millrace.internal.state;

import io.millrace.api.RateLimit;
import io.millrace.internal.format.EngineRate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The ready jobs of one line that claims have passed over, since the rate limits of their
 * concurrency keys, or those over all queues, had no token for them. They are taken out of the
 * window and remembered here by their {@link Gates}, here called keys, so that the next claim does
 * not meet them again. However many such jobs are at the front of a line, a claim costs no more for
 * that, and when the token of a key comes its first job is at hand.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A job is either in the window or here, never in both.
 *   <li>No job of a key is in the line before those of the key that are here, except for jobs that
 *       were handed back. So the first that fits here is the first of its key.
 *   <li>A key whose time to look at it is still to come has no token before.
 * </ul>
 *
 * <p>Keys that need a token of their own and one over all queues wait for the latter together
 * ({@link Group}). When it comes, only their first is looked at, however many they are.
 *
 * <p>All of this can be forgotten at any time, together with the window, and is found out again.
 */
public final class ShutKeys {

  /** The sequence that stands for no job: no sequence is negative. */
  public static final long NONE = -1;

  /** A time that never comes, for want of a key. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The most jobs of one line that are remembered; claims look at none behind them. */
  public static final int COUNT_MAX = 262_144;

  /** The heap that a key takes, about, in bytes; its jobs come on top. */
  private static final int KEY_BYTES = 450;

  private static final int JOB_BYTES = 48;

  private final @Nullable RateLimit limit;
  private final WindowBudget budget;
  private final Map<Gates, KeyLine> byKey = new HashMap<>();

  /** The lines that need a token of a key, for each concurrency key and each key of the engine. */
  private final Map<Part, List<KeyLine>> byPart = new HashMap<>();

  /** The groups of each key of the engine, one for each limit. */
  private final Map<Part, List<Group>> groups = new HashMap<>();

  /** The groups that may have a token and have waiting lines, in the order of their first jobs. */
  private final TreeSet<Group> due =
      new TreeSet<>(Comparator.comparingLong((Group group) -> group.waiting.first().first()));

  /**
   * The other groups with waiting lines, in the order of the times at which they may have a token.
   */
  private final TreeSet<Group> closed =
      new TreeSet<>(
          Comparator.comparingLong((Group group) -> group.opensAtMs)
              .thenComparing(group -> group.waiting.first().first()));

  private final Long2ObjectHashMap<KeyLine> bySequence = new Long2ObjectHashMap<>();
  private final TreeSet<KeyLine> byFirst = new TreeSet<>(ShutKeys::compareFirst);

  /** The lines that may have a token, in the order of their first jobs. */
  private final TreeSet<KeyLine> open = new TreeSet<>(ShutKeys::compareFirst);

  /**
   * The other lines that are not waiting, in the order of the times at which they may have a token.
   */
  private final TreeSet<KeyLine> shut =
      new TreeSet<>(
          Comparator.comparingLong((KeyLine line) -> line.opensAtMs)
              .thenComparing(ShutKeys::compareFirst));

  private int shutCount;

  ShutKeys(@Nullable RateLimit limit, WindowBudget budget) {
    this.limit = limit;
    this.budget = budget;
  }

  private static int compareFirst(KeyLine a, KeyLine b) {
    return Long.compare(a.first(), b.first());
  }

  /** The bytes of one of the keys that gates are made of, equal to others of the same bytes. */
  private record Part(byte[] bytes) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Part that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  /**
   * The keys that need a token of one limit over all queues and one of their own. The group is in
   * neither set of groups while none of its lines waits.
   */
  private static final class Group {
    private final EngineRate rate;
    private final TreeSet<KeyLine> waiting = new TreeSet<>(ShutKeys::compareFirst);
    private int lineCount;
    private int jobCount;
    private long opensAtMs;
    private boolean isClosed;

    Group(EngineRate rate) {
      this.rate = rate;
    }
  }

  /** The places of a line: among the open lines, among the shut ones, or waiting with its group. */
  private enum Place {
    OPEN,
    SHUT,
    WAITING
  }

  /** The jobs of one key, in their order: a sorted array whose front gives way. */
  private static final class KeyLine {
    private final Gates key;
    private long[] sequences = new long[1];
    private int[] weights = new int[1];
    private int front;
    private int end;
    private long opensAtMs;
    private final @Nullable Group group;
    private Place place;

    KeyLine(Gates key, @Nullable Group group) {
      this.key = key;
      this.group = group;
      this.place = group == null ? Place.SHUT : Place.WAITING;
    }

    private int size() {
      return end - front;
    }

    private long first() {
      return sequences[front];
    }

    private int find(long sequence) {
      return Arrays.binarySearch(sequences, front, end, sequence);
    }

    private void insert(long sequence, int weight) {
      if (end == sequences.length) {
        int capacity = Math.max(4, 2 * size());
        long[] largerSequences = new long[capacity];
        int[] largerWeights = new int[capacity];
        System.arraycopy(sequences, front, largerSequences, 0, size());
        System.arraycopy(weights, front, largerWeights, 0, size());
        end = size();
        front = 0;
        sequences = largerSequences;
        weights = largerWeights;
      }
      int at = -(find(sequence) + 1);
      System.arraycopy(sequences, at, sequences, at + 1, end - at);
      System.arraycopy(weights, at, weights, at + 1, end - at);
      sequences[at] = sequence;
      weights[at] = weight;
      end++;
    }

    private void remove(long sequence) {
      int at = find(sequence);
      if (at == front) {
        front++;
      } else {
        System.arraycopy(sequences, at + 1, sequences, at, end - at - 1);
        System.arraycopy(weights, at + 1, weights, at, end - at - 1);
        end--;
      }
    }

    /** Returns the sequence of the first job that weighs at most this, or {@link #NONE}. */
    private long first(int weightMax) {
      for (int i = front; i < end; i++) {
        if (weights[i] <= weightMax) {
          return sequences[i];
        }
      }
      return NONE;
    }
  }

  /** Returns the limit of each concurrency key by which jobs were passed over; null for none. */
  public @Nullable RateLimit limit() {
    return limit;
  }

  public boolean isFull() {
    return bySequence.size() >= COUNT_MAX;
  }

  /** Returns how many jobs are here. */
  public int size() {
    return bySequence.size();
  }

  public boolean holds(long sequence) {
    return bySequence.containsKey(sequence);
  }

  /**
   * Tells whether jobs of the key are here: then no other job of the key is taken from behind them.
   */
  public boolean holds(Gates key) {
    return byKey.containsKey(key);
  }

  /** Returns the lowest sequence of all jobs here; {@link Long#MAX_VALUE} if there are none. */
  long lowest() {
    return byFirst.isEmpty() ? Long.MAX_VALUE : byFirst.first().first();
  }

  /** Adds a job that was passed over. Its key has a token at the given time, if not before. */
  void add(Gates key, ReadyJob job, long opensAtMs) {
    KeyLine line = byKey.get(key);
    if (line == null) {
      line = new KeyLine(key, group(key));
      line.opensAtMs = opensAtMs;
      byKey.put(key, line);
      for (Part part : parts(key)) {
        byPart.computeIfAbsent(part, first -> new ArrayList<>(1)).add(line);
      }
      budget.take(KEY_BYTES);
    } else {
      leave(line);
    }
    line.insert(job.sequence(), job.job().weight());
    bySequence.put(job.sequence(), line);
    budget.take(JOB_BYTES);
    join(line);
  }

  /** Removes the job of this sequence, which left the line; does nothing if the job is not here. */
  void remove(long sequence) {
    KeyLine line = bySequence.remove(sequence);
    if (line == null) {
      return;
    }
    leave(line);
    line.remove(sequence);
    budget.give(JOB_BYTES);
    if (line.size() == 0) {
      byKey.remove(line.key);
      parts(line.key).forEach(part -> leavePart(part, line));
      leaveGroup(line);
      budget.give(KEY_BYTES);
    } else {
      join(line);
    }
  }

  /**
   * Returns the keys by which a line is found. A line in a group is found by its slot key here, and
   * by the key of the engine through the group.
   */
  private static List<Part> parts(Gates key) {
    if (key.slotKey() != null) {
      return List.of(new Part(key.slotKey()));
    }
    return key.rate() == null ? List.of() : List.of(new Part(key.rate().key()));
  }

  /** Returns the group that a new line joins; null if its jobs need one token only. */
  private @Nullable Group group(Gates key) {
    EngineRate rate = key.rate();
    if (rate == null || key.slotKey() == null) {
      return null;
    }
    List<Group> known = groups.computeIfAbsent(new Part(rate.key()), first -> new ArrayList<>(1));
    Group group = null;
    for (Group other : known) {
      group = other.rate.equals(rate) ? other : group;
    }
    if (group == null) {
      group = new Group(rate);
      known.add(group);
    }
    group.lineCount++;
    return group;
  }

  private void leaveGroup(KeyLine line) {
    Group group = line.group;
    if (group != null && --group.lineCount == 0) {
      Part part = new Part(group.rate.key());
      List<Group> known = groups.get(part);
      if (known != null && known.remove(group) && known.isEmpty()) {
        groups.remove(part);
      }
    }
  }

  private void leavePart(Part part, KeyLine line) {
    List<KeyLine> lines = byPart.get(part);
    if (lines != null && lines.remove(line) && lines.isEmpty()) {
      byPart.remove(part);
    }
  }

  /** Sets the weight of a job of the line. */
  void reweigh(ReadyJob job) {
    KeyLine line = bySequence.get(job.sequence());
    if (line != null) {
      line.weights[line.find(job.sequence())] = job.job().weight();
    }
  }

  private void leave(KeyLine line) {
    byFirst.remove(line);
    if (line.group != null && line.place == Place.WAITING) {
      leave(line.group);
      line.group.waiting.remove(line);
      line.group.jobCount -= line.size();
      join(line.group);
    } else {
      (line.place == Place.OPEN ? open : shut).remove(line);
      shutCount -= line.place == Place.OPEN ? 0 : line.size();
    }
  }

  private void join(KeyLine line) {
    byFirst.add(line);
    if (line.group != null && line.place == Place.WAITING) {
      leave(line.group);
      line.group.waiting.add(line);
      line.group.jobCount += line.size();
      join(line.group);
    } else {
      (line.place == Place.OPEN ? open : shut).add(line);
      shutCount += line.place == Place.OPEN ? 0 : line.size();
    }
  }

  private void leave(Group group) {
    if (!group.waiting.isEmpty()) {
      (group.isClosed ? closed : due).remove(group);
      shutCount -= group.isClosed ? group.jobCount : 0;
    }
  }

  private void join(Group group) {
    if (!group.waiting.isEmpty()) {
      (group.isClosed ? closed : due).add(group);
      shutCount += group.isClosed ? group.jobCount : 0;
    }
  }

  private void set(KeyLine line, Place place, long opensAtMs) {
    leave(line);
    line.place = place;
    line.opensAtMs = opensAtMs;
    join(line);
  }

  private void set(Group group, boolean isClosed, long opensAtMs) {
    leave(group);
    group.isClosed = isClosed;
    group.opensAtMs = opensAtMs;
    join(group);
  }

  /** Opens the lines of a concurrency key of the queue, which may have a token before its time. */
  void reopen(byte[] slotKey) {
    for (KeyLine line : byPart.getOrDefault(new Part(slotKey), List.of())) {
      if (line.place == Place.SHUT) {
        set(line, Place.OPEN, line.opensAtMs);
      }
    }
  }

  /** Opens the lines and groups of a key of the engine, which may have a token before its time. */
  void reopenOfEngine(byte[] key) {
    reopen(key);
    for (Group group : groups.getOrDefault(new Part(key), List.of())) {
      if (group.isClosed) {
        set(group, false, group.opensAtMs);
      }
    }
  }

  /**
   * Returns the sequence of the first job that weighs at most this and whose key has a token, or
   * {@link #NONE}.
   *
   * @param nextTokenMs tells when a key has a token
   */
  public long first(int weightMax, long nowMs, ToLongFunction<Gates> nextTokenMs) {
    openDue(nowMs);
    List<KeyLine> empty = new ArrayList<>(0);
    long first = NONE;
    for (KeyLine line : open) {
      if (first != NONE && line.first() > first) {
        break;
      }
      if (nextTokenMs.applyAsLong(line.key) > nowMs) {
        empty.add(line);
      } else {
        first = earlier(first, line.first(weightMax));
      }
    }
    for (KeyLine line : empty) {
      shut(line, nowMs, nextTokenMs);
    }
    while (!due.isEmpty() && (first == NONE || due.first().waiting.first().first() < first)) {
      KeyLine line = due.first().waiting.first();
      if (nextTokenMs.applyAsLong(line.key) > nowMs) {
        shut(line, nowMs, nextTokenMs);
      } else {
        set(line, Place.OPEN, nowMs);
        first = earlier(first, line.first(weightMax));
      }
    }
    return first;
  }

  private static long earlier(long first, long other) {
    return other != NONE && (first == NONE || other < first) ? other : first;
  }

  /** Shuts a line that has no token: it waits with its group if that has none, else by itself. */
  private void shut(KeyLine line, long nowMs, ToLongFunction<Gates> nextTokenMs) {
    Group group = line.group;
    if (group != null) {
      long opensAtMs = nextTokenMs.applyAsLong(new Gates(null, group.rate));
      if (opensAtMs > nowMs) {
        set(line, Place.WAITING, opensAtMs);
        set(group, true, opensAtMs);
        return;
      }
    }
    set(line, Place.SHUT, nextTokenMs.applyAsLong(line.key));
  }

  private void openDue(long nowMs) {
    while (!shut.isEmpty() && shut.first().opensAtMs <= nowMs) {
      set(shut.first(), Place.OPEN, nowMs);
    }
    while (!closed.isEmpty() && closed.first().opensAtMs <= nowMs) {
      set(closed.first(), false, nowMs);
    }
  }

  /** Returns when the next key that has no token by now may have one; {@link #NEVER} for none. */
  long opensAtMs(long nowMs) {
    openDue(nowMs);
    return opensAtMs();
  }

  /**
   * Returns the same as {@link #opensAtMs(long)}, as of the time at which the keys were looked at
   * last.
   */
  long opensAtMs() {
    long ofLineMs = shut.isEmpty() ? NEVER : shut.first().opensAtMs;
    return closed.isEmpty() ? ofLineMs : Math.min(ofLineMs, closed.first().opensAtMs);
  }

  /** Returns how many jobs are of keys that have no token before {@link #opensAtMs()}. */
  int shutCount() {
    return shutCount;
  }

  void giveBudget() {
    budget.give((long) byKey.size() * KEY_BYTES + (long) bySequence.size() * JOB_BYTES);
  }
}
