package io.millrace.server;

import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Submitted;
import io.millrace.protocol.JobCalls;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The ends of jobs that callers submitted and wait for, or are about to: a job may end before its
 * caller's wait comes, or while his connection is broken. Any thread.
 */
final class HeldEnds {

  /** The time for which the end of a job is held that nobody waits for. */
  static final long HELD_NS = TimeUnit.MINUTES.toNanos(1);

  private static final long WALK_NS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nowNs;
  private final AtomicLong walkedNs;
  private final Map<JobId, Held> byJob = new ConcurrentHashMap<>();

  /** The end of a job, and who waits for it. */
  private static final class Held {
    private final CompletableFuture<JobEnd<byte[]>> end;
    private int waitCount;
    private long unwaitedSinceNs;
    private boolean isForgotten;

    Held(CompletableFuture<JobEnd<byte[]>> end, long nowNs) {
      this.end = end;
      this.unwaitedSinceNs = nowNs;
    }

    /** Begins a wait, unless the end is forgotten already. */
    synchronized boolean begin() {
      if (!isForgotten) {
        waitCount++;
      }
      return !isForgotten;
    }

    synchronized void end(long nowNs) {
      waitCount--;
      unwaitedSinceNs = nowNs;
    }

    /** Forgets the end and ends its wait, if nobody has waited for it since long. */
    synchronized boolean forget(long nowNs) {
      isForgotten = waitCount == 0 && nowNs - unwaitedSinceNs > HELD_NS;
      if (isForgotten) {
        end.cancel(false);
      }
      return isForgotten;
    }
  }

  HeldEnds(LongSupplier nowNs) {
    this.nowNs = nowNs;
    this.walkedNs = new AtomicLong(nowNs.getAsLong());
  }

  /** Returns the handlers of submits, and of waits for ends. */
  List<Handler<?, ?>> handlers() {
    return List.of(
        Handler.later(JobCalls.Submit.class, Role.ENQUEUE, this::submit),
        Handler.waiting(
            JobCalls.Await.class, Role.ENQUEUE, this::await, JobCalls.Await.Answer::new));
  }

  CompletableFuture<JobCalls.Submit.Answer> submit(JobQueues queues, JobCalls.Submit call) {
    long now = nowNs.getAsLong();
    forgetUnwaited(now);
    return Handlers.queue(queues, call.queue(), call.durability())
        .submitAsync(call.job().payload(), call.job().options())
        .handle(
            (submitted, thrown) -> {
              if (thrown == null) {
                return new JobCalls.Submit.Answer(Optional.of(hold(submitted)), Optional.empty());
              }
              return new JobCalls.Submit.Answer(Optional.empty(), Optional.of(refusal(thrown)));
            });
  }

  /** Walks over all ends, once a second at most. */
  private void forgetUnwaited(long now) {
    long last = walkedNs.get();
    if (now - last >= WALK_NS && walkedNs.compareAndSet(last, now)) {
      byJob.values().removeIf(held -> held.forget(now));
    }
  }

  private static EnqueueResult refusal(Throwable thrown) {
    if (thrown instanceof EnqueueRefusedException refused) {
      return refused.results().get(0);
    }
    throw new CompletionException(thrown);
  }

  private JobId hold(Submitted<byte[]> submitted) {
    byJob.merge(
        submitted.jobId(),
        new Held(submitted.end(), nowNs.getAsLong()),
        (before, held) -> {
          if (before.end.isDone()) {
            return held;
          }
          held.end.cancel(false); // The duplicate of a job that is waited for already.
          return before;
        });
    return submitted.jobId();
  }

  CompletableFuture<JobEnd<byte[]>> await(JobQueues queues, JobCalls.Await call) {
    Held held = call.isSubmitted() ? byJob.get(call.jobId()) : null;
    if (held == null || !held.begin()) {
      return queues.await(call.jobId());
    }
    CompletableFuture<JobEnd<byte[]>> end = held.end.copy();
    end.whenComplete((told, thrown) -> held.end(nowNs.getAsLong()));
    return end;
  }

  /** Returns how many ends are held, for tests. */
  int count() {
    return byJob.size();
  }

  /** Ends all waits. */
  void close() {
    byJob.values().forEach(held -> held.end.cancel(false));
    byJob.clear();
  }
}
