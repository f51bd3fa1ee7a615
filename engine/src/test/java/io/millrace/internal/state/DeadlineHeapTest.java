package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DeadlineHeapTest {

  /** The sign of the clock turns over in the midst of the ends. */
  private static final long CLOCK_NS = Long.MAX_VALUE - 500;

  private static final Comparator<LeaseEntry> BY_END =
      Comparator.comparing((LeaseEntry lease) -> lease.deadlineNs() - CLOCK_NS)
          .thenComparing(LeaseEntry::token);

  private final DeadlineHeap heap = new DeadlineHeap();

  @Test
  void addAndRemove_anyOrder_firstIsAlwaysTheOneThatEndsFirst() {
    Random random = new Random(20261121);
    TreeSet<LeaseEntry> expected = new TreeSet<>(BY_END);
    List<LeaseEntry> inside = new ArrayList<>();
    for (int token = 0; token < 20_000; token++) {
      // Grows to some thousand, and shrinks to nothing again.
      if (inside.isEmpty() || random.nextInt(20_000) > token) {
        LeaseEntry lease = lease(token, CLOCK_NS + random.nextInt(1_000));
        heap.add(lease);
        expected.add(lease);
        inside.add(lease);
      } else {
        LeaseEntry lease = inside.remove(random.nextInt(inside.size()));
        heap.remove(lease);
        expected.remove(lease);
      }
      assertThat(heap.first()).isSameAs(expected.isEmpty() ? null : expected.first());
    }
    assertThat(heap.endedBy(later(1_000), Integer.MAX_VALUE)).containsExactlyElementsOf(expected);
    assertThat(heap.endedBy(later(1_000), Integer.MAX_VALUE)).containsExactlyElementsOf(expected);
  }

  @Test
  void remove_leaseThatIsNotInside_doesNothing() {
    LeaseEntry inside = lease(1, CLOCK_NS);
    heap.add(inside);

    heap.remove(lease(2, CLOCK_NS));

    assertThat(heap.first()).isSameAs(inside);
  }

  private static LeaseEntry lease(long token, long endNs) {
    JobRecord job =
        JobRecord.builder().birth(token).birthKind(Keyspace.READY).enqueuedAtMs(1).build();
    LeaseEntry.Terms terms = new LeaseEntry.Terms(token, "worker", 1, 1, 30_000);
    LeaseEntry lease = new LeaseEntry(1, job, token, terms);
    lease.start(endNs);
    return lease;
  }

  /** Answers an instant beyond the turn of the sign, if it is late enough. */
  private static long later(long ns) {
    return CLOCK_NS + ns;
  }
}
