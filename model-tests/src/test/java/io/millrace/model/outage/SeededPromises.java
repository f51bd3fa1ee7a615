package io.millrace.model.outage;

import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.model.ModelJob;
import io.millrace.model.ModelLease;
import io.millrace.model.outage.SeededLog.Entry;
import io.millrace.model.outage.SeededStep.End;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;

/**
 * What callers were told and may rely on when the engine has ended: that what was acknowledged is
 * there, and that no lease was given on a job that might not be.
 */
final class SeededPromises {

  private final SeededLog log;
  private final Durability own;
  private final List<Promise> promises = new ArrayList<>();
  private final List<Grant> grants = new ArrayList<>();
  private final Map<Integer, Change> changes = new HashMap<>();
  private Set<Integer> suspects = new HashSet<>();

  /** An answer was given: this entry holds, at that level. */
  private record Promise(Entry entry, Durability level, String what, boolean isSight) {}

  /** An answered claim. */
  record Grant(Entry entry, List<ModelLease> leases, List<Lease> handles) {}

  /** How a job looks, and which batch made it look so. */
  private record Change(List<Object> look, long batch, Durability level) {}

  /**
   * @param own how durable what is due by itself must be
   */
  SeededPromises(SeededLog log, Durability own) {
    this.log = log;
    this.own = own;
  }

  /** A caller was told that what it asked for is done. */
  void acknowledged(Entry entry, Durability level, String what) {
    promises.add(new Promise(entry, level, what, false));
  }

  /** A caller was given leases: in the model, and their handles. */
  void given(Entry entry, List<ModelLease> leases, List<Lease> handles, String what) {
    grants.add(new Grant(entry, leases, handles));
    for (ModelLease lease : leases) {
      Change found = changes.get(lease.job.number);
      if (found != null) {
        Entry made = new Entry(model -> {}, found.batch());
        promises.add(new Promise(made, found.level(), what + " saw " + lease.job, true));
      }
    }
  }

  /**
   * Notes which jobs a call has changed, so that claims may not see them before that is as durable
   * as the call asked. What comes due by itself comes due again, and a lease may be lost. A job
   * that was handed a slot may be seen as one that was due by itself.
   */
  void noteChanges(long batch, Durability level) {
    for (ModelJob job : log.live().model.jobs.values()) {
      List<Object> look = look(job);
      Change known = changes.get(job.number);
      if (known == null || !known.look().equals(look)) {
        boolean isHandedOn =
            known != null && known.look().get(0) == JobState.BLOCKED && job.state == JobState.READY;
        changes.put(job.number, new Change(look, batch, isHandedOn ? own : level));
      }
    }
  }

  /** As {@link #noteChanges}, for what needs not be waited for. */
  void passChanges() {
    for (ModelJob job : log.live().model.jobs.values()) {
      changes.computeIfPresent(
          job.number, (number, known) -> new Change(look(job), known.batch(), known.level()));
    }
  }

  private static List<Object> look(ModelJob job) {
    EnqueueOptions options = job.options;
    return List.of(
        job.state,
        job.readyOrder,
        job.payload,
        job.checkpointed,
        options.priority(),
        options.weight(),
        options.maxAttempts(),
        options.backoff(),
        options.headers(),
        options.leaseDuration());
  }

  /** All jobs are as the store has them for ever. */
  void beginAnew() {
    changes.clear();
    noteChanges(Entry.FOR_EVER, Durability.BUFFERED);
  }

  /**
   * What was due has been done in this batch. A lease that it has ended may never have had a row:
   * the batch that has its end has its claim, too, and the rows of what else was claimed with it.
   */
  void noteEnds(long batch) {
    for (Grant grant : grants) {
      boolean isEnded = grant.leases().stream().anyMatch(lease -> !lease.isCurrent());
      if (isEnded && grant.entry().batch() > batch) {
        grant.entry().heldBy(batch);
      }
    }
  }

  /** Claims that were answered and whose batch is lost. */
  List<Grant> lostGrants(long lastCommit) {
    return grants.stream().filter(grant -> grant.entry().batch() > lastCommit).toList();
  }

  /** Whether a job may be the one that ended an engine uncleanly: its start must count. */
  boolean isSuspect(ModelLease lease) {
    return suspects.contains(lease.job.number);
  }

  /** The engine was opened after an unclean stop. */
  void suspectAll() {
    suspects = new HashSet<>(log.live().model.jobs.keySet());
  }

  /**
   * The engine has ended, and this batch is the last that is left: says which promise is broken.
   */
  void settle(long lastCommit, End end, SeededWorld world, SeededTally tally) {
    for (Promise promise : promises) {
      boolean isLost = promise.entry().batch() > lastCommit;
      boolean mayBeLost = end == End.POWER_CUT && promise.level() == Durability.BUFFERED;
      if (isLost && mayBeLost) {
        tally.count("buffered answers lost with the power");
      } else if (isLost && (promise.isSight() || isMissed(promise, lastCommit, world))) {
        throw new AssertionError(
            "acknowledged and lost: %s at %s in batch %d, but the last batch is %d after %s"
                .formatted(
                    promise.what(), promise.level(), promise.entry().batch(), lastCommit, end));
      }
    }
    promises.clear();
    grants.clear();
  }

  /** Whether what was acknowledged has changed something that is not changed now. */
  private boolean isMissed(Promise promise, long lastCommit, SeededWorld world) {
    SeededModel without = log.replay(lastCommit);
    SeededModel with = log.replay(lastCommit);
    try {
      promise.entry().effect().accept(with);
    } catch (NoSuchElementException e) {
      // It was about a lease that is lost, too.
      return true;
    }
    return !Objects.equals(SeededContent.of(without, world), SeededContent.of(with, world));
  }
}
