package io.millrace.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.spi.testkit.fault.Trials;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random histories on the lease table and on a model of it side by side. The table is the loop's
 * alone, so that no threads are needed.
 *
 * <p>In the model a batch that never happened brings back the leases of before, and keeps of its
 * own those whose holders know of them.
 */
@Tag("slow")
class LeaseTableModelTest {

  private static final int BIRTHS = 6;
  private static final int STEPS = 60;

  /** Around here the sign of the clock turns over. */
  private static final long CLOCK_NS = Long.MAX_VALUE - 500;

  private Random random = new Random();
  private final UndoLog undoLog = new UndoLog();
  private final LeaseTable table = new LeaseTable(undoLog, 8_192);
  private final List<String> history = new ArrayList<>();
  private Map<Long, LeaseEntry> leased = new LinkedHashMap<>();
  private Map<Long, LeaseEntry> leasedBefore = new LinkedHashMap<>();
  private final Set<LeaseEntry> granted = new LinkedHashSet<>();
  private final Set<LeaseEntry> uncounted = new LinkedHashSet<>();
  private Set<LeaseEntry> uncountedBefore = new LinkedHashSet<>();
  private final Set<LeaseEntry> rowless = new LinkedHashSet<>();
  private Set<LeaseEntry> rowlessBefore = new LinkedHashSet<>();
  private final Set<Long> endedBirths = new LinkedHashSet<>();
  private final Set<LeaseEntry> untellable = new LinkedHashSet<>();
  private final Set<LeaseEntry> marked = new LinkedHashSet<>();
  private final Set<LeaseEntry> toldCancel = new LinkedHashSet<>();
  private final Map<LeaseEntry, Long> ends = new LinkedHashMap<>();
  private long newestToken;

  @Test
  void history_anySteps_tableIsAsTheModel() {
    int historyCount = Trials.count("leaseTableHistories", 500, 2_000, 50_000);
    long seed = Trials.seed();
    for (int i = 0; i < historyCount; i++) {
      new LeaseTableModelTest().run(seed + i);
    }
    Trials.report(getClass(), "histories=" + historyCount + ", differences=0");
  }

  private void run(long seed) {
    random = new Random(seed);
    try {
      for (int i = 0; i < STEPS; i++) {
        batch();
      }
    } catch (AssertionError e) {
      throw new AssertionError(
          "run again with -Dmillrace.seed=" + seed + ": " + String.join(", ", history), e);
    }
  }

  private void batch() {
    undoLog.clear();
    table.beginBatch();
    leasedBefore = new LinkedHashMap<>(leased);
    uncountedBefore = new LinkedHashSet<>(uncounted);
    rowlessBefore = new LinkedHashSet<>(rowless);
    assertThat(table.rowless().takeUncounted()).containsExactlyInAnyOrderElementsOf(uncounted);
    rowless.addAll(uncounted);
    uncounted.clear();
    granted.clear();
    marked.clear();
    endedBirths.clear();
    untellable.clear();
    history.add("begin");
    for (int i = random.nextInt(5); i > 0; i--) {
      change();
      compare();
    }
    if (random.nextInt(3) > 0) {
      commit();
    } else {
      undo();
    }
    compare();
    assertThat(table.rowless().earlier()).containsExactlyInAnyOrderElementsOf(rowless);
    tell();
    compare();
  }

  private void change() {
    long birth = random.nextInt(BIRTHS);
    LeaseEntry lease = leased.get(birth);
    if (lease == null) {
      grant(birth);
      return;
    }
    switch (random.nextInt(4)) {
      case 0 -> {
        history.add("end " + lease.token());
        table.end(lease);
        leased.remove(birth);
        endedBirths.add(birth);
      }
      case 1 -> extend(lease);
      case 2 -> mark(lease);
      default -> start(lease);
    }
  }

  private void grant(long birth) {
    JobRecord job =
        JobRecord.builder().birth(birth).birthKind(Keyspace.READY).enqueuedAtMs(1).build();
    LeaseEntry lease =
        new LeaseEntry(1, job, birth, new LeaseEntry.Terms(++newestToken, "worker", 1, 1, 30_000));
    history.add("grant " + newestToken + " of " + birth);
    table.grant(lease);
    leased.put(birth, lease);
    granted.add(lease);
    if (endedBirths.contains(birth)) {
      untellable.add(lease);
    }
  }

  private void mark(LeaseEntry lease) {
    if (!lease.isCancelRequested()) {
      history.add("mark " + lease.token());
      table.markCancelRequested(lease);
      marked.add(lease);
    }
  }

  private void extend(LeaseEntry lease) {
    if (ends.containsKey(lease)) {
      long endNs = CLOCK_NS + random.nextInt(1_000);
      history.add("extend " + lease.token() + " to " + endNs);
      table.extend(lease, endNs);
      ends.put(lease, endNs);
    }
  }

  /** Its holder is told, unless what made the job ready again is in the batch under way. */
  private void start(LeaseEntry lease) {
    if (!ends.containsKey(lease) && !untellable.contains(lease)) {
      long endNs = CLOCK_NS + random.nextInt(1_000);
      history.add("start " + lease.token() + " until " + endNs);
      table.start(lease, endNs);
      ends.put(lease, endNs);
    }
  }

  private void commit() {
    List<LeaseEntry> put =
        switch (random.nextInt(3)) {
          case 0 -> List.of();
          case 1 -> table.rowless().earlier();
          default -> table.rowless().all();
        };
    put.forEach(table::noteRow);
    history.add("commit with " + put.size() + " rows");
    table.commitBatch(0);
    rowless.addAll(granted);
    rowless.removeIf(lease -> lease.hasRow() || leased.get(lease.birth()) != lease);
    toldCancel.addAll(marked);
    untellable.clear();
  }

  private void undo() {
    for (LeaseEntry lease : granted) {
      if (random.nextInt(4) == 0) {
        start(lease);
      }
    }
    history.add("undo");
    undoLog.undo();
    table.undoBatch();
    leased = new LinkedHashMap<>(leasedBefore);
    uncounted.clear();
    uncounted.addAll(uncountedBefore);
    uncounted.addAll(rowlessBefore);
    rowless.clear();
    for (LeaseEntry lease : granted) {
      if (ends.containsKey(lease)) {
        leased.put(lease.birth(), lease);
        uncounted.add(lease);
      }
    }
    untellable.clear();
  }

  /** Between two batches those are told whose batch is durable by now. */
  private void tell() {
    for (LeaseEntry lease : List.copyOf(leased.values())) {
      if (random.nextInt(3) == 0) {
        start(lease);
      }
    }
  }

  private void compare() {
    assertThat(table.all()).containsExactlyInAnyOrderElementsOf(leased.values());
    for (long birth = 0; birth < BIRTHS; birth++) {
      assertThat(table.get(birth)).isSameAs(leased.get(birth));
    }
    assertThat(table.rowless().hasUncounted()).isEqualTo(!uncounted.isEmpty());
    assertThat(leased.values()).noneMatch(LeaseEntry::isEnded);
    List<LeaseEntry> running =
        leased.values().stream()
            .filter(ends::containsKey)
            .sorted(
                Comparator.comparing((LeaseEntry lease) -> ends.get(lease) - CLOCK_NS)
                    .thenComparing(LeaseEntry::token))
            .toList();
    assertThat(table.first()).isSameAs(running.isEmpty() ? null : running.get(0));
    long nowNs = CLOCK_NS + random.nextInt(1_000);
    assertThat(table.endedBy(nowNs, 3))
        .isEqualTo(running.stream().filter(l -> ends.get(l) - nowNs <= 0).limit(3).toList());
    for (LeaseEntry lease : leased.values()) {
      assertThat(lease.isCancelTold()).isEqualTo(toldCancel.contains(lease));
    }
  }
}
