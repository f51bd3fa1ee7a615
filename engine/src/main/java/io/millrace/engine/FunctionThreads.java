package io.millrace.engine;

import static java.util.Map.entry;

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which functions of one engine's transactions run. A call that they make to the
 * engine itself, and not to their transaction, is refused: changes would be made each time that the
 * function is called, also if nothing ever commits, and rows of tables might be others by then.
 * Looks at jobs and queues, for which a transaction has no calls, are let through.
 *
 * <p>Any thread; one that runs no function pays for a look into a table that is nearly empty.
 */
final class FunctionThreads {

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

  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** Runs a function of a transaction on this thread. */
  <R extends @Nullable Object> R during(Supplier<R> function) {
    Thread thread = Thread.currentThread();
    threads.add(thread);
    try {
      return function.get();
    } finally {
      threads.remove(thread);
    }
  }

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

  /**
   * Refuses a call that a function makes, and in place of which transactions have none; see {@link
   * #check(Transition)}.
   */
  void check() {
    if (isInside()) {
      throw refusal();
    }
  }

  /**
   * Refuses a call that a function makes; this call of the transaction is to be used in place of
   * it. See {@link #check(Transition)}.
   */
  void check(String call) {
    if (isInside()) {
      throw refusal(call);
    }
  }

  private boolean isInside() {
    return threads.contains(Thread.currentThread());
  }

  private static IllegalStateException refusal(String call) {
    return refused("use " + call + " of the transaction that the function was given");
  }

  private static IllegalStateException refusal() {
    return refused("a transaction has no call for it, make it before transact, or after");
  }

  private static IllegalStateException refused(String advice) {
    return new IllegalStateException(
        "call inside the function of a transaction, which may be called several times; nothing of"
            + " it happened: "
            + advice);
  }
}
