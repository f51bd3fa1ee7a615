package io.millrace.model.linear;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.model.rig.EngineHarness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** One history while it is recorded: what its threads share. Any thread. */
final class Session {

  /** How many jobs may wait in the second queue. */
  private static final int DEPTH_MAX = 3;

  final EngineHarness harness;
  final Plan plan;
  final List<JobQueue> queues;
  final Map<Integer, Known> jobs = new ConcurrentHashMap<>();
  final List<Held> leases = new CopyOnWriteArrayList<>();
  final AtomicInteger newestJob = new AtomicInteger();
  final AtomicInteger newestVersion = new AtomicInteger();
  private final AtomicLong stamps = new AtomicLong();
  private final Queue<Event> events = new ConcurrentLinkedQueue<>();
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final long originMs;

  /** A job whose enqueue was answered. */
  record Known(int number, int queue, JobId id) {}

  /** A lease that was handed out. */
  record Held(int queue, int job, Lease lease) {}

  /** The answer that another job holds the key; whose number may not be known yet. */
  record DuplicateOf(JobId holder) {}

  /** A claim that waits. */
  private record Waiting(
      int thread, Event.Span begun, Call call, CompletableFuture<List<Lease>> future) {}

  /** Two queues of its own: one comes to be with its first job, the other takes only so many. */
  Session(EngineHarness harness, Plan plan, int number) {
    this.harness = harness;
    this.plan = plan;
    this.originMs = harness.clock().epochMs();
    this.queues =
        List.of(
            harness.engine().queue("first-" + number), harness.engine().queue("second-" + number));
    queues.get(1).configure(settings -> settings.depthMax(DEPTH_MAX));
  }

  long originMs() {
    return originMs;
  }

  /** Milliseconds since the history began. */
  long nowMs() {
    return harness.clock().epochMs() - originMs;
  }

  /** Makes a call and notes what it was answered, if it was. */
  void record(int thread, Call call, Supplier<Object> answer) {
    Event.Span begun = begin();
    try {
      Object answered = answer.get();
      if (!answered.equals(Seen.CUT_SHORT)) {
        end(thread, begun, call, answered);
      }
    } catch (OutcomeUnknownException e) {
      events.add(new Event(thread, begun, call, Optional.empty()));
    }
  }

  /** Makes a claim that waits; it is noted when it is answered. */
  void recordWaiting(int thread, Call.Claim call, ClaimOptions options) {
    Event.Span begun = begin();
    CompletableFuture<List<Lease>> future =
        harness
            .engine()
            .claimAsync(call.queues().stream().map(i -> queues.get(i).name()).toList(), options);
    waiting.add(new Waiting(thread, begun, call, future));
    future.thenAccept(granted -> end(thread, begun, call, grants(granted)));
  }

  /** What was granted, and keeps the leases. */
  List<Seen.Grant> grants(List<Lease> granted) {
    List<Seen.Grant> grants = new ArrayList<>();
    for (Lease lease : granted) {
      int queue = lease.queue().equals(queues.get(0).name()) ? 0 : 1;
      Seen.Grant grant = Texts.grant(queue, lease);
      grants.add(grant);
      leases.add(new Held(queue, grant.job(), lease));
    }
    return grants;
  }

  private Event.Span begin() {
    long nowMs = nowMs();
    return new Event.Span(stamps.incrementAndGet(), Event.NEVER, nowMs, Event.NEVER);
  }

  private void end(int thread, Event.Span begun, Call call, Object answer) {
    long end = stamps.incrementAndGet();
    Event.Span span = new Event.Span(begun.begin(), end, begun.beginMs(), nowMs());
    events.add(new Event(thread, span, call, Optional.of(answer)));
  }

  /** Time passes, and the engine does what is due. */
  void recordTick(int thread, long ms) {
    long untilMs = nowMs() + ms;
    Event.Span begun = begin();
    harness.clock().advanceMs(ms);
    harness.awaitNothingDue();
    end(thread, begun, new Call.Tick(untilMs), Seen.DONE);
    Event.Span span = new Event.Span(begun.begin(), stamps.get(), begun.beginMs(), nowMs());
    events.add(new Event(thread, span, new Call.Settled(untilMs), Optional.of(Seen.DONE)));
  }

  /** Ends the claims that still wait, after all other calls, and gives all that was noted. */
  List<Event> finish() {
    // Futures are completed in the order of their commits: what was granted is told before this.
    harness.engine().queue("last").enqueueAsync(new byte[0], EnqueueOptions.DEFAULT).join();
    for (Waiting claim : waiting) {
      if (claim.future.cancel(true)) {
        events.add(new Event(claim.thread, claim.begun, claim.call, Optional.empty()));
      }
    }
    return events.stream().map(this::resolved).toList();
  }

  /**
   * The event with numbers of jobs for their ids; of a job that nobody knows any answer will do.
   */
  private Event resolved(Event event) {
    Object answer = event.answer().orElse(Seen.DONE);
    List<?> answers = answer instanceof List<?> list ? list : List.of(answer);
    List<Object> resolved = new ArrayList<>();
    for (Object each : answers) {
      if (each instanceof DuplicateOf duplicate) {
        Optional<Integer> number = number(duplicate.holder());
        if (number.isEmpty()) {
          Event.Span begun = event.span();
          return new Event(
              event.thread(),
              new Event.Span(begun.begin(), Event.NEVER, begun.beginMs(), Event.NEVER),
              event.call(),
              Optional.empty());
        }
        resolved.add(QueueSpec.DUPLICATE_OF + number.get());
      } else {
        resolved.add(each);
      }
    }
    return event.answer().isEmpty() || resolved.equals(answers)
        ? event
        : new Event(
            event.thread(),
            event.span(),
            event.call(),
            Optional.of(answer instanceof List<?> ? resolved : resolved.get(0)));
  }

  private Optional<Integer> number(JobId id) {
    return jobs.values().stream().filter(job -> job.id().equals(id)).map(Known::number).findFirst();
  }

  void deleteQueues() {
    queues.forEach(JobQueue::delete);
  }

  SpecState initial() {
    return SpecState.of(
        List.of(SpecState.SpecQueue.UNBORN, SpecState.SpecQueue.withDepth(DEPTH_MAX)), 0);
  }
}
