package io.millrace.internal.state;

import java.util.Arrays;

/**
 * A list of the light jobs of a line, as far as claims have looked for them. It spares the next
 * claim the walk over the heavy jobs between.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>It names exactly the unleased ready jobs of the line whose weight is below {@link
 *       #weightEnd()} and whose sequence is at most {@link #tail()}, in order.
 *   <li>If it {@link #reachesEnd()}, the line has no such job behind the tail.
 * </ul>
 *
 * <p>So it can answer for every bound below its weight end, as long as it names a job that fits or
 * reaches the end. If it names too many jobs, its tail gives way.
 */
public final class LightJobs {

  /** The sequence that stands for no job: no sequence is negative. */
  public static final long NONE = -1;

  /** The most jobs that are named. */
  static final int COUNT_MAX = 256;

  /** The most heap that a list takes, about, in bytes. */
  static final int BYTES = 160 + COUNT_MAX * (Long.BYTES + Integer.BYTES);

  private final int weightEnd;
  private long[] sequences = new long[8];
  private int[] weights = new int[8];
  private int size;
  private long tail;
  private boolean reachesEnd;

  /** Creates the list of a line that has no job lighter than the weight end up to the tail. */
  LightJobs(int weightEnd, long tail) {
    this.weightEnd = weightEnd;
    this.tail = tail;
  }

  /** Returns the least weight that is too heavy to be named. */
  public int weightEnd() {
    return weightEnd;
  }

  /** Returns the highest sequence that was looked at. */
  public long tail() {
    return tail;
  }

  /** Tells whether no light job lies behind the tail. */
  public boolean reachesEnd() {
    return reachesEnd;
  }

  public boolean isFull() {
    return size == COUNT_MAX;
  }

  /** Returns the least weight of the jobs that are named; the weight end if none is. */
  public int lightest() {
    int lightest = weightEnd;
    for (int i = 0; i < size; i++) {
      lightest = Math.min(lightest, weights[i]);
    }
    return lightest;
  }

  /** Returns the sequence of the first job that weighs at most this, or {@link #NONE}. */
  public long first(int weightMax) {
    for (int i = 0; i < size; i++) {
      if (weights[i] <= weightMax) {
        return sequences[i];
      }
    }
    return NONE;
  }

  /** Notes that the next job behind the tail was looked at. There must be room for it. */
  public void readOn(long sequence, int weight) {
    assert sequence > tail && !isFull() && !reachesEnd;
    if (weight < weightEnd) {
      insert(size, sequence, weight);
    }
    tail = sequence;
  }

  /** Notes that all jobs up to the sequence were looked at, and whether the line ends there. */
  public void readUpTo(long sequence, boolean isEnd) {
    tail = Math.max(tail, sequence);
    reachesEnd = isEnd;
  }

  /** Adds a job that joined the end of the line or came back to its old place. */
  void join(long sequence, int weight) {
    boolean isLight = weight < weightEnd;
    if (sequence > tail) {
      reachesEnd &= !isLight || !isFull();
      if (reachesEnd) {
        readUpTo(sequence, true);
        if (isLight) {
          insert(size, sequence, weight);
        }
      }
    } else if (isLight) {
      if (isFull()) {
        dropLast();
      }
      if (sequence <= tail) {
        insert(-(find(sequence) + 1), sequence, weight);
      }
    }
  }

  /** Removes the job of this sequence, which left the line. */
  public void leave(long sequence) {
    int index = find(sequence);
    if (index >= 0) {
      size--;
      System.arraycopy(sequences, index + 1, sequences, index, size - index);
      System.arraycopy(weights, index + 1, weights, index, size - index);
    }
  }

  /** Sets the weight of a job of the line whose place did not change. */
  void reweigh(long sequence, int weight) {
    leave(sequence);
    if (sequence <= tail) {
      join(sequence, weight);
    }
  }

  private void dropLast() {
    size--;
    tail = sequences[size] - 1;
    reachesEnd = false;
  }

  private void insert(int index, long sequence, int weight) {
    assert index >= 0 : "already named: " + sequence;
    if (size == sequences.length) {
      sequences = Arrays.copyOf(sequences, 2 * size);
      weights = Arrays.copyOf(weights, 2 * size);
    }
    System.arraycopy(sequences, index, sequences, index + 1, size - index);
    System.arraycopy(weights, index, weights, index + 1, size - index);
    sequences[index] = sequence;
    weights[index] = weight;
    size++;
  }

  /** Returns the index of the sequence, or {@code -(insertion point) - 1}. */
  private int find(long sequence) {
    return Arrays.binarySearch(sequences, 0, size, sequence);
  }
}
