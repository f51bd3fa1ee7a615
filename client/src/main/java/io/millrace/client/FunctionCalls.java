package io.millrace.client;

import static java.util.Map.entry;

import io.millrace.calls.TransactionThreads;
import io.millrace.protocol.Call;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.ReadCalls;
import io.millrace.protocol.TableCalls;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls that functions of transactions may make to the server, and those to use instead. */
final class FunctionCalls extends TransactionThreads {

  /** The calls of a transaction that are to be used in place of those of the server. */
  private static final Map<Class<?>, String> INSTEAD =
      Map.ofEntries(
          entry(JobCalls.Cancel.class, "tx.cancel, or tx.cancelIfWaiting,"),
          entry(JobCalls.Enqueue.class, "tx.enqueue"),
          entry(JobCalls.Submit.class, "tx.enqueue"),
          entry(JobCalls.Redrive.class, "tx.redrive"),
          entry(JobCalls.ReleaseJob.class, "tx.release"),
          entry(JobCalls.Reschedule.class, "tx.reschedule"),
          entry(JobCalls.Signal.class, "tx.signal"),
          entry(JobCalls.Update.class, "tx.update"),
          entry(LeaseCalls.Checkpoint.class, "tx.checkpoint"),
          entry(LeaseCalls.Complete.class, "tx.complete"),
          entry(LeaseCalls.Extend.class, "tx.extend"),
          entry(LeaseCalls.Fail.class, "tx.fail"),
          entry(LeaseCalls.Release.class, "tx.release"),
          entry(LeaseCalls.Snooze.class, "tx.snooze"),
          entry(LeaseCalls.WaitFor.class, "tx.waitFor"),
          entry(TableCalls.GetRows.class, "tx.get"),
          entry(TableCalls.ScanRows.class, "tx.scan"),
          entry(TableCalls.PutRows.class, "tx.put, or tx.delete,"),
          entry(TableCalls.DeleteRows.class, "tx.put, or tx.delete,"));

  /** The looks at jobs and queues, for which a transaction has no calls. */
  private static final Set<Class<?>> ALLOWED = Set.of(LeaseCalls.LookAtLease.class);

  /**
   * Lets a call pass unless a function makes it.
   *
   * @throws IllegalStateException a function makes it; the message names the call to use in its
   *     place
   */
  void check(Call<?> asked) {
    if (!isInside()
        || asked.getClass().getEnclosingClass() == ReadCalls.class
        || ALLOWED.contains(asked.getClass())) {
      return;
    }
    @Nullable String call = INSTEAD.get(asked.getClass());
    throw call == null ? refusal() : refusal(call);
  }
}
