package io.millrace.internal.transition.transact;

import io.millrace.api.JobId;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.lease.LeaseRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Several operations that are carried out together or not at all, in the order in which they were
 * asked for.
 *
 * <p>All are judged before the first is carried out: each against what is there, what requests
 * before this one in the group have made of it, and what the plans before it will leave. So one
 * obstacle is enough for nothing to happen, and there is nothing to be taken back. Held unique keys
 * are looked for to the end, so that the caller learns of all of them at once. What the transaction
 * read of users' tables is looked at first, in the same way.
 */
public final class Transact implements Operation<Verdict> {

  private final List<TransactionPart> parts;
  private final List<Guard> guards;
  private final Cost cost;
  private final long bytes;
  private final Growth growth;
  private final boolean needsLeaseRows;

  /**
   * Creates a transaction of parts that are carried out together, if all guards hold.
   *
   * @param parts must not change any more
   * @param guards must not change any more
   */
  public Transact(List<TransactionPart> parts, List<Guard> guards) {
    this.parts = parts;
    this.guards = guards;
    Cost sum = Cost.NOTHING;
    long size = 0;
    boolean isGrowing = false;
    boolean needsRows = false;
    for (TransactionPart part : parts) {
      Operation<?> operation = part.operation();
      sum = sum.plus(operation.cost());
      size += operation.bytes();
      isGrowing |= operation.growth() == Growth.GROWS;
      needsRows |= operation.needsLeaseRows();
    }
    for (Guard guard : guards) {
      size += guard.bytes();
    }
    this.cost = sum;
    this.bytes = size;
    this.growth = isGrowing ? Growth.GROWS : Growth.FREES;
    this.needsLeaseRows = needsRows;
  }

  @Override
  public Growth growth() {
    return growth;
  }

  @Override
  public Cost cost() {
    return cost;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public boolean needsLeaseRows() {
    return needsLeaseRows;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    for (Guard guard : guards) {
      guard.declare(state, reads);
    }
    for (TransactionPart part : parts) {
      part.operation().declare(state, reads);
    }
  }

  @Override
  public Plan<Verdict> check(OpenBatch batch) {
    for (Guard guard : guards) {
      if (!guard.holds(batch)) {
        return Plan.answer(new Verdict.RowChanged(guard));
      }
    }
    putLeaseRows(batch);
    Map<Integer, Optional<JobId>> holders = new HashMap<>(0);
    List<Plan<?>> plans = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      if (i > 0) {
        plans.get(i - 1).foretell(batch);
      }
      TransactionPart.Judged judged = parts.get(i).judge(batch, i);
      @Nullable Verdict obstacle = judged.obstacle();
      if (obstacle instanceof Verdict.KeysHeld held) {
        holders.putAll(held.holders());
      } else if (obstacle != null) {
        // Who went by an untrue id may ask for something else when knowing better.
        return Plan.answer(holders.isEmpty() ? obstacle : new Verdict.KeysHeld(holders));
      }
      plans.add(judged.plan());
    }
    return holders.isEmpty()
        ? now -> carryOut(plans, now)
        : Plan.answer(new Verdict.KeysHeld(holders));
  }

  /**
   * Puts the rows of leases first if judging a part does: such a row may take something from the
   * job's record, which a plan that has read the record before would put back.
   */
  private void putLeaseRows(OpenBatch batch) {
    if (!needsLeaseRows && parts.size() > 1) {
      for (TransactionPart part : parts) {
        if (part.putsLeaseRows(batch)) {
          LeaseRows.putAll(batch);
          return;
        }
      }
    }
  }

  private static Verdict carryOut(List<Plan<?>> plans, OpenBatch batch) {
    List<Object> answers = new ArrayList<>(plans.size());
    for (Plan<?> plan : plans) {
      answers.add(TransactionPart.only(plan.carryOut(batch)));
    }
    batch.state().totals().countTransaction();
    return new Verdict.Done(answers);
  }
}
