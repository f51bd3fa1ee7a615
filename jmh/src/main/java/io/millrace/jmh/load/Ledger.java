package io.millrace.jmh.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A ledger of the jobs that were enqueued and completed, so that a lost or doubled one is seen.
 *
 * <p>Each producer numbers its own jobs; any thread reports a completion. One bit for each job, in
 * pages that are dropped when all of their jobs are done: memory grows with the jobs under way, not
 * with those that have passed.
 */
final class Ledger {

  private static final int PRODUCER_SHIFT = 40;
  private static final long SEQUENCE_MASK = (1L << PRODUCER_SHIFT) - 1;

  private final Line[] lines;
  private final AtomicLong strangerCount = new AtomicLong();

  Ledger(int producerCount) {
    lines = new Line[producerCount];
    Arrays.setAll(lines, i -> new Line());
  }

  /** Returns the number of the producer's next job, which counts as enqueued from now on. */
  long next(int producer) {
    return (long) producer << PRODUCER_SHIFT | lines[producer].next();
  }

  /** Returns the producer of the job with this number. */
  static int producer(long number) {
    return (int) (number >>> PRODUCER_SHIFT);
  }

  /** Returns how many jobs the producer had numbered before the one with this number. */
  static long sequence(long number) {
    return number & SEQUENCE_MASK;
  }

  void completed(long number) {
    int producer = producer(number);
    if (number < 0 || producer >= lines.length) {
      strangerCount.incrementAndGet();
      return;
    }
    if (!lines[producer].complete(sequence(number))) {
      strangerCount.incrementAndGet();
    }
  }

  long enqueuedCount() {
    return Arrays.stream(lines).mapToLong(line -> line.nextSequence.get()).sum();
  }

  /** Returns the number of jobs completed at least once. */
  long completedCount() {
    return Arrays.stream(lines).mapToLong(line -> line.completedCount.get()).sum();
  }

  /**
   * Returns what is wrong once nothing is under way any more; empty if each job was completed once.
   */
  List<String> findings() {
    List<String> findings = new ArrayList<>();
    long lost = enqueuedCount() - completedCount();
    long doubled = Arrays.stream(lines).mapToLong(line -> line.doubledCount.get()).sum();
    add(findings, lost, "enqueued jobs that were never completed");
    add(findings, doubled, "completions of jobs that were completed before");
    add(findings, strangerCount.get(), "completions of jobs that nobody enqueued");
    return findings;
  }

  private static void add(List<String> findings, long count, String what) {
    if (count != 0) {
      findings.add(what + ": " + count);
    }
  }

  /** The jobs of one producer. */
  private static final class Line {

    private final AtomicLong nextSequence = new AtomicLong();
    private final AtomicLong completedCount = new AtomicLong();
    private final AtomicLong doubledCount = new AtomicLong();
    private volatile Page[] pages = new Page[0];

    /** Numbers the next job. For the producer's thread alone. */
    long next() {
      long sequence = nextSequence.get();
      int page = (int) (sequence / Page.JOB_COUNT);
      if (page == pages.length) {
        Page[] grown = Arrays.copyOf(pages, page + 1);
        grown[page] = new Page();
        pages = grown;
      }
      nextSequence.lazySet(sequence + 1);
      return sequence;
    }

    /** Notes a completion. Returns whether the job exists. */
    boolean complete(long sequence) {
      Page[] known = pages;
      int page = (int) (sequence / Page.JOB_COUNT);
      if (page >= known.length) {
        return false;
      }
      if (known[page].complete((int) (sequence % Page.JOB_COUNT))) {
        completedCount.incrementAndGet();
      } else {
        doubledCount.incrementAndGet();
      }
      return true;
    }
  }

  /** A run of jobs; its bits are dropped when all are set. */
  private static final class Page {

    private static final int JOB_COUNT = 1 << 16;
    private static final AtomicLongArray ALL = new AtomicLongArray(0);

    private final AtomicInteger openCount = new AtomicInteger(JOB_COUNT);
    private volatile AtomicLongArray words = new AtomicLongArray(JOB_COUNT / Long.SIZE);

    /** Notes a completion. Returns whether it was the job's first. */
    boolean complete(int index) {
      AtomicLongArray held = words;
      if (held == ALL) {
        return false;
      }
      long bit = 1L << index;
      boolean isFirst = (held.getAndAccumulate(index / Long.SIZE, bit, (a, b) -> a | b) & bit) == 0;
      if (isFirst && openCount.decrementAndGet() == 0) {
        words = ALL;
      }
      return isFirst;
    }
  }
}
