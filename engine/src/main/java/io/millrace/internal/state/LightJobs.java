package io.millrace.internal.state;

import java.util.Arrays;

/**
 * Where the light jobs of a line are, as far as claims have looked for them: what spares the next
 * claim the walk over the heavy ones between.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>It names exactly the unleased ready jobs of the line whose weight is below {@link
 *       #weightEnd()} and whose sequence is at most {@link #tail()}, in order.
 *   <li>If it {@link #reachesEnd()}, the line has no such job behind the tail.
 * </ul>
 *
 * <p>So it answers for every bound below its weight end, as long as it names a job that fits or
 * reaches the end; what it names is bounded by its tail giving way.
 */
public final class LightJobs {

  /** No sequence is negative. */
  public static final long NONE = -1;

  /** Jobs that are named at most. */
  static final int COUNT_MAX = 256;

  /** Heap that it takes at most, about. */
  static final int BYTES = 160 + COUNT_MAX * (Long.BYTES + Integer.BYTES);

  private final int weightEnd;
  private long[] sequences = new long[8];
  private int[] weights = new int[8];
  private int size;
  private long tail;
  private boolean reachesEnd;

  /** Of a line that has no job lighter than the weight end up to the tail. */
  LightJobs(int weightEnd, long tail) {
    this.weightEnd = weightEnd;
    this.tail = tail;
  }

  /** The least weight that is too heavy to be named. */
  public int weightEnd() {
    return weightEnd;
  }

  /** The highest sequence that was looked at. */
  public long tail() {
    return tail;
  }

  /** Whether nothing light lies behind the tail. */
  public boolean reachesEnd() {
    return reachesEnd;
  }

  public boolean isFull() {
    return size == COUNT_MAX;
  }

  /** The least weight of the jobs that are named. */
  public int lightest() {
    int lightest = weightEnd;
    for (int i = 0; i < size; i++) {
      lightest = Math.min(lightest, weights[i]);
    }
    return lightest;
  }

  /** The sequence of the first job that weighs at most this, or {@link #NONE}. */
  public long first(int weightMax) {
    for (int i = 0; i < size; i++) {
      if (weights[i] <= weightMax) {
        return sequences[i];
      }
    }
    return NONE;
  }

  /** The next job behind the tail was looked at; there must be room. */
  public void readOn(long sequence, int weight) {
    assert sequence > tail && !isFull() && !reachesEnd;
    if (weight < weightEnd) {
      insert(size, sequence, weight);
    }
    tail = sequence;
  }

  /** All up to the sequence was looked at; what is more, all there is if nothing lies behind. */
  public void readUpTo(long sequence, boolean isEnd) {
    tail = Math.max(tail, sequence);
    reachesEnd = isEnd;
  }

  /** A job joined the end of the line, or came back to its old place. */
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

  /** The job of this sequence left the line. */
  public void leave(long sequence) {
    int index = find(sequence);
    if (index >= 0) {
      size--;
      System.arraycopy(sequences, index + 1, sequences, index, size - index);
      System.arraycopy(weights, index + 1, weights, index, size - index);
    }
  }

  /** A job of the line weighs something else, and its place did not change. */
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

  /** Index of the sequence, or {@code -(insertion point) - 1}. */
  private int find(long sequence) {
    return Arrays.binarySearch(sequences, 0, size, sequence);
  }
}
