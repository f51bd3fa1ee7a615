package io.millrace.engine;

import io.millrace.MillraceException;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.LoopAction;
import io.millrace.internal.commit.ReopenableStore;
import io.millrace.internal.explain.EngineFacts;
import io.millrace.internal.explain.EngineFacts.Known;
import io.millrace.internal.explain.EngineFacts.Presence;
import io.millrace.internal.explain.EngineFacts.Refusal;
import io.millrace.internal.explain.Explainer;
import io.millrace.internal.explain.JobFacts;
import io.millrace.internal.read.StoreReader;
import io.millrace.internal.state.WorkingSet;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of an engine that explains why jobs are not running. It looks into the store first, in a
 * view that is closed by then, and asks the loop second, which looks into memory between two groups
 * and changes nothing.
 *
 * <p>If commits came in between, both look again, {@value #LOOK_COUNT_MAX} times in all at most;
 * after that the last two looks are put together as they are. Any thread.
 */
final class Explains {

  private static final int LOOK_COUNT_MAX = 3;

  private final CommitLoop loop;
  private final ReopenableStore store;
  private final WorkingSet state;
  private final Submitter submitter;
  private final Duration patience;

  /** Creates explanations that wait for the loop for {@code patience} at most. */
  Explains(
      CommitLoop loop,
      ReopenableStore store,
      WorkingSet state,
      Submitter submitter,
      Duration patience) {
    this.loop = loop;
    this.store = store;
    this.state = state;
    this.submitter = submitter;
    this.patience = patience;
  }

  /**
   * Explains why the job is not running; empty if it no longer exists.
   *
   * @param isTold tells whether jobs of a queue may be named
   */
  Optional<Explanation> explain(
      JobId id,
      Predicate<QueueName> isTold,
      Function<Function<StoreReader, Optional<JobFacts>>, Optional<JobFacts>> read) {
    Objects.requireNonNull(id, "id");
    for (int i = 1; true; i++) {
      Optional<JobFacts> job = read.apply(reader -> reader.facts(id));
      if (job.isEmpty()) {
        return Optional.empty();
      }
      EngineFacts engine = ask(job.get());
      Known known = engine.known();
      if (i == LOOK_COUNT_MAX || known == null || !Explainer.isApart(job.get(), known)) {
        return Optional.of(Explainer.explain(job.get(), engine, loop.latestMs(), isTold));
      }
    }
  }

  /**
   * Asks the loop what the working set says of the job. If the loop does not tell in time, the
   * answer says so.
   */
  private EngineFacts ask(JobFacts job) {
    AtomicReference<@Nullable Known> known = new AtomicReference<>();
    long beganNs = EngineClock.SYSTEM.monotonicNs();
    try {
      LoopAction look = loop.run(() -> known.set(new LoopLook(state, now()).at(job)));
      if (!look.isDoneWithin(patience.toNanos())) {
        // It is busy or stalled: the store is there all the same.
        return silent(beganNs);
      }
      return new EngineFacts(Presence.ANSWERED, refusal(), 0, known.get());
    } catch (EngineClosedException e) {
      return new EngineFacts(
          Presence.ANSWERED, new Refusal(Status.CLOSED, loop.latestMs(), ""), 0, null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return silent(beganNs);
    } catch (MillraceException e) {
      return silent(beganNs);
    }
  }

  /** Returns what can be told without the answer, and how long that was waited for. */
  private EngineFacts silent(long beganNs) {
    long waitedNs = EngineClock.SYSTEM.monotonicNs() - beganNs;
    long waitedMs = Math.min(TimeUnit.NANOSECONDS.toMillis(waitedNs), patience.toMillis());
    return new EngineFacts(Presence.SILENT, refusal(), waitedMs, null);
  }

  private @Nullable Refusal refusal() {
    EngineHealth health = loop.health();
    return health.status() == Status.UP
        ? null
        : new Refusal(health.status(), health.since().toEpochMilli(), health.reason());
  }

  private LoopLook.Now now() {
    return new LoopLook.Now(
        store.store().lastCommit(), loop.latestMs(), loop.steadyMs(), submitter.leaseNs());
  }
}
