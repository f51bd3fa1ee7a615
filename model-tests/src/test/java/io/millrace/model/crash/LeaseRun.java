package io.millrace.model.crash;

import io.millrace.MillraceException;
import io.millrace.api.BatchId;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.QueueName;
import io.millrace.api.Transaction;
import io.millrace.api.Wake;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobSteps;
import io.millrace.worker.Next;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a handler for a lease, on this thread and without a worker: so that a seed decides what
 * happens when. What the store fails of goes to the caller, and leaves the lease as it is.
 */
final class LeaseRun implements JobContext {

  private final JobQueues queues;
  private final Lease lease;

  LeaseRun(JobQueues queues, Lease lease) {
    this.queues = queues;
    this.lease = lease;
  }

  <T> void run(JobType<T> type, JobSteps<T> handler) {
    try {
      end(handler.handle(type.codec().decode(lease.payload()), this));
    } catch (LeaseLostException e) {
      // The job is another's by now: nothing that was done since has an effect.
    } catch (MillraceException e) {
      throw e;
    } catch (Exception e) {
      lease.fail(e.toString()).isDone();
    }
  }

  private void end(Next next) {
    if (next instanceof Next.Done done) {
      done.result().map(lease::complete).orElseGet(lease::complete).isDone();
    } else if (next instanceof Next.SnoozeUntil snooze) {
      lease.snooze(snooze.until()).isDone();
    } else if (next instanceof Next.WaitFor wait) {
      wait.most()
          .map(most -> lease.waitFor(wait.signal(), most))
          .orElseGet(() -> lease.waitFor(wait.signal()))
          .isDone();
    } else if (next instanceof Next.WaitForBatch wait) {
      lease.waitFor(wait.batch()).isDone();
    } else {
      throw new AssertionError("no workflow of the test ends so: " + next);
    }
  }

  @Override
  public JobId jobId() {
    return lease.jobId();
  }

  @Override
  public QueueName queue() {
    return lease.queue();
  }

  @Override
  public String type() {
    return lease.type();
  }

  @Override
  public Map<String, String> headers() {
    return lease.headers();
  }

  @Override
  public String worker() {
    return lease.worker();
  }

  @Override
  public int attempt() {
    return lease.attempt();
  }

  @Override
  public int maxAttempts() {
    return lease.maxAttempts();
  }

  @Override
  public long token() {
    return lease.token();
  }

  @Override
  public Optional<String> lastError() {
    return lease.lastError();
  }

  @Override
  public Instant enqueuedAt() {
    return lease.enqueuedAt();
  }

  @Override
  public Optional<BatchId> batch() {
    return lease.batch();
  }

  @Override
  public Wake wake() {
    return lease.wake();
  }

  @Override
  public Optional<byte[]> signalled(String signal) {
    return lease.signalled(signal);
  }

  @Override
  public boolean hasTimedOut(String signal) {
    return lease.hasTimedOut(signal);
  }

  @Override
  public JobQueues queues() {
    return queues;
  }

  @Override
  public Instant now() {
    return queues.now();
  }

  @Override
  public boolean isToStop() {
    return false;
  }

  @Override
  public void checkAlive() {
    // Nobody stops it but who kills it.
  }

  @Override
  public void extend(Duration duration) {
    lease.extend(duration).orThrow();
  }

  @Override
  public Optional<byte[]> checkpointed() {
    return lease.checkpointed();
  }

  @Override
  public void checkpoint(byte[] state) {
    lease.checkpoint(state).orThrow();
  }

  @Override
  public <R extends @Nullable Object> R checkpointWith(
      Function<Transaction, R> effects, Function<? super R, byte[]> state) {
    return queues
        .<R>transact(
            tx -> {
              R answer = effects.apply(tx);
              tx.checkpoint(lease, state.apply(answer));
              return answer;
            })
        .orThrow();
  }

  @Override
  public void progress(double part, String text) {
    // Nobody looks.
  }
}
