package io.millrace.internal.transition.lease;

import io.millrace.api.QueueName;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The turns that a claim across the tenants of names takes: a job of each name, the one that was
 * served longest ago first, and of each name the next of its {@link TenantTurns tenants}.
 */
final class NameTurns {

  private final ClaimSpec spec;
  private final Map<String, Name> names;

  NameTurns(ClaimSpec spec) {
    this.spec = spec;
    int count = spec.tenantsOf().size();
    this.names = count == 1 ? new HashMap<>(2) : new LinkedHashMap<>();
    int each = Math.max(1, spec.max() / count);
    for (String name : spec.tenantsOf()) {
      names.put(name, new Name(new TenantTurns.Seen(name, each), most(name)));
    }
  }

  private int most(String name) {
    return spec.maxPerQueue().isEmpty()
        ? Integer.MAX_VALUE
        : spec.maxPerQueue().getOrDefault(QueueName.of(name), Integer.MAX_VALUE);
  }

  /**
   * A name of which the claim wants jobs.
   *
   * @param most how many jobs of it are wanted at most
   */
  private record Name(TenantTurns.Seen seen, int most) {}

  /**
   * Prepares a claim that waits for another attempt, since the queue was woken; null stands for
   * any.
   */
  void lookAgain(@Nullable QueueState queue) {
    if (queue == null) {
      names.values().forEach(name -> name.seen.lookAgain(null));
      return;
    }
    Name woken = names.get(queue.name().name());
    if (woken != null) {
      woken.seen.lookAgain(queue);
    }
  }

  /** Wants the rows of the tenants whose turns come next, if they are not in memory. */
  void declare(WorkingSet state, RowReads reads) {
    names.values().forEach(name -> name.seen.declare(state, reads));
  }

  /** Returns the jobs for one attempt of the claim, from where the last attempt has looked. */
  ServingOrder choice(OpenBatch batch) {
    if (names.size() == 1) {
      Name only = names.values().iterator().next();
      if (only.most >= spec.max()) { // as most claims are: nothing to take turns about
        return new TenantTurns(batch, spec, only.seen);
      }
    }
    return new Turns(batch);
  }

  /** A name that may have jobs for one attempt. */
  private static final class Open {
    private final TenantTurns tenants;
    private int left;

    Open(OpenBatch batch, ClaimSpec spec, Name name) {
      this.tenants = new TenantTurns(batch, spec, name.seen);
      this.left = name.most;
    }

    long turn() {
      return tenants.ring().turn();
    }
  }

  private final class Turns implements ServingOrder {
    private final OpenBatch batch;
    private final ArrayDeque<Open> open;
    private boolean isUnfinished;

    Turns(OpenBatch batch) {
      this.batch = batch;
      List<Open> all = new ArrayList<>(names.size());
      names.values().forEach(name -> all.add(new Open(batch, spec, name)));
      all.sort(Comparator.comparingLong(Open::turn));
      this.open = new ArrayDeque<>(all);
    }

    /**
     * Returns the next job. A name that has none gets no other turn in this claim: there is only
     * less room later.
     */
    @Override
    public ReadyScan.@Nullable Candidate takeFirst(int freeWeight) {
      for (Open first = open.peek(); first != null; first = open.peek()) {
        ReadyScan.Candidate candidate = first.left > 0 ? first.tenants.takeFirst(freeWeight) : null;
        if (candidate != null) {
          return candidate;
        }
        isUnfinished |= first.tenants.isUnfinished();
        open.remove();
      }
      return null;
    }

    @Override
    public void granted(ReadyScan.Candidate candidate) {
      Open served = open.remove();
      served.tenants.granted(candidate);
      served.left--;
      if (names.size() > 1) {
        batch.state().tenants().noteNameTurn(served.tenants.ring());
      }
      open.add(served);
    }

    @Override
    public boolean isUnfinished() {
      return isUnfinished;
    }
  }
}
