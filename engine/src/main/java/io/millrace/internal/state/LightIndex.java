package io.millrace.internal.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lists of light jobs of one line, for several bounds of weight. Empty until a claim has met
 * many jobs that are too heavy for it. Can be forgotten at any time: it is found out again.
 */
public final class LightIndex {

  /**
   * The most bounds that are remembered; beyond that the bound is forgotten that was not asked for
   * longest.
   */
  private static final int COUNT_MAX = 8;

  /** The lists for all bounds, the one that was asked for last first. */
  private final List<LightJobs> known = new ArrayList<>(0);

  private final WindowBudget budget;

  LightIndex(WindowBudget budget) {
    this.budget = budget;
  }

  /**
   * Returns a list that knows the jobs of at most this weight, or null. Prefers one that answers at
   * once, else the one that has looked at the line farthest.
   */
  public @Nullable LightJobs of(int weightMax) {
    LightJobs best = null;
    for (LightJobs light : known) {
      if (light.weightEnd() > weightMax) {
        if (light.reachesEnd() || light.first(weightMax) != LightJobs.NONE) {
          return used(light);
        }
        best = best == null || light.tail() > best.tail() ? light : best;
      }
    }
    return best == null ? null : used(best);
  }

  private LightJobs used(LightJobs light) {
    if (known.get(0) != light) {
      known.remove(light);
      known.add(0, light);
    }
    return light;
  }

  /**
   * Begins a list for a new bound: the line has no job lighter than the weight end up to the tail.
   */
  public LightJobs begin(int weightEnd, long tail) {
    if (known.size() == COUNT_MAX) {
      known.remove(COUNT_MAX - 1);
      budget.give(LightJobs.BYTES);
    }
    LightJobs light = new LightJobs(weightEnd, tail);
    known.add(0, light);
    budget.take(LightJobs.BYTES);
    return light;
  }

  void join(ReadyJob job) {
    for (int i = 0; i < known.size(); i++) {
      known.get(i).join(job.sequence(), job.job().weight());
    }
  }

  /** Notes that the job of this sequence left the line, or cannot be read. */
  public void leave(long sequence) {
    for (int i = 0; i < known.size(); i++) {
      known.get(i).leave(sequence);
    }
  }

  void reweigh(ReadyJob job) {
    for (int i = 0; i < known.size(); i++) {
      known.get(i).reweigh(job.sequence(), job.job().weight());
    }
  }

  void forget() {
    if (!known.isEmpty()) {
      budget.give((long) known.size() * LightJobs.BYTES);
      known.clear();
    }
  }
}
