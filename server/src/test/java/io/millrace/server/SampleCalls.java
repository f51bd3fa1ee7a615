package io.millrace.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEvent;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.UpdateOptions;
import io.millrace.protocol.BatchCalls;
import io.millrace.protocol.Call;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import io.millrace.protocol.ListenCalls;
import io.millrace.protocol.NotedCalls;
import io.millrace.protocol.QueueCalls;
import io.millrace.protocol.ReadCalls;
import io.millrace.protocol.TableCalls;
import io.millrace.protocol.TransactionCalls;
import io.millrace.protocol.TransactionCalls.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A call of each operation that names a queue, its job and a listener; an operation that names a
 * thing in two ways has two.
 */
record SampleCalls(QueueName queue, JobId job, String listener) {

  /** The payload of jobs and signals, and what is kept of them. */
  static final String PAYLOAD = "marked-payload-7b1f";

  private static final byte[] BYTES = PAYLOAD.getBytes(UTF_8);
  private static final PageRequest PAGE = PageRequest.first(10);
  private static final Duration SHORT = Duration.ofMillis(10);
  private static final BatchId BATCH = new BatchId(1);

  /** Returns the calls that are allowed to whoever may reach the queue. */
  List<Call<?>> ofQueue() {
    List<Call<?>> calls = new ArrayList<>();
    calls.addAll(ofJobs());
    calls.addAll(ofLeases());
    calls.addAll(ofQueues());
    calls.addAll(ofReads());
    calls.addAll(ofTransactions());
    return calls;
  }

  private LeaseRef lease() {
    return new LeaseRef(job, 1);
  }

  private static NewJob newJob() {
    return new NewJob(BYTES, EnqueueOptions.DEFAULT);
  }

  private List<Call<?>> ofJobs() {
    return List.of(
        new JobCalls.Enqueue(queue, List.of(newJob()), Optional.empty()),
        new JobCalls.Submit(queue, newJob(), Optional.empty()),
        new JobCalls.Await(job, false),
        new JobCalls.Await(job, true),
        new JobCalls.Cancel(job, true, Optional.empty()),
        new JobCalls.Reschedule(job, Instant.EPOCH, Optional.empty()),
        new JobCalls.Update(job, UpdateOptions.NOTHING.priority(3), Optional.empty()),
        new JobCalls.ReleaseJob(job, Optional.empty()),
        new JobCalls.FailStuck(job, "error", Optional.empty()),
        new JobCalls.Signal(List.of(job, job), "signal", BYTES, Optional.empty()),
        new JobCalls.Broadcast(queue, "signal", BYTES, SHORT, Optional.empty()),
        new JobCalls.Redrive(queue, job, Checkpointed.KEEP, Optional.empty()),
        new JobCalls.RedriveAll(queue, DeadFilter.ALL, Checkpointed.KEEP, Optional.empty()),
        new JobCalls.DeleteDead(queue, job, Optional.empty()),
        new JobCalls.DeleteAllDead(queue, DeadFilter.ALL, Optional.empty()));
  }

  private List<Call<?>> ofLeases() {
    LeaseCalls.Finished finished = new LeaseCalls.Finished(lease(), Optional.empty());
    List<LeaseRef> leases = List.of(lease(), lease());
    return List.of(
        new LeaseCalls.Claim(List.of(queue, queue), List.of(), ClaimOptions.by("w")),
        new LeaseCalls.LookAtLease(lease()),
        new LeaseCalls.Complete(List.of(finished, finished), Optional.empty()),
        new LeaseCalls.Fail(leases, "error", FailOptions.RETRY, Optional.empty()),
        new LeaseCalls.Release(leases, Optional.empty(), Optional.empty()),
        new LeaseCalls.Snooze(lease(), Optional.empty(), Optional.of(SHORT), Optional.empty()),
        new LeaseCalls.WaitFor(
            lease(),
            Optional.of("signal"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()),
        new LeaseCalls.Extend(leases, SHORT, Optional.empty()),
        new LeaseCalls.Checkpoint(lease(), BYTES, Optional.empty()));
  }

  private List<Call<?>> ofQueues() {
    return List.of(
        new QueueCalls.Configure(
            Optional.of(queue),
            Optional.empty(),
            QueueSettings.DEFAULT,
            QueueSettings.DEFAULT,
            Optional.empty()),
        new QueueCalls.Pause(queue, Optional.empty()),
        new QueueCalls.Resume(queue, Optional.empty()),
        new QueueCalls.Purge(queue, Set.of(JobState.READY), Optional.empty()),
        new QueueCalls.Drain(queue, SHORT, Optional.empty()),
        new QueueCalls.EndDrain(queue, Optional.empty()),
        new QueueCalls.DeleteQueue(queue, Optional.empty()),
        new QueueCalls.LeaseQueue(queue, "w", Duration.ofSeconds(1)),
        new QueueCalls.ClaimLeased(queue, 1, ClaimOptions.by("w")),
        new QueueCalls.ExtendQueueLease(queue, 1, SHORT),
        new QueueCalls.CloseQueueLease(queue, 1),
        new QueueCalls.EndQueueLease(queue),
        new NotedCalls.Serve(List.of(queue), List.of(), SHORT));
  }

  private List<Call<?>> ofReads() {
    return List.of(
        new ReadCalls.Now(),
        new ReadCalls.Stats(queue),
        new ReadCalls.Settings(Optional.of(queue), Optional.empty()),
        new ReadCalls.Peek(queue, JobState.READY, PAGE),
        new ReadCalls.Get(job),
        new ReadCalls.Explain(job),
        new ReadCalls.DeadLetters(queue, DeadFilter.ALL, PAGE),
        new ReadCalls.Jobs(JobFilter.ALL.queueName(queue.name()).tenant(queue.tenant()), PAGE),
        new ReadCalls.NextVisible(queue),
        new ListenCalls.Listen(Optional.of(queue), Set.of(JobEvent.Kind.ENQUEUED)),
        new ListenCalls.NextEvents(listener, 0, OptionalInt.of(0), Duration.ZERO),
        new ListenCalls.EndListen(listener));
  }

  private List<Call<?>> ofTransactions() {
    List<Step> steps =
        List.of(
            new Step.Enqueue(queue, newJob(), Optional.of(job), Optional.of(job)),
            new Step.Complete(lease(), Optional.empty()),
            new Step.Fail(lease(), "error", FailOptions.RETRY),
            new Step.Release(lease()),
            new Step.Snooze(lease(), Optional.empty(), Optional.of(SHORT)),
            new Step.WaitFor(
                lease(),
                Optional.of("signal"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()),
            new Step.Extend(lease(), SHORT),
            new Step.Checkpoint(lease(), BYTES),
            new Step.Cancel(job, true),
            new Step.ReleaseJob(job),
            new Step.Reschedule(job, Instant.EPOCH),
            new Step.Update(job, UpdateOptions.NOTHING.priority(3)),
            new Step.Signal(job, "signal", BYTES),
            new Step.Redrive(job, Checkpointed.KEEP),
            new Step.Begin(Batch.of("b").add(queue, newJob()), false, Optional.<BatchId>empty()));
    return List.of(
        new TransactionCalls.ReserveJobs(queue, 0, 1),
        new TransactionCalls.Transact(List.of(), steps, Optional.empty()),
        new BatchCalls.StartBatch(Batch.of("b").add(queue, newJob()), false, Optional.empty()));
  }

  /** Returns the calls that are refused to whoever may not reach all queues. */
  static List<Call<?>> ofWhatIsShared() {
    List<Call<?>> calls = new ArrayList<>(ofTables());
    calls.addAll(
        List.of(
            new ReadCalls.Queues(PAGE),
            new ReadCalls.AllStats(PAGE),
            new ReadCalls.ActiveQueues(Instant.EPOCH, PAGE),
            new ReadCalls.Jobs(JobFilter.ALL, PAGE),
            new ReadCalls.Jobs(JobFilter.ALL.tenant(""), PAGE),
            new ReadCalls.Verify(),
            new ReadCalls.Metrics(),
            new ReadCalls.Clients(),
            new ListenCalls.Listen(Optional.empty(), Set.of(JobEvent.Kind.ENQUEUED)),
            new QueueCalls.QueueLeases(),
            new NotedCalls.TellTrouble("topic", "sentence", SHORT),
            new NotedCalls.EndTrouble("topic"),
            new TransactionCalls.ReserveBatches(1),
            new BatchCalls.StartBatch(Batch.of("b"), true, Optional.empty()),
            new BatchCalls.StartBatch(Batch.of("b").within(BATCH), false, Optional.empty()),
            new BatchCalls.SealBatch(BATCH, Optional.empty()),
            new BatchCalls.CancelBatch(BATCH, Optional.empty()),
            new BatchCalls.AwaitBatch(BATCH),
            new BatchCalls.GetBatch(BATCH),
            new BatchCalls.Batches(PAGE),
            new BatchCalls.BatchResults(BATCH, PAGE)));
    for (Step step :
        List.of(
            new Step.Put("t", BYTES, BYTES),
            new Step.Delete("t", BYTES),
            new Step.Add("t", BYTES, 1),
            new Step.Max("t", BYTES, 1),
            new Step.Append("t", BYTES, BYTES),
            new Step.Begin(Batch.of("b"), true, Optional.empty()),
            new Step.Seal(BATCH))) {
      calls.add(new TransactionCalls.Transact(List.of(), List.of(step), Optional.empty()));
    }
    return calls;
  }

  private static List<Call<?>> ofTables() {
    TransactionCalls.SeenRow row = new TransactionCalls.SeenRow("t", BYTES, Optional.empty());
    return List.of(
        new TransactionCalls.Transact(List.of(row), List.of(), Optional.empty()),
        new TableCalls.PutRows("t", List.of(new TableRow<>(BYTES, BYTES)), Optional.empty()),
        new TableCalls.DeleteRows("t", List.of(BYTES), Optional.empty()),
        new TableCalls.PutRowIfAbsent("t", BYTES, BYTES, Optional.empty()),
        new TableCalls.ReplaceRow("t", BYTES, BYTES, BYTES, Optional.empty()),
        new TableCalls.DeleteRowIf("t", BYTES, BYTES, Optional.empty()),
        new TableCalls.DropTable("t", Optional.empty()),
        new TableCalls.GetRows("t", List.of(BYTES)),
        new TableCalls.ScanRows("t", TableRange.all(), PAGE),
        new TableCalls.CountRows("t", TableRange.all()),
        new TableCalls.Tables(PAGE));
  }
}
