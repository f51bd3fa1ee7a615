package io.millrace.engine;

import static java.util.Map.entry;

import io.millrace.calls.TransactionThreads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.job.ReleaseJob;
import io.millrace.internal.transition.job.Reschedule;
import io.millrace.internal.transition.job.ReserveIds;
import io.millrace.internal.transition.job.SendSignal;
import io.millrace.internal.transition.job.Submit;
import io.millrace.internal.transition.job.Update;
import io.millrace.internal.transition.lease.Checkpoint;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Extend;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.FindLease;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.lease.Snooze;
import io.millrace.internal.transition.lease.WaitFor;
import io.millrace.internal.transition.lease.WaitForTally;
import io.millrace.internal.transition.table.ChangeRows;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which functions of one engine's transactions run, and the requests that they may
 * make. Any thread.
 */
final class FunctionThreads extends TransactionThreads {

  /** The calls of a transaction that are to be used in place of requests. */
  private static final Map<Class<?>, String> INSTEAD =
      Map.ofEntries(
          entry(Cancel.class, "tx.cancel, or tx.cancelIfWaiting,"),
          entry(ChangeRows.class, "tx.put, or tx.delete,"),
          entry(Checkpoint.class, "tx.checkpoint"),
          entry(Complete.class, "tx.complete"),
          entry(Enqueue.class, "tx.enqueue"),
          entry(Extend.class, "tx.extend"),
          entry(Fail.class, "tx.fail"),
          entry(Redrive.class, "tx.redrive"),
          entry(Release.class, "tx.release"),
          entry(ReleaseJob.class, "tx.release"),
          entry(Reschedule.class, "tx.reschedule"),
          entry(SendSignal.class, "tx.signal"),
          entry(Snooze.class, "tx.snooze"),
          entry(Submit.class, "tx.enqueue"),
          entry(Update.class, "tx.update"),
          entry(WaitFor.class, "tx.waitFor"),
          entry(WaitForTally.class, "tx.waitFor"));

  /** The requests that transactions make for themselves, and the one that finds a lease. */
  private static final Set<Class<?>> ALLOWED = Set.of(ReserveIds.class, FindLease.class);

  /**
   * Lets a request pass unless a function makes it.
   *
   * @throws IllegalStateException a function makes it; the message names the call to use in its
   *     place
   */
  void check(Transition<?> asked) {
    if (isInside() && !ALLOWED.contains(asked.getClass())) {
      @Nullable String call = INSTEAD.get(asked.getClass());
      throw call == null ? refusal() : refusal(call);
    }
  }
}
