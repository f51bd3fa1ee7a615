package io.millrace.internal.explain;

import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Ahead;
import io.millrace.api.Explanation.Delay;
import io.millrace.api.Explanation.Holder;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.internal.explain.EngineFacts.Claims;
import io.millrace.internal.explain.EngineFacts.Known;
import io.millrace.internal.explain.EngineFacts.Presence;
import io.millrace.internal.explain.EngineFacts.Refusal;
import io.millrace.internal.explain.EngineFacts.Tokens.Owner;
import io.millrace.internal.explain.JobFacts.EngineLimit;
import io.millrace.internal.explain.JobFacts.Held;
import io.millrace.internal.explain.JobFacts.KeyHolder;
import io.millrace.internal.explain.JobFacts.Line;
import io.millrace.internal.explain.JobFacts.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a job, put together of what the store and the engine say. They may be a commit
 * apart, and are reconciled so that no answer contradicts itself: the store says in which state the
 * job is, but for a lease in memory on the very place where the store has the job as ready.
 *
 * <p>The reasons are in the order of how long they hold, as far as that is known: first those that
 * only an act of somebody ends, then those that end at a time, the latest first, then those that
 * end by themselves.
 */
public final class Explainer {

  private final JobFacts job;
  private final EngineFacts engine;
  private final long nowMs;
  private final Predicate<QueueName> isTold;
  private final Sentences sentences;
  private final @Nullable Known known;
  private final @Nullable Held lease;
  private final List<Reason> reasons = new ArrayList<>();

  private Explainer(JobFacts job, EngineFacts engine, long nowMs, Predicate<QueueName> isTold) {
    this.job = job;
    this.engine = engine;
    this.nowMs = nowMs;
    this.isTold = isTold;
    this.sentences = new Sentences(nowMs);
    this.known = engine.known();
    this.lease = lease(job, engine.known());
  }

  /** Explains why the job is not running, as of the engine time given. */
  public static Explanation explain(JobFacts job, EngineFacts engine, long nowMs) {
    return explain(job, engine, nowMs, queue -> true);
  }

  /**
   * Explains why the job is not running, as of the engine time given, to somebody who is not told
   * of all queues.
   *
   * @param isTold tells whether holders of the job's key may be named that are of a queue
   */
  public static Explanation explain(
      JobFacts job, EngineFacts engine, long nowMs, Predicate<QueueName> isTold) {
    return new Explainer(job, engine, nowMs, isTold).explanation();
  }

  /**
   * Tells whether the engine's answer is of another commit than the store's, so that another look
   * may be worth it.
   */
  public static boolean isApart(JobFacts job, Known known) {
    return job.commit() != known.commit();
  }

  /**
   * Returns the lease on the job. The one in memory is newer, unless the job has moved on since.
   */
  private static @Nullable Held lease(JobFacts job, @Nullable Known known) {
    Held stored = job.lease();
    Held held = known == null ? null : known.lease();
    if (held == null || known == null) {
      return stored;
    }
    if (stored != null) {
      return stored.token() == held.token() ? held : stored;
    }
    Line line = job.line();
    return line != null && line.sequence() == known.leaseSequence() ? held : null;
  }

  private Explanation explanation() {
    JobState state = lease != null ? JobState.LEASED : job.state();
    // An expression, and no statement: so a state that is not explained does not compile.
    Runnable look =
        switch (state) {
          case DEAD -> this::dead;
          case DONE -> this::done;
          case LEASED -> this::running;
          case READY, DELAYED, BLOCKED -> () -> waiting(state);
          case WAITING -> this::awaiting;
        };
    look.run();
    return new Explanation(job.jobId(), job.queue(), state, reasons, earliest(state));
  }

  private void dead() {
    reasons.add(
        new Explanation.Dead(
            instant(job.sinceMs()),
            job.attempts().count(),
            Optional.ofNullable(job.attempts().error()).map(Sentences::line),
            sentences.dead(job.sinceMs(), job.attempts(), job.expireAtMs())));
  }

  private void done() {
    reasons.add(
        new Explanation.Done(
            instant(job.sinceMs()),
            job.expireAtMs() == 0 ? Optional.empty() : Optional.of(instant(job.expireAtMs())),
            sentences.done(job.sinceMs(), job.expireAtMs())));
  }

  private void running() {
    Held held = lease;
    if (held == null) {
      return;
    }
    reasons.add(
        new Explanation.Running(
            held.worker(),
            instant(held.sinceMs()),
            held.untilMs() == 0 ? Optional.empty() : Optional.of(instant(held.untilMs())),
            held.isCancelRequested(),
            sentences.running(held, job.attempts().max())));
    engine();
  }

  /** Adds the reason of a job that waits for a signal or a batch; it waits for nothing else. */
  private void awaiting() {
    JobFacts.Signal signal = job.signal();
    if (signal != null) {
      reasons.add(signal(signal));
      engine();
    }
    JobFacts.AwaitedBatch batch = job.batch();
    if (batch != null) {
      reasons.add(batch(batch));
      engine();
    }
  }

  private Reason signal(JobFacts.Signal signal) {
    return new Explanation.WaitsForSignal(
        signal.name(),
        instant(signal.sinceMs()),
        signal.untilMs() == 0 ? Optional.empty() : Optional.of(instant(signal.untilMs())),
        sentences.waitsForSignal(signal));
  }

  private Reason batch(JobFacts.AwaitedBatch batch) {
    return new Explanation.WaitsForBatch(
        batch.id(),
        batch.name(),
        batch.left(),
        batch.dead(),
        batch.deadJobs(),
        batch.isSealed(),
        sentences.waitsForBatch(batch));
  }

  /** Adds each reason why a job that nobody works on is not served, the longest-lasting first. */
  private void waiting(JobState state) {
    if (isRemovedFirst()) {
      long atMs = job.expireAtMs();
      reasons.add(new Explanation.NeverStarts(instant(atMs), sentences.neverStarts(atMs)));
    }
    engine();
    if (job.isPaused()) {
      reasons.add(new Explanation.Paused(sentences.paused()));
    }
    if (state == JobState.READY) {
      weight();
    }
    key();
    timed();
    if (state == JobState.READY) {
      line();
    }
    if (job.expireAtMs() != 0 && !isRemovedFirst()) {
      long atMs = job.expireAtMs();
      reasons.add(new Explanation.Expires(instant(atMs), sentences.expires(atMs)));
    }
  }

  /** Tells whether the job's time to live ends before its wait does. */
  private boolean isRemovedFirst() {
    Wait wait = job.waiting();
    return wait != null
        && job.expireAtMs() != 0
        && job.expireAtMs() > nowMs
        && job.expireAtMs() <= wait.untilMs();
  }

  private void engine() {
    Refusal refusal = engine.refusal();
    if (refusal != null) {
      reasons.add(
          new Explanation.EngineRefuses(
              refusal.status(), instant(refusal.sinceMs()), sentences.refuses(refusal)));
    }
    if (engine.presence() == Presence.SILENT) {
      reasons.add(
          new Explanation.EngineSilent(
              Duration.ofMillis(engine.waitedMs()), sentences.silent(engine.waitedMs())));
    }
    if (engine.presence() == Presence.NONE) {
      reasons.add(new Explanation.NoEngine(sentences.noEngine()));
    }
  }

  private void weight() {
    if (known == null) {
      return;
    }
    Claims claims = known.claims();
    if (claims.count() > 0 && claims.fitting() == 0) {
      reasons.add(
          new Explanation.TooHeavy(
              job.weight(),
              claims.capacityMax(),
              claims.freeMax(),
              sentences.tooHeavy(job.weight(), claims.capacityMax(), claims.freeMax())));
    }
  }

  /** Adds the concurrency key that blocks the job, if one does. */
  private void key() {
    JobFacts.Key key = job.key();
    if (key == null) {
      return;
    }
    List<Holder> holders =
        key.holders().stream()
            .filter(found -> isTold.test(found.queue()))
            .map(this::holder)
            .toList();
    reasons.add(
        new Explanation.KeyTaken(
            key.name(),
            key.isOfEngine(),
            key.limit(),
            key.holderCount(),
            holders,
            key.ahead(),
            sentences.keyTaken(key, holders)));
  }

  private Holder holder(KeyHolder found) {
    boolean isLeased = known != null && known.leased().contains(found.birth());
    return new Holder(found.jobId(), found.queue(), isLeased ? JobState.LEASED : found.state());
  }

  /** A reason that ends at a time. */
  private record Timed(long untilMs, Reason reason) {}

  /** Adds the reasons that end at a time, of the job, its key or its queue; the latest first. */
  private void timed() {
    List<Timed> timed = new ArrayList<>();
    Wait wait = job.waiting();
    if (wait != null) {
      timed.add(new Timed(wait.untilMs(), delayed(wait)));
    }
    if (known != null && known.queueLease() != null) {
      EngineFacts.HeldQueue held = known.queueLease();
      String sentence = sentences.queueLeased(held.worker(), held.untilMs());
      timed.add(
          new Timed(
              held.untilMs(),
              new Explanation.QueueLeased(held.worker(), instant(held.untilMs()), sentence)));
    }
    EngineFacts.Tokens tokens = known == null || lease != null ? null : known.tokens();
    if (tokens != null) {
      timed.add(new Timed(tokens.untilMs(), rateLimited(tokens)));
    }
    timed.sort(Comparator.comparingLong(Timed::untilMs).reversed());
    timed.forEach(one -> reasons.add(one.reason()));
  }

  private Reason rateLimited(EngineFacts.Tokens tokens) {
    Instant until = instant(tokens.untilMs());
    String sentence = sentences.rateLimited(tokens);
    EngineLimit limit = job.line() == null ? null : job.line().engineLimit();
    return tokens.owner() == Owner.ENGINE && limit != null
        ? new Explanation.EngineRateLimited(until, limit.key(), sentence)
        : new Explanation.RateLimited(until, tokens.owner() == Owner.CONCURRENCY_KEY, sentence);
  }

  private Reason delayed(Wait wait) {
    return new Explanation.Delayed(
        instant(wait.untilMs()),
        delay(wait),
        Optional.ofNullable(job.attempts().error()).map(Sentences::line),
        sentences.waits(wait, job.attempts()));
  }

  private static Delay delay(Wait wait) {
    if (!wait.isLength()) {
      return Delay.ASKED;
    }
    return switch (wait.why()) {
      case ENQUEUED -> Delay.ASKED;
      case FAILED -> Delay.BACKOFF;
      case SNOOZED -> Delay.SNOOZED;
    };
  }

  private void line() {
    if (known != null && known.leaseCountMax() > 0) {
      int limit = known.leaseCountMax();
      reasons.add(new Explanation.LeasesUsedUp(limit, sentences.leasesUsedUp(limit)));
    }
    Ahead ahead = ahead();
    boolean isFirst = ahead == null || (ahead.count() == 0 && ahead.isExact());
    if (ahead != null && !isFirst) {
      reasons.add(new Explanation.Behind(ahead, sentences.behind(ahead)));
    }
    if (known != null && known.claims().count() == 0 && known.queueLease() == null) {
      reasons.add(unclaimed(known.claims()));
    } else if (known != null && known.claims().fitting() > 0 && reasons.isEmpty()) {
      reasons.add(new Explanation.ServedNext(sentences.servedNext()));
    }
  }

  private Reason unclaimed(Claims claims) {
    long lastMs = claims.lastMs();
    Optional<Instant> last = lastMs == 0 ? Optional.empty() : Optional.of(instant(lastMs));
    return claims.isServed()
        ? new Explanation.WorkersBusy(last, sentences.workersBusy(lastMs))
        : new Explanation.NoClaims(last, sentences.noClaims(lastMs));
  }

  /**
   * Returns how many jobs go first, without those whose leases are not stored yet; null if the job
   * is in no line.
   */
  private @Nullable Ahead ahead() {
    Line line = job.line();
    if (line == null) {
      return null;
    }
    if (known == null) {
      return line.ahead(line.higher(), 0);
    }
    int leased = (int) line.births().stream().filter(known.leased()::contains).count();
    boolean isHigherKnown = known.higher() >= 0 && known.commit() == job.commit();
    return line.ahead(isHigherKnown ? known.higher() : line.higher(), leased);
  }

  private Optional<Instant> earliest(JobState state) {
    Wait wait = job.waiting();
    if (state == JobState.DELAYED && wait != null && wait.untilMs() > nowMs && !isRemovedFirst()) {
      return Optional.of(instant(wait.untilMs()));
    }
    EngineFacts.Tokens tokens = known == null ? null : known.tokens();
    return state == JobState.READY && tokens != null
        ? Optional.of(instant(tokens.untilMs()))
        : Optional.empty();
  }

  private static Instant instant(long ms) {
    return Instant.ofEpochMilli(ms);
  }
}
