package io.millrace.internal.state;

import io.millrace.api.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * The front of the line of one (queue, priority), and how long the whole line is.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The window holds exactly the unleased ready jobs of the line whose sequence is at most
 *       {@link #tail()}, in order, but for those that were put aside ({@link ShutKeys}).
 *   <li>If it {@link #reachesEnd()}, the store has no unleased ready job behind the tail.
 *   <li>{@link #lowestUnleased()} is never above the sequence of any unleased ready job. It is
 *       stored with the counters, so that reading on never begins before what was deleted, neither
 *       now nor after a restart.
 * </ul>
 *
 * <p>A sorted array used as a ring: jobs leave at the front and come at the back, and the few that
 * come back in between (released ones) move the shorter side. A tree would cost an object per job
 * and a walk per claim.
 */
public final class ReadyWindow {

  private static final int INITIAL_CAPACITY = 16;

  private final int priority;
  private final WindowBudget budget;
  private final LightIndex lights;
  private final WindowBudget lightBudget;
  private @Nullable ReadyJob[] ring = new @Nullable ReadyJob[INITIAL_CAPACITY];
  private int front;
  private int size;
  private long tail;
  private boolean reachesEnd;
  private long readyCount;
  private long rowlessCount;
  private long rowlessLowest = Long.MAX_VALUE;
  private @Nullable ShutKeys shut;

  /**
   * Creates the window of a line that has no unleased job below the given sequence; nothing is read
   * yet.
   */
  ReadyWindow(
      int priority,
      long readyCount,
      long lowestUnleased,
      WindowBudget budget,
      WindowBudget lightBudget) {
    this.priority = priority;
    this.readyCount = readyCount;
    this.tail = lowestUnleased - 1;
    this.reachesEnd = readyCount == 0;
    this.budget = budget;
    this.lights = new LightIndex(lightBudget);
    this.lightBudget = lightBudget;
  }

  public int priority() {
    return priority;
  }

  /** Returns how many unleased ready jobs the line has, in the window or not. */
  public long readyCount() {
    return readyCount;
  }

  /** Notes that the store does not know that the job of this sequence is leased. */
  void addRowless(long sequence) {
    rowlessCount++;
    rowlessLowest = Math.min(rowlessLowest, sequence);
  }

  void clearRowless() {
    rowlessCount = 0;
    rowlessLowest = Long.MAX_VALUE;
  }

  /** Returns the {@link #readyCount()} as far as the store knows. */
  long storedReadyCount() {
    return readyCount + rowlessCount;
  }

  /** Returns the {@link #lowestUnleased()} as far as the store knows. */
  long storedLowestUnleased() {
    return Math.min(lowestUnleased(), rowlessLowest);
  }

  /** Returns what claims know of the light jobs of the line, in the window or not. */
  public LightIndex lights() {
    return lights;
  }

  /**
   * Returns the jobs that were put aside, since limits of their keys have no tokens; null for none.
   */
  public @Nullable ShutKeys shut() {
    return shut;
  }

  /**
   * Puts a job of the line, in the window or not, aside: claims pass it over until its keys have
   * tokens.
   *
   * @param limit the limit of each concurrency key of the queue
   * @param opensAtMs when the keys have tokens, if not before
   */
  public void putAside(ReadyJob job, Gates key, @Nullable RateLimit limit, long opensAtMs) {
    if (shut == null) {
      shut = new ShutKeys(limit, lightBudget);
    }
    int index = find(job.sequence());
    if (index >= 0) {
      remove(index);
    }
    lights.leave(job.sequence());
    shut.add(key, job, opensAtMs);
  }

  /** Removes a job that was put aside and cannot be read. */
  public void leaveAside(long sequence) {
    if (shut != null) {
      shut.remove(sequence);
    }
  }

  /** Forgets which jobs were put aside: they are found again. */
  public void forgetShut() {
    if (shut != null) {
      long lowest = lowestUnleased();
      shut.giveBudget();
      shut = null;
      // They have not named the jobs that were put aside.
      lights.forget();
      unload();
      tail = lowest - 1;
    }
  }

  /** Returns how many jobs the window holds. */
  public int size() {
    return size;
  }

  /** Returns the highest sequence that the window covers. */
  public long tail() {
    return tail;
  }

  /** Tells whether the store has no unleased ready job behind the tail. */
  public boolean reachesEnd() {
    return reachesEnd;
  }

  /** Returns a sequence that no unleased ready job is below. */
  public long lowestUnleased() {
    long lowest = frontSequence();
    return shut == null ? lowest : Math.min(lowest, shut.lowest());
  }

  /**
   * Returns a sequence that no unleased ready job is below, except for those that were put aside.
   */
  public long frontSequence() {
    return size == 0 ? tail + 1 : get(0).sequence();
  }

  /** Returns a job of the window; index 0 is the next to serve. */
  public ReadyJob get(int index) {
    ReadyJob job = ring[(front + index) & (ring.length - 1)];
    assert job != null : "index " + index + " of " + size;
    return job;
  }

  /** Adds a job to the end of the line. */
  public void append(ReadyJob job) {
    readyCount++;
    lights.join(job);
    if (!reachesEnd) {
      return;
    }
    assert job.sequence() > tail : job.sequence() + " behind tail " + tail;
    if (budget.isExceeded()) {
      reachesEnd = false;
    } else {
      addLast(job);
    }
  }

  /** Puts a job back to its old place in the line. */
  public void putBack(ReadyJob job) {
    readyCount++;
    lights.join(job);
    if (job.sequence() > tail) {
      if (!reachesEnd) {
        return;
      }
      addLast(job);
    } else {
      insert(-(find(job.sequence()) + 1), job);
      if (budget.isExceeded() && size > 1) {
        dropLast();
      }
    }
  }

  /** Adds a job that was read from the store behind the tail. The length of the line stays. */
  public void readOn(ReadyJob job) {
    assert !reachesEnd && job.sequence() > tail;
    addLast(job);
  }

  /** Notes that everything up to the sequence has been read, and whether the line ends there. */
  public void readUpTo(long sequence, boolean isEnd) {
    tail = Math.max(tail, sequence);
    reachesEnd = isEnd;
  }

  /** Removes the job at an index from the window: it is leased, or gone. */
  private void remove(int index) {
    ReadyJob removed = get(index);
    int mask = ring.length - 1;
    if (index < size - 1 - index) {
      for (int i = index; i > 0; i--) {
        ring[(front + i) & mask] = ring[(front + i - 1) & mask];
      }
      ring[front] = null;
      front = (front + 1) & mask;
    } else {
      for (int i = index; i < size - 1; i++) {
        ring[(front + i) & mask] = ring[(front + i + 1) & mask];
      }
      ring[(front + size - 1) & mask] = null;
    }
    size--;
    budget.give(removed.memoryBytes());
  }

  /** Removes the job of this sequence from the line, whether the window holds it or not. */
  public void removeSequence(long sequence) {
    boolean isFirst = size > 0 && get(0).sequence() == sequence;
    int index = isFirst ? 0 : find(sequence);
    if (index >= 0) {
      remove(index);
    }
    readyCount--;
    if (shut != null) {
      shut.remove(sequence);
    }
    if (readyCount == 0) {
      lights.forget();
      shut = null;
    } else {
      lights.leave(sequence);
    }
  }

  /** Returns the index of the first job of the window behind the sequence. */
  public int indexBehind(long sequence) {
    int index = find(sequence);
    return index < 0 ? -(index + 1) : index + 1;
  }

  /** Returns the job of this sequence if the window holds it, else null. */
  public @Nullable ReadyJob ofSequence(long sequence) {
    int index = find(sequence);
    return index < 0 ? null : get(index);
  }

  /** Replaces the record of a job of the line whose place did not change. */
  public void replace(ReadyJob job) {
    int index = find(job.sequence());
    if (index < 0 && shut != null && shut.holds(job.sequence())) {
      shut.reweigh(job);
      return;
    }
    lights.reweigh(job);
    if (index >= 0) {
      budget.give(get(index).memoryBytes());
      ring[(front + index) & (ring.length - 1)] = job;
      budget.take(job.memoryBytes());
    }
  }

  /**
   * Forgets the jobs in memory to make room. The line stays as it is, and what claims have found
   * out by walking along it stays known.
   */
  void unload() {
    tail = frontSequence() - 1;
    reachesEnd = readyCount == 0;
    for (int i = 0; i < size; i++) {
      budget.give(get(i).memoryBytes());
    }
    ring = new @Nullable ReadyJob[INITIAL_CAPACITY];
    front = 0;
    size = 0;
  }

  private void addLast(ReadyJob job) {
    insert(size, job);
    tail = job.sequence();
  }

  private void dropLast() {
    int last = (front + size - 1) & (ring.length - 1);
    budget.give(get(size - 1).memoryBytes());
    ring[last] = null;
    size--;
    tail = get(size - 1).sequence();
    reachesEnd = false;
  }

  private void insert(int index, ReadyJob job) {
    assert index >= 0 : "already in the window: " + job.sequence();
    if (size == ring.length) {
      grow();
    }
    int mask = ring.length - 1;
    if (index < size - index) {
      front = (front - 1) & mask;
      for (int i = 0; i < index; i++) {
        ring[(front + i) & mask] = ring[(front + i + 1) & mask];
      }
    } else {
      for (int i = size; i > index; i--) {
        ring[(front + i) & mask] = ring[(front + i - 1) & mask];
      }
    }
    ring[(front + index) & mask] = job;
    size++;
    budget.take(job.memoryBytes());
  }

  private void grow() {
    @Nullable ReadyJob[] larger = new @Nullable ReadyJob[2 * ring.length];
    for (int i = 0; i < size; i++) {
      larger[i] = get(i);
    }
    ring = larger;
    front = 0;
  }

  /** Returns the index of the sequence, or {@code -(insertion point) - 1}. */
  private int find(long sequence) {
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long at = get(middle).sequence();
      if (at == sequence) {
        return middle;
      }
      if (at < sequence) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -(low + 1);
  }
}
