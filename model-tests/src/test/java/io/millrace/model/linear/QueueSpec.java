package io.millrace.model.linear;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the calls do one after the other.
 *
 * <p>Where the recorder cannot know at which moment a lease ended or a request was judged there is
 * more than one outcome; none of them is impossible.
 */
final class QueueSpec {

  /** How long claims lease. */
  static final long LEASE_MS = 30_000;

  static final String FULL = "queue full";

  /** Followed by the number of the job that holds the key. */
  static final String DUPLICATE_OF = "duplicate of ";

  private QueueSpec() {}

  /** The states in which this call may end here with the answer that it got. */
  static List<SpecState> after(SpecState state, Event event) {
    if (event.call() instanceof Call.Claim claim) {
      return event
          .answer()
          .map(answer -> claimed(state, claim, (List<?>) answer, event.span()))
          .orElse(List.of());
    }
    return outcomes(state, event).stream()
        .filter(outcome -> event.answer().map(outcome.answer()::equals).orElse(true))
        .map(Outcome::state)
        .toList();
  }

  /** As {@link #after}: a look may see any number of the newest leases as not yet granted. */
  static List<SpecState> afterLookThatMayMissGrants(SpecState state, Event look) {
    for (Optional<SpecState> seen = Optional.of(state);
        seen.isPresent();
        seen = seen.get().withoutNewestLease()) {
      if (!after(seen.get(), look).isEmpty()) {
        return List.of(state);
      }
    }
    return List.of();
  }

  /** What the engine may do by itself now: each is a state of its own. */
  static List<SpecState> byItself(SpecState state) {
    List<SpecState> after = new ArrayList<>();
    for (SpecJob job : state.jobs().values()) {
      if (job.due().earliestMs() <= state.nowMs()) {
        after.add(
            job.state() == JobState.DELAYED
                ? state.with(job.ready(state.back()))
                : expired(state, job));
      }
    }
    return after;
  }

  /** Whether claims that still wait do so for good reason. */
  static boolean isNobodyForgotten(SpecState state, List<Event> unanswered) {
    return unanswered.stream()
        .noneMatch(
            event ->
                event.call() instanceof Call.Claim claim
                    && claim.patience() == Call.Patience.WAITS
                    && !state.eligible(claim.queues()).isEmpty());
  }

  private static SpecState expired(SpecState state, SpecJob job) {
    SpecState counted = state.counting(job.queue(), Total.EXPIRED);
    if (job.lease().cancel() == Seen.Cancel.ASKED) {
      return counted.without(job).counting(job.queue(), Total.CANCELLED);
    }
    return job.attempts() >= SpecJob.ATTEMPTS_MAX
        ? counted.with(job.dead()).counting(job.queue(), Total.DIED)
        : counted.with(job.ready(state.back()));
  }

  private static List<Outcome> outcomes(SpecState state, Event event) {
    Call call = event.call();
    if (call instanceof Call.Enqueue enqueue) {
      return List.of(enqueued(state, enqueue, event.span()));
    }
    if (call instanceof Call.Hold hold) {
      return HolderSpec.outcomes(state, hold, event.span());
    }
    if (call instanceof Call.Operate operate) {
      return OperatorSpec.outcomes(state, operate, event.span());
    }
    if (call instanceof Call.Serve serve) {
      SpecState.SpecQueue before = state.queues().get(serve.queue());
      SpecState.SpecQueue after =
          new SpecState.SpecQueue(
              SpecState.Being.PRESENT, serve.serving(), before.depthMax(), before.totals());
      return List.of(new Outcome(state.with(serve.queue(), after), Seen.DONE));
    }
    if (call instanceof Call.Tick tick) {
      return List.of(new Outcome(state.at(tick.untilMs()), Seen.DONE));
    }
    if (call instanceof Call.Settled settled) {
      boolean isSettled =
          state.nowMs() >= settled.atMs()
              && state.jobs().values().stream()
                  .noneMatch(job -> job.due().latestMs() <= settled.atMs());
      return isSettled ? List.of(new Outcome(state, Seen.DONE)) : List.of();
    }
    return List.of(new Outcome(state, looked(state, call)));
  }

  private static Outcome enqueued(SpecState state, Call.Enqueue enqueue, Event.Span span) {
    SpecState next = state;
    List<String> answers = new ArrayList<>();
    for (Call.NewJob job : enqueue.jobs()) {
      SpecState before = next;
      Optional<SpecJob> holder = holder(before, enqueue.queue(), job.uniqueKey());
      long depth = before.jobsOf(enqueue.queue()).filter(SpecJob::isWaiting).count();
      if (holder.isPresent()) {
        answers.add(DUPLICATE_OF + holder.get().number());
      } else if (depth >= before.queues().get(enqueue.queue()).depthMax()) {
        answers.add(FULL);
      } else {
        answers.add("enqueued");
        next = before.with(born(before, enqueue, job, span));
        next = next.counting(enqueue.queue(), Total.ENQUEUED);
      }
    }
    return new Outcome(next, answers);
  }

  /** The job of the queue that holds the key. */
  static Optional<SpecJob> holder(SpecState state, int queue, String uniqueKey) {
    return state
        .jobsOf(queue)
        .filter(job -> !uniqueKey.isEmpty() && job.state() != JobState.DEAD)
        .filter(job -> job.id().uniqueKey().equals(uniqueKey))
        .findFirst();
  }

  private static SpecJob born(
      SpecState state, Call.Enqueue enqueue, Call.NewJob job, Event.Span span) {
    SpecJob.Id id = new SpecJob.Id(job.number(), enqueue.queue(), job.uniqueKey());
    SpecJob born =
        new SpecJob(
            id,
            JobState.READY,
            job.priority(),
            state.back(),
            0,
            0,
            SpecJob.NO_LEASE,
            SpecJob.NEVER);
    return job.delayMs() == 0 ? born : born.delayed(asked(state, span).plus(job.delayMs()));
  }

  /** When a request was made: after the call began, and not after what is happening now. */
  static SpecJob.Window asked(SpecState state, Event.Span span) {
    return new SpecJob.Window(span.beginMs(), Math.min(state.nowMs(), span.endMs()));
  }

  private static List<SpecState> claimed(
      SpecState state, Call.Claim claim, List<?> answer, Event.Span span) {
    List<SpecJob> eligible = state.eligible(claim.queues());
    int count = Math.min(claim.max(), eligible.size());
    if (answer.size() != count || count == 0 && claim.patience() == Call.Patience.WAITS) {
      return List.of();
    }
    SpecState next = state;
    // A lease's time begins with its answer.
    SpecJob.Window end =
        new SpecJob.Window(state.nowMs(), Math.max(state.nowMs(), span.endMs())).plus(LEASE_MS);
    for (int i = 0; i < count; i++) {
      Seen.Grant grant = (Seen.Grant) answer.get(i);
      SpecJob job = eligible.get(i).leased(grant.token(), end);
      Seen.Grant expected =
          new Seen.Grant(
              job.queue(),
              job.number(),
              grant.token(),
              job.attempts(),
              job.priority(),
              job.version());
      if (!grant.equals(expected) || grant.token() <= next.newestToken()) {
        return List.of();
      }
      next = next.with(job).counting(job.queue(), Total.CLAIMED).withToken(grant.token());
    }
    return List.of(next);
  }

  private static Object looked(SpecState state, Call call) {
    if (call instanceof Call.Get get) {
      return state.job(get.job()).<Object>map(QueueSpec::seen).orElse(Seen.NONE);
    }
    if (call instanceof Call.Peek peek) {
      return state.ready(List.of(peek.queue())).stream().map(SpecJob::number).toList();
    }
    Call.Stats stats = (Call.Stats) call;
    SpecState.SpecQueue queue = state.queues().get(stats.queue());
    if (queue.being() == SpecState.Being.ABSENT) {
      return Seen.NONE;
    }
    Map<JobState, Long> counts =
        state
            .jobsOf(stats.queue())
            .collect(Collectors.groupingBy(SpecJob::state, TreeMap::new, Collectors.counting()));
    return new Seen.StatsSeen(counts, queue.totals(), queue.serving());
  }

  private static Seen.JobSeen seen(SpecJob job) {
    return new Seen.JobSeen(
        job.state(),
        job.priority(),
        job.attempts(),
        job.version(),
        job.lease().token(),
        job.lease().cancel());
  }
}
