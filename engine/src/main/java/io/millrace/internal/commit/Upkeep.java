package io.millrace.internal.commit;

import io.millrace.internal.transition.Transition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All work that comes due. A kind of work that fails is left alone for a second, and the others go
 * on. Belongs to the loop's thread, except for {@link #warnings}.
 */
final class Upkeep {

  private static final long OFF_NS = 1_000_000_000L;

  /** The time for which work has to fail before health tells of it. */
  private static final long TOLD_AFTER_NS = 60_000_000_000L;

  /** The time without a failure after which work counts as going on. */
  private static final long OVER_AFTER_NS = 10_000_000_000L;

  private final List<DueWork> works;
  private final BooleanSupplier isFull;
  private final boolean[] isOff;
  private final long[] offUntilNs;
  private final Lasting[] lasting;
  private boolean hasFailed;

  /**
   * A row of failures of one kind of work.
   *
   * @param firstNs the time of the first failure in the row
   * @param lastNs the time of the last failure
   */
  private record Failing(long firstNs, long lastNs, String why) {}

  /** The part of a kind of work that any thread may look at. */
  private static final class Lasting {
    private volatile @Nullable Failing failing;
  }

  /**
   * Creates the upkeep, with nothing left alone yet.
   *
   * @param isFull tells whether the store has no room for work that adds to it
   */
  Upkeep(List<DueWork> works, BooleanSupplier isFull) {
    this.isFull = isFull;
    this.works = List.copyOf(works);
    this.isOff = new boolean[works.size()];
    this.offUntilNs = new long[works.size()];
    this.lasting = works.stream().map(work -> new Lasting()).toArray(Lasting[]::new);
  }

  /** Returns the nanoseconds until there is something to do. */
  long waitNs(DueWork.DueTime now) {
    long waitNs = DueWork.NEVER;
    for (int i = 0; i < works.size(); i++) {
      waitNs = Math.min(waitNs, waitNs(i, now));
    }
    return waitNs;
  }

  private long waitNs(int index, DueWork.DueTime now) {
    if (works.get(index).growth() == Transition.Growth.GROWS && isFull.getAsBoolean()) {
      return DueWork.NEVER;
    }
    long dueNs = works.get(index).waitNs(now);
    return isOff[index] ? Math.max(dueNs, offUntilNs[index] - now.nowNs()) : dueNs;
  }

  /**
   * Does a step of everything that is due.
   *
   * @throws Group.SetbackException a step failed: the batch must not be written
   */
  void step(DueWork.DueTime now, Group group) {
    hasFailed = false;
    for (int i = 0; i < works.size(); i++) {
      if (waitNs(i, now) <= 0) {
        step(i, now, group);
      }
    }
  }

  private void step(int index, DueWork.DueTime now, Group group) {
    try {
      works.get(index).step(now, group);
      isOff[index] = false;
    } catch (Group.BrokenException e) {
      throw e;
    } catch (RuntimeException e) {
      hasFailed = true;
      leaveAlone(index, now.nowNs(), e.toString());
      throw new Group.SetbackException(e);
    }
  }

  /**
   * Leaves all due work alone for a while, for a batch with some in it could not be made. If one
   * kind failed itself, only that is left alone, which {@link #step} has done.
   */
  void leaveAlone(long nowNs) {
    for (int i = 0; i < works.size() && !hasFailed; i++) {
      leaveAlone(i, nowNs, "a batch with due work in it could not be made");
    }
  }

  private void leaveAlone(int index, long nowNs, String why) {
    isOff[index] = true;
    offUntilNs[index] = nowNs + OFF_NS;
    Failing before = lasting[index].failing;
    long firstNs =
        before != null && nowNs - before.lastNs() < OVER_AFTER_NS ? before.firstNs() : nowNs;
    lasting[index].failing = new Failing(firstNs, nowNs, why);
  }

  /** Returns the warnings about due work for the operator. For any thread. */
  List<String> warnings(long nowNs) {
    List<String> warnings = new ArrayList<>();
    for (int i = 0; i < works.size(); i++) {
      works.get(i).warning().ifPresent(warnings::add);
      Failing failing = lasting[i].failing;
      if (failing != null
          && failing.lastNs() - failing.firstNs() >= TOLD_AFTER_NS
          && nowNs - failing.lastNs() < OVER_AFTER_NS) {
        warnings.add(
            "work that came due cannot be done: work=%s, forSeconds=%s, why=%s"
                .formatted(
                    works.get(i).getClass().getSimpleName(),
                    (failing.lastNs() - failing.firstNs()) / OFF_NS,
                    failing.why()));
      }
    }
    return warnings;
  }

  /** Restarts all kinds of work; see {@link DueWork#restart}. */
  void restart() {
    works.forEach(DueWork::restart);
  }

  /** Restarts all kinds of work after a reopening; none is left alone any more. */
  void reopened() {
    Arrays.fill(isOff, false);
    works.forEach(DueWork::reopened);
  }
}
