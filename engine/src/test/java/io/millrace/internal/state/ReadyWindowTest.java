package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadyWindowTest {

  private static final long JOB_BYTES = job(1).memoryBytes();

  private final WindowBudget budget = new WindowBudget(4 * JOB_BYTES);

  static ReadyJob job(long sequence) {
    JobRecord record =
        JobRecord.builder().birth(sequence).birthKind(Keyspace.READY).enqueuedAtMs(1).build();
    return new ReadyJob(sequence, record, 1, Durability.SYNCED);
  }

  private static ReadyJob take(ReadyWindow window, int index) {
    ReadyJob job = window.get(index);
    window.removeSequence(job.sequence());
    return job;
  }

  private static List<Long> sequences(ReadyWindow window) {
    List<Long> sequences = new ArrayList<>();
    for (int i = 0; i < window.size(); i++) {
      sequences.add(window.get(i).sequence());
    }
    return sequences;
  }

  @Test
  void append_withinBudget_holdsAllInOrder() {
    ReadyWindow window = new ReadyWindow(0, 0, 10, budget, budget);

    window.append(job(10));
    window.append(job(12));

    assertThat(sequences(window)).containsExactly(10L, 12L);
    assertThat(window.tail()).isEqualTo(12);
    assertThat(window.reachesEnd()).isTrue();
    assertThat(window.readyCount()).isEqualTo(2);
    assertThat(window.lowestUnleased()).isEqualTo(10);
  }

  @Test
  void append_budgetExceeded_countsTheJobAndNoLongerReachesTheEnd() {
    ReadyWindow window = new ReadyWindow(0, 0, 1, budget, budget);
    for (int sequence = 1; sequence <= 7; sequence++) {
      window.append(job(sequence));
    }

    assertThat(sequences(window)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(window.tail()).isEqualTo(5);
    assertThat(window.reachesEnd()).isFalse();
    assertThat(window.readyCount()).isEqualTo(7);
  }

  @Test
  void append_whileTheStoreHasMoreBehindTheTail_isLeftToReadingOn() {
    ReadyWindow window = new ReadyWindow(0, 3, 5, budget, budget);

    window.append(job(9));

    assertThat(window.size()).isZero();
    assertThat(window.readyCount()).isEqualTo(4);
    assertThat(window.lowestUnleased()).isEqualTo(5);
  }

  @Test
  void putBack_beforeTheTail_isAtItsOldPlaceAndLowersTheHead() {
    ReadyWindow window = new ReadyWindow(0, 0, 1, budget, budget);
    window.append(job(1));
    window.append(job(2));
    window.append(job(3));
    ReadyJob first = take(window, 0);

    window.putBack(first);

    assertThat(sequences(window)).containsExactly(1L, 2L, 3L);
    assertThat(window.lowestUnleased()).isEqualTo(1);
    assertThat(window.readyCount()).isEqualTo(3);
  }

  @Test
  void putBack_budgetExceeded_evictsFromTheTail() {
    ReadyWindow window = new ReadyWindow(0, 0, 1, budget, budget);
    for (int sequence = 1; sequence <= 5; sequence++) {
      window.append(job(sequence));
    }
    ReadyJob first = take(window, 0);
    window.append(job(6));

    window.putBack(first);

    assertThat(sequences(window)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(window.tail()).isEqualTo(5);
    assertThat(window.reachesEnd()).isFalse();
    assertThat(window.readyCount()).isEqualTo(6);
  }

  @Test
  void putBack_behindTheTailOfALineNotReadToItsEnd_isLeftToReadingOn() {
    ReadyWindow window = new ReadyWindow(0, 2, 5, budget, budget);

    window.putBack(job(8));

    assertThat(window.size()).isZero();
    assertThat(window.readyCount()).isEqualTo(3);
    assertThat(window.lowestUnleased()).isEqualTo(5);
  }

  @Test
  void readUpTo_theEnd_appendsAgain() {
    ReadyWindow window = new ReadyWindow(0, 1, 5, budget, budget);
    window.readOn(job(6));
    window.readUpTo(9, true);

    window.append(job(10));

    assertThat(sequences(window)).containsExactly(6L, 10L);
    assertThat(window.readyCount()).isEqualTo(2);
  }

  @Test
  void removeSequence_notInTheWindow_onlyShortensTheLine() {
    ReadyWindow window = new ReadyWindow(0, 2, 5, budget, budget);

    window.removeSequence(7);

    assertThat(window.readyCount()).isEqualTo(1);
    assertThat(window.reachesEnd()).isFalse();
  }

  @Test
  void unload_keepsLengthAndHeadAndGivesTheMemoryBack() {
    ReadyWindow window = new ReadyWindow(0, 0, 1, budget, budget);
    for (int sequence = 1; sequence <= 6; sequence++) {
      window.append(job(sequence));
    }
    take(window, 0);

    window.unload();

    assertThat(window.size()).isZero();
    assertThat(window.readyCount()).isEqualTo(5);
    assertThat(window.lowestUnleased()).isEqualTo(2);
    assertThat(window.tail()).isEqualTo(1);
    assertThat(window.reachesEnd()).isFalse();
    budget.take(4 * JOB_BYTES);
    assertThat(budget.isExceeded()).isFalse();
  }

  /** The line beside a window: what a store with these jobs would be asked, and what is leased. */
  private static final class Line {
    private final TreeSet<Long> unleased = new TreeSet<>();
    private final TreeSet<Long> leased = new TreeSet<>();
    private final ReadyWindow window;
    private final WindowBudget budget;
    private long next = 1;

    Line(WindowBudget budget) {
      this.budget = budget;
      this.window = new ReadyWindow(0, 0, next, budget, budget);
    }

    void step(SplittableRandom random) {
      switch (random.nextInt(6)) {
        case 0, 1 -> enqueue();
        case 2 -> claim(random);
        case 3 -> release(random);
        case 4 -> refill(1 + random.nextInt(3));
        default -> {
          if (random.nextInt(10) == 0) {
            window.unload();
          } else {
            cancel(random);
          }
        }
      }
    }

    private void enqueue() {
      unleased.add(next);
      window.append(job(next++));
    }

    private void claim(SplittableRandom random) {
      if (window.size() > 0) {
        int index = random.nextInt(window.size());
        long sequence = take(window, index).sequence();
        unleased.remove(sequence);
        leased.add(sequence);
      }
    }

    private void release(SplittableRandom random) {
      if (!leased.isEmpty()) {
        long sequence = new ArrayList<>(leased).get(random.nextInt(leased.size()));
        leased.remove(sequence);
        unleased.add(sequence);
        window.putBack(job(sequence));
      }
    }

    private void cancel(SplittableRandom random) {
      if (!unleased.isEmpty()) {
        long sequence = new ArrayList<>(unleased).get(random.nextInt(unleased.size()));
        unleased.remove(sequence);
        window.removeSequence(sequence);
      }
    }

    private void refill(int countMax) {
      if (window.reachesEnd() || (window.size() > 0 && budget.isExceeded())) {
        return;
      }
      int count = 0;
      for (long sequence : List.copyOf(unleased.tailSet(window.tail() + 1))) {
        if (count++ == countMax) {
          window.readUpTo(window.tail(), false);
          return;
        }
        window.readOn(job(sequence));
      }
      window.readUpTo(next - 1, true);
    }

    void check() {
      assertThat(window.readyCount()).isEqualTo(unleased.size());
      assertThat(sequences(window)).containsExactlyElementsOf(unleased.headSet(window.tail() + 1));
      if (window.reachesEnd()) {
        assertThat(unleased.tailSet(window.tail() + 1)).isEmpty();
      }
      if (!unleased.isEmpty()) {
        assertThat(window.lowestUnleased()).isLessThanOrEqualTo(unleased.first());
      }
      assertThat(window.size()).isLessThanOrEqualTo(4 + 3);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyHistory_invariantsHoldAfterEveryStep(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Line line = new Line(budget);

    for (int i = 0; i < 3_000; i++) {
      line.step(random);
      line.check();
    }

    assertThat(line.next).isGreaterThan(500);
  }
}
