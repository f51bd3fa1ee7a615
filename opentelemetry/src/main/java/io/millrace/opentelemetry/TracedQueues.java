package io.millrace.opentelemetry;

import io.millrace.MillraceException;
import io.millrace.api.CheckReturnValue;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.Result;
import io.millrace.api.ResultJobType;
import io.millrace.api.Submitted;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The calls that enqueue jobs, claim them and end their leases, each with a span: a child of the
 * span that is current where they are called. Any thread may use it, for as long as the queues.
 *
 * <p>They do what the calls of the same names of {@link JobQueues} do, and throw what these throw,
 * with the same left behind. The span of an enqueue is what those who run its jobs have a link to.
 * A job that carries a context already ({@link MillraceTelemetry#inject}) keeps it.
 */
public final class TracedQueues {

  private final Signals signals;
  private final JobQueues queues;

  TracedQueues(Signals signals, JobQueues queues) {
    this.signals = signals;
    this.queues = Objects.requireNonNull(queues, "queues");
  }

  /**
   * Enqueues a job; see {@link JobQueues#enqueue(JobType, Object)}.
   *
   * @throws EnqueueRefusedException the queue did not take the job; nothing was changed
   * @throws IllegalArgumentException as {@link JobQueues#enqueue(JobType, Object)}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  public <T> Enqueued enqueue(JobType<T> type, T payload) {
    return offer(type.queueName(), type.newJob(payload)).orThrow();
  }

  /**
   * Enqueues a job with options of its own; see {@link JobQueues#enqueue(JobType, Object,
   * UnaryOperator)}.
   *
   * @throws EnqueueRefusedException the queue did not take the job; nothing was changed
   * @throws IllegalArgumentException as {@link JobQueues#enqueue(JobType, Object, UnaryOperator)}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  public <T> Enqueued enqueue(JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    return offer(type, payload, options).orThrow();
  }

  /**
   * Offers a job; see {@link JobQueues#offer}.
   *
   * @throws IllegalArgumentException as {@link JobQueues#offer}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  public <T> EnqueueResult offer(
      JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    return offer(type.queueName(), type.newJob(payload, options));
  }

  /**
   * Offers a job of bytes; see {@link JobQueue#offer}.
   *
   * @throws IllegalArgumentException as {@link JobQueue#offer}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  public EnqueueResult offer(QueueName queue, NewJob job) {
    CallSpan call = begin(queue, job);
    EnqueueResult result =
        tried(
            call, 1, () -> queues.queue(queue).offer(job.payload(), carrying(call, job.options())));
    call.offered(result);
    return result;
  }

  /**
   * Enqueues a job and returns a future; see {@link JobQueues#enqueueAsync(JobType, Object)}. The
   * span ends when the future is completed.
   *
   * @throws IllegalArgumentException as {@link #enqueue(JobType, Object)}, at once; for errors of
   *     the future see {@link JobQueue}
   */
  @CheckReturnValue
  public <T> CompletableFuture<Enqueued> enqueueAsync(JobType<T> type, T payload) {
    return enqueueAsync(type, payload, UnaryOperator.identity());
  }

  /**
   * Enqueues a job with options of its own and returns a future; see {@link #enqueueAsync(JobType,
   * Object)}.
   *
   * @throws IllegalArgumentException as {@link #enqueue(JobType, Object, UnaryOperator)}, at once;
   *     for errors of the future see {@link JobQueue}
   */
  @CheckReturnValue
  public <T> CompletableFuture<Enqueued> enqueueAsync(
      JobType<T> type, T payload, UnaryOperator<EnqueueOptions> options) {
    return offerAsync(type.queueName(), type.newJob(payload, options))
        .thenApply(EnqueueResult::orThrow);
  }

  /**
   * Offers a job of bytes and returns a future; see {@link JobQueue#offerAsync}.
   *
   * @throws IllegalArgumentException as {@link JobQueue#offerAsync}, at once; for errors of the
   *     future see {@link JobQueue}
   */
  @CheckReturnValue
  public CompletableFuture<EnqueueResult> offerAsync(QueueName queue, NewJob job) {
    CallSpan call = begin(queue, job);
    CompletableFuture<EnqueueResult> asked =
        tried(
            call,
            1,
            () -> queues.queue(queue).offerAsync(job.payload(), carrying(call, job.options())));
    return asked.whenComplete(
        (result, thrown) -> {
          if (thrown == null) {
            call.offered(result);
          } else {
            call.failed(thrown, 1);
          }
        });
  }

  /**
   * Enqueues jobs in one commit, with one span for all; see {@link JobQueues#enqueueAll(JobType,
   * Collection)}.
   *
   * @throws EnqueueRefusedException some jobs are not in the queue, as it says
   * @throws IllegalArgumentException as {@link JobQueues#enqueueAll(JobType, Collection)}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  public <T> List<Enqueued> enqueueAll(JobType<T> type, Collection<? extends T> payloads) {
    return enqueueAll(type, payloads, (payload, options) -> options);
  }

  /**
   * Enqueues jobs with options of their own in one commit, with one span for all; see {@link
   * JobQueues#enqueueAll(JobType, Collection, BiFunction)}.
   *
   * @throws EnqueueRefusedException some jobs are not in the queue, as it says
   * @throws IllegalArgumentException as {@link JobQueues#enqueueAll(JobType, Collection,
   *     BiFunction)}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  public <T> List<Enqueued> enqueueAll(
      JobType<T> type,
      Collection<? extends T> payloads,
      BiFunction<? super T, EnqueueOptions, EnqueueOptions> options) {
    List<NewJob> jobs = new ArrayList<>(payloads.size());
    for (T payload : payloads) {
      jobs.add(type.newJob(payload, given -> options.apply(payload, given)));
    }
    return EnqueueResult.allOrThrow(offerAll(type.queueName(), jobs));
  }

  /**
   * Offers jobs of bytes in one commit, with one span for all; see {@link JobQueue#offerAll}.
   *
   * @throws IllegalArgumentException as {@link JobQueue#offerAll}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  public List<EnqueueResult> offerAll(QueueName queue, List<NewJob> jobs) {
    SpanBuilder span =
        signals
            .span(Operation.ENQUEUE, queue)
            .setAttribute(signals.names.jobCount, (long) jobs.size());
    jobs.forEach(job -> link(span, job.options().headers()));
    CallSpan call = new CallSpan(signals, Operation.ENQUEUE, queue, span);
    List<EnqueueResult> results =
        tried(call, jobs.size(), () -> queues.queue(queue).offerAll(carrying(call, jobs)));
    call.offered(results);
    return results;
  }

  /**
   * Submits a job; see {@link JobQueues#submit(ResultJobType, Object)}. The span ends when the job
   * is in the queue.
   *
   * @throws EnqueueRefusedException the queue did not take the job; nothing was changed
   * @throws IllegalArgumentException as {@link JobQueues#submit(ResultJobType, Object)}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  public <T, R> Submitted<R> submit(ResultJobType<T, R> type, T payload) {
    return submit(type, payload, UnaryOperator.identity());
  }

  /**
   * Submits a job with options of its own; see {@link #submit(ResultJobType, Object)}.
   *
   * @throws EnqueueRefusedException the queue did not take the job; nothing was changed
   * @throws IllegalArgumentException as {@link JobQueues#submit(ResultJobType, Object,
   *     UnaryOperator)}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  public <T, R> Submitted<R> submit(
      ResultJobType<T, R> type, T payload, UnaryOperator<EnqueueOptions> options) {
    SpanBuilder span =
        signals.span(Operation.ENQUEUE, type.queueName()).setAttribute(Names.TYPE, type.name());
    CallSpan call = new CallSpan(signals, Operation.ENQUEUE, type.queueName(), span);
    Submitted<R> submitted;
    try {
      submitted = queues.submit(type, payload, given -> carrying(call, options.apply(given)));
    } catch (EnqueueRefusedException e) {
      call.offered(e.results());
      throw e;
    } catch (RuntimeException | Error e) {
      call.failed(e, 1);
      throw e;
    }
    call.submitted(submitted.jobId());
    return submitted;
  }

  /**
   * Claims jobs of a queue; see {@link JobQueue#claim(ClaimOptions)}. The span has a link to where
   * each job was enqueued. It is there also if no job was, and then tells how long the claim
   * waited.
   *
   * @throws IllegalArgumentException as {@link JobQueue#claim(ClaimOptions)}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  public List<Lease> claim(QueueName queue, ClaimOptions claim) {
    return claim(queue, claim, () -> queues.queue(queue).claim(claim));
  }

  /**
   * Claims jobs of several queues, with one span that names none of them; see {@link
   * JobQueues#claim} and {@link #claim(QueueName, ClaimOptions)}.
   *
   * @throws IllegalArgumentException as {@link JobQueues#claim}
   * @throws MillraceException as every operation; see {@link JobQueue}
   */
  @CheckReturnValue
  public List<Lease> claim(List<QueueName> of, ClaimOptions claim) {
    return claim(null, claim, () -> queues.claim(of, claim));
  }

  private List<Lease> claim(
      @Nullable QueueName queue, ClaimOptions claim, Supplier<List<Lease>> work) {
    SpanBuilder span =
        signals.span(Operation.CLAIM, queue).setAttribute(signals.names.worker, claim.worker());
    CallSpan call = new CallSpan(signals, Operation.CLAIM, queue, span);
    List<Lease> leases = tried(call, 0, work);
    call.claimed(leases);
    return leases;
  }

  /**
   * Ends a lease that was claimed by hand, by the call that the function makes, as in {@code
   * settle(lease, Lease::complete)} or {@code settle(lease, it -> it.fail("no answer"))}. The span
   * has a link to where the job was enqueued, and tells what came of the call: a result that is not
   * done is an error.
   *
   * @param end called once
   * @throws MillraceException as the function throws it; see {@link Lease}
   */
  @CheckReturnValue
  public <R extends Result<?>> R settle(Lease lease, Function<? super Lease, R> end) {
    Objects.requireNonNull(end, "end");
    @Nullable QueueName queue = null;
    SpanBuilder span;
    try {
      queue = lease.queue();
      span = signals.span(Operation.SETTLE, queue);
      link(span, lease.headers());
    } catch (LeaseLostException e) { // it was named by its token: the call will tell
      span = signals.span(Operation.SETTLE, queue);
    }
    span.setAttribute(signals.names.jobId, lease.jobId().toString());
    CallSpan call = new CallSpan(signals, Operation.SETTLE, queue, span);
    R result = tried(call, 0, () -> end.apply(lease));
    call.settled(result);
    return result;
  }

  private CallSpan begin(QueueName queue, NewJob job) {
    EnqueueOptions options = job.options();
    SpanBuilder span =
        signals
            .span(Operation.ENQUEUE, queue)
            .setAttribute(signals.names.payloadBytes, (long) job.payload().length)
            .setAttribute(Names.PRIORITY, (long) options.priority())
            .setAttribute(Names.TYPE, options.type().orElse(queue.name()));
    link(span, options.headers());
    return new CallSpan(signals, Operation.ENQUEUE, queue, span);
  }

  /** Links the span to the context that a job carries already. */
  private void link(SpanBuilder span, Map<String, String> headers) {
    SpanContext carried = signals.headers.span(headers);
    if (carried.isValid()) {
      span.addLink(carried);
    }
  }

  private EnqueueOptions carrying(CallSpan call, EnqueueOptions options) {
    return signals.headers.with(call.context(), options);
  }

  /** Returns the jobs with the context; without it if they would be too long for one call. */
  private List<NewJob> carrying(CallSpan call, List<NewJob> jobs) {
    List<NewJob> carrying = new ArrayList<>(jobs.size());
    long bytes = 0;
    for (NewJob job : jobs) {
      NewJob one = new NewJob(job.payload(), carrying(call, job.options()));
      carrying.add(one);
      bytes += one.contentBytes();
    }
    return bytes > Limits.CALL_BYTES_MAX ? jobs : carrying;
  }

  private static <R> R tried(CallSpan call, int jobCount, Supplier<R> work) {
    try {
      return work.get();
    } catch (RuntimeException | Error e) {
      call.failed(e, jobCount);
      throw e;
    }
  }
}
