package io.millrace.server;

import io.millrace.api.NotAllowedException;
import io.millrace.protocol.BatchCalls;
import io.millrace.protocol.Call;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.ListenCalls;
import io.millrace.protocol.NotedCalls;
import io.millrace.protocol.QueueCalls;
import io.millrace.protocol.ReadCalls;
import io.millrace.protocol.TableCalls;
import io.millrace.protocol.TransactionCalls;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The rules of what each call names of queues, for tokens that are for some queues alone. A call
 * without a rule is refused to them.
 */
final class QueueRules {

  private static final Map<Class<?>, BiConsumer<?, QueueCheck>> RULES = new HashMap<>();

  static {
    ofJobs();
    ofLeases();
    ofQueues();
    ofReads();
    ofListeners();
    ofTransactions();
    ofWhatIsShared();
  }

  private QueueRules() {}

  /**
   * Checks a call.
   *
   * @throws NotAllowedException the caller's token is not for all that the call names
   */
  @SuppressWarnings("unchecked") // it is listed by the class of its call
  static <C extends Call<?>> void check(C asked, QueueCheck check) {
    BiConsumer<C, QueueCheck> rule = (BiConsumer<C, QueueCheck>) RULES.get(asked.getClass());
    if (rule == null) {
      check.shared("this call");
    } else {
      rule.accept(asked, check);
    }
  }

  /** Tells whether there is a rule for the call. */
  static boolean has(Class<?> call) {
    return RULES.containsKey(call);
  }

  private static <C extends Call<?>> void rule(Class<C> call, BiConsumer<C, QueueCheck> rule) {
    RULES.put(call, rule);
  }

  private static <C extends Call<?>, N> void rule(
      Class<C> call, Function<C, N> named, BiConsumer<QueueCheck, N> check) {
    rule(call, (asked, by) -> check.accept(by, named.apply(asked)));
  }

  private static <C extends Call<?>> void shared(Class<C> call, String what) {
    rule(call, (asked, check) -> check.shared(what));
  }

  private static void ofJobs() {
    rule(
        JobCalls.Enqueue.class,
        (call, check) -> {
          check.queue(call.queue());
          call.jobs().forEach(job -> check.newJob(call.queue(), job));
        });
    rule(JobCalls.Submit.class, (call, check) -> check.newJob(call.queue(), call.job()));
    rule(JobCalls.Await.class, JobCalls.Await::jobId, QueueCheck::job);
    rule(JobCalls.Cancel.class, JobCalls.Cancel::jobId, QueueCheck::job);
    rule(JobCalls.Reschedule.class, JobCalls.Reschedule::jobId, QueueCheck::job);
    rule(JobCalls.Update.class, JobCalls.Update::jobId, QueueCheck::job);
    rule(JobCalls.ReleaseJob.class, JobCalls.ReleaseJob::jobId, QueueCheck::job);
    rule(JobCalls.FailStuck.class, JobCalls.FailStuck::jobId, QueueCheck::job);
    rule(JobCalls.Signal.class, (call, check) -> call.jobIds().forEach(check::job));
    rule(JobCalls.Broadcast.class, JobCalls.Broadcast::queue, QueueCheck::queue);
    rule(
        JobCalls.Redrive.class,
        (call, check) -> {
          check.queue(call.queue());
          check.job(call.jobId());
        });
    rule(JobCalls.RedriveAll.class, JobCalls.RedriveAll::queue, QueueCheck::queue);
    rule(
        JobCalls.DeleteDead.class,
        (call, check) -> {
          check.queue(call.queue());
          check.job(call.jobId());
        });
    rule(JobCalls.DeleteAllDead.class, JobCalls.DeleteAllDead::queue, QueueCheck::queue);
  }

  private static void ofLeases() {
    rule(
        LeaseCalls.Claim.class,
        (call, check) -> {
          call.queues().forEach(check::queue);
          call.tenantsOf().forEach(check::allTenants);
        });
    rule(LeaseCalls.LookAtLease.class, LeaseCalls.LookAtLease::lease, QueueCheck::lease);
    rule(
        LeaseCalls.Complete.class,
        (call, check) -> call.jobs().forEach(job -> check.lease(job.lease())));
    rule(LeaseCalls.Fail.class, LeaseCalls.Fail::leases, QueueCheck::leases);
    rule(LeaseCalls.Release.class, LeaseCalls.Release::leases, QueueCheck::leases);
    rule(LeaseCalls.Snooze.class, LeaseCalls.Snooze::lease, QueueCheck::lease);
    rule(
        LeaseCalls.WaitFor.class,
        (call, check) -> {
          check.lease(call.lease());
          call.batch().ifPresent(batch -> check.shared("a batch"));
        });
    rule(LeaseCalls.Extend.class, LeaseCalls.Extend::leases, QueueCheck::leases);
    rule(LeaseCalls.Checkpoint.class, LeaseCalls.Checkpoint::lease, QueueCheck::lease);
  }

  private static void ofQueues() {
    rule(
        QueueCalls.Configure.class,
        (call, check) -> {
          call.queue().ifPresent(check::queue);
          call.queueName().ifPresent(check::allTenants);
        });
    rule(QueueCalls.Pause.class, QueueCalls.Pause::queue, QueueCheck::queue);
    rule(QueueCalls.Resume.class, QueueCalls.Resume::queue, QueueCheck::queue);
    rule(QueueCalls.Purge.class, QueueCalls.Purge::queue, QueueCheck::queue);
    rule(QueueCalls.Drain.class, QueueCalls.Drain::queue, QueueCheck::queue);
    rule(QueueCalls.EndDrain.class, QueueCalls.EndDrain::queue, QueueCheck::queue);
    rule(QueueCalls.DeleteQueue.class, QueueCalls.DeleteQueue::queue, QueueCheck::queue);
    rule(QueueCalls.LeaseQueue.class, QueueCalls.LeaseQueue::queue, QueueCheck::queue);
    rule(QueueCalls.ClaimLeased.class, QueueCalls.ClaimLeased::queue, QueueCheck::queue);
    rule(QueueCalls.ExtendQueueLease.class, QueueCalls.ExtendQueueLease::queue, QueueCheck::queue);
    rule(QueueCalls.CloseQueueLease.class, QueueCalls.CloseQueueLease::queue, QueueCheck::queue);
    rule(QueueCalls.EndQueueLease.class, QueueCalls.EndQueueLease::queue, QueueCheck::queue);
    shared(QueueCalls.QueueLeases.class, "the list of leases on queues");
    rule(
        NotedCalls.Serve.class,
        (call, check) -> {
          call.queues().forEach(check::queue);
          call.tenantsOf().forEach(check::allTenants);
        });
  }

  private static void ofReads() {
    rule(ReadCalls.Now.class, (call, check) -> {}); // It names nothing.
    rule(ReadCalls.Stats.class, ReadCalls.Stats::queue, QueueCheck::queue);
    rule(
        ReadCalls.Settings.class,
        (call, check) -> {
          call.queue().ifPresent(check::queue);
          call.queueName().ifPresent(check::allTenants);
        });
    rule(ReadCalls.Peek.class, ReadCalls.Peek::queue, QueueCheck::queue);
    rule(ReadCalls.Get.class, ReadCalls.Get::jobId, QueueCheck::job);
    rule(ReadCalls.Explain.class, ReadCalls.Explain::jobId, QueueCheck::job);
    rule(ReadCalls.DeadLetters.class, ReadCalls.DeadLetters::queue, QueueCheck::queue);
    rule(ReadCalls.Jobs.class, ReadCalls.Jobs::filter, QueueCheck::jobs);
    rule(ReadCalls.NextVisible.class, ReadCalls.NextVisible::queue, QueueCheck::queue);
    shared(ReadCalls.Queues.class, "the list of queues");
    shared(ReadCalls.AllStats.class, "the list of queues");
    shared(ReadCalls.ActiveQueues.class, "the list of queues");
    shared(ReadCalls.Verify.class, "the store");
    shared(ReadCalls.Metrics.class, "the engine");
    shared(ReadCalls.Clients.class, "the list of clients");
  }

  private static void ofListeners() {
    rule(
        ListenCalls.Listen.class,
        (call, check) ->
            call.queue()
                .ifPresentOrElse(check::queue, () -> check.shared("what happens to all jobs")));
    rule(ListenCalls.NextEvents.class, ListenCalls.NextEvents::id, QueueCheck::listening);
    rule(ListenCalls.EndListen.class, ListenCalls.EndListen::id, QueueCheck::listening);
  }

  private static void ofTransactions() {
    rule(
        TransactionCalls.ReserveJobs.class, TransactionCalls.ReserveJobs::queue, QueueCheck::queue);
    rule(
        TransactionCalls.Transact.class,
        (call, check) -> {
          if (!call.reads().isEmpty()) {
            check.shared("a table");
          }
          call.steps().forEach(step -> StepRules.check(step, check));
        });
    shared(TransactionCalls.ReserveBatches.class, "a batch");
  }

  private static void ofWhatIsShared() {
    rule(BatchCalls.StartBatch.class, (call, check) -> check.newBatch(call.batch(), call.isOpen()));
    shared(BatchCalls.SealBatch.class, "a batch");
    shared(BatchCalls.CancelBatch.class, "a batch");
    shared(BatchCalls.AwaitBatch.class, "a batch");
    shared(BatchCalls.GetBatch.class, "a batch");
    shared(BatchCalls.Batches.class, "a batch");
    shared(BatchCalls.BatchResults.class, "a batch");
    shared(NotedCalls.TellTrouble.class, "the engine's health");
    shared(NotedCalls.EndTrouble.class, "the engine's health");
    shared(TableCalls.PutRows.class, "a table");
    shared(TableCalls.DeleteRows.class, "a table");
    shared(TableCalls.PutRowIfAbsent.class, "a table");
    shared(TableCalls.ReplaceRow.class, "a table");
    shared(TableCalls.DeleteRowIf.class, "a table");
    shared(TableCalls.DropTable.class, "a table");
    shared(TableCalls.GetRows.class, "a table");
    shared(TableCalls.ScanRows.class, "a table");
    shared(TableCalls.CountRows.class, "a table");
    shared(TableCalls.Tables.class, "a table");
  }
}
