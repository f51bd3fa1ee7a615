package io.millrace.model.fault;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.Submitted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Calls by which callers wait for jobs, and jobs for callers, by a thread that somebody interrupts
 * meanwhile: no end and no signal is missed. For that thread.
 */
final class InterruptedWaits {

  /** The signal that jobs wait for. */
  static final String SIGNAL = "go";

  private static final QueueName SLEEPERS = QueueName.of("sleepers");
  private static final Duration LONG = Duration.ofSeconds(20);

  private final JobQueues queues;
  private final Ledger ledger;
  private final Disturbances calls;
  private final List<CompletableFuture<JobEnd<byte[]>>> ends = new ArrayList<>();

  InterruptedWaits(JobQueues queues, Ledger ledger, Disturbances calls) {
    this.queues = queues;
    this.ledger = ledger;
    this.calls = calls;
  }

  /** Submits a job of this name. */
  String submit(String name, EnqueueOptions options) {
    byte[] payload = Ledger.payload(name, 60);
    ledger.asked(name);
    CallOutcome<Submitted<byte[]>> told =
        calls.told("submit", () -> queues.queue(Load.QUEUE).submit(payload, options));
    ledger.told(name, told.kind());
    if (told.kind() == CallOutcome.Kind.ANSWER) {
      ends.add(told.answer().end());
    }
    return "submit";
  }

  /** Only the interrupt ends the wait for a job that is held; the future goes on. */
  String await(Lease held) {
    CompletableFuture<JobEnd<byte[]>> end = queues.await(held.jobId());
    ends.add(end);
    try {
      JobEnd<byte[]> told = end.get(LONG.toMillis(), TimeUnit.MILLISECONDS);
      ledger.wrong("the end of a job that somebody works on was told to be " + told);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      ledger.wrong("an interrupted wait for the end of a job ended with " + e);
    }
    return "await";
  }

  String signal() {
    JobId id = sleeper();
    return wake("signal", id, () -> queues.signal(id, SIGNAL).orThrow());
  }

  String broadcast() {
    JobId id = sleeper();
    return wake(
        "broadcast",
        id,
        () -> queues.signals().broadcast(SLEEPERS, SIGNAL, new byte[0], Duration.ZERO));
  }

  /** Returns a job that waits for the signal. */
  private JobId sleeper() {
    JobQueue sleepers = queues.queue(SLEEPERS);
    sleepers.enqueueAsync(new byte[1], EnqueueOptions.DEFAULT).join();
    Lease lease = sleepers.claimAsync(ClaimOptions.by("caller")).join().get(0);
    lease.waitForAsync(SIGNAL).join();
    return lease.jobId();
  }

  /** Makes a call by which the job is awake if it is answered, and sleeps on if nothing happens. */
  private String wake(String call, JobId id, Supplier<?> supplier) {
    CallOutcome.Kind told = calls.told(call, supplier).kind();
    boolean isAwake = queues.get(id).orElseThrow().state() != JobState.WAITING;
    if (told == (isAwake ? CallOutcome.Kind.NOTHING_HAPPENED : CallOutcome.Kind.ANSWER)) {
      ledger.wrong(call + " told " + told + " of a job that is awake: " + isAwake + ", " + id);
    }
    return call;
  }

  /** Lets all jobs of the queue go on that wait; nobody interrupts the thread any more. */
  void wakeAll(QueueName queue) {
    queues.signals().broadcast(queue, SIGNAL, new byte[0]);
  }

  /** Checks, once all jobs are completed, that whoever waits for the end of one is told so. */
  void checkEnds() throws InterruptedException {
    long endNs = System.nanoTime() + LONG.toNanos();
    for (CompletableFuture<JobEnd<byte[]>> end : ends) {
      try {
        JobEnd<byte[]> told = end.get(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (!(told instanceof JobEnd.Completed)) {
          ledger.wrong("the end of a completed job was told to be " + told);
        }
      } catch (ExecutionException | TimeoutException e) {
        ledger.wrong("the end of a completed job was not told: " + e);
      }
    }
  }
}
