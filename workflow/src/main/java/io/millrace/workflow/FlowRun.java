package io.millrace.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.MillraceException;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Codec;
import io.millrace.api.Limits;
import io.millrace.api.ResultJobType;
import io.millrace.api.Transaction;
import io.millrace.options.Checks;
import io.millrace.worker.JobContext;
import io.millrace.worker.Next;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run of a workflow.
 *
 * <p>The run goes along the entries that were kept. A call at a place that has an entry is answered
 * by it, and must be the same call that made it; a call beyond the last makes another entry. Before
 * the job sleeps or waits, an entry is kept with the time until when; then the run ends. So a run
 * that comes there again, for whatever reason, knows what it came for, and neither sleeps for
 * shorter nor forgets a signal: the job's wake tells that the signal came until this is kept here,
 * which is done before the flow goes on.
 *
 * <p>The reason that ends a run for good is remembered: a flow that catches it gets no further.
 */
final class FlowRun implements Steps {

  private static final int NO_LIMIT = Integer.MAX_VALUE;
  private static final int ATTEMPTS_MAX = 1_000;

  private final JobContext job;
  private final Thread owner = Thread.currentThread();
  private final Tries tries;
  private final Set<String> names = new HashSet<>();
  private FlowState state;
  private int place;
  private @Nullable String current;
  private @Nullable Halt halt;

  /**
   * The reason why the run goes no further.
   *
   * @param thrown the exception that the calls of the flow throw from then on
   * @param next the answer for the job; null if the attempt fails with the exception
   */
  private record Halt(Throwable thrown, @Nullable Next next) {}

  /** The user's function. */
  interface Body {
    Next run(Steps steps) throws Exception;
  }

  private FlowRun(JobContext job, FlowState kept) {
    this.job = job;
    this.tries = Tries.atEndOf(kept);
    this.state = tries == Tries.NONE ? kept : kept.withoutLast();
  }

  /** Runs the function once; returns what becomes of the job. */
  static Next run(JobContext job, Body body) throws Exception {
    FlowRun run;
    try {
      String id = job.jobId().toString();
      FlowState kept =
          job.checkpointed()
              .map(bytes -> FlowState.decode(id, bytes))
              .orElseGet(() -> FlowState.none(id));
      run = new FlowRun(job, kept);
    } catch (WorkflowException e) {
      return dead(e);
    }
    return run.run(body);
  }

  private Next run(Body body) throws Exception {
    Next next;
    try {
      next = body.run(this);
    } catch (Throwable e) {
      return thrown(e);
    }
    if (halt != null) {
      return swallowed(halt, null);
    }
    return rest().map(FlowRun::dead).orElse(next);
  }

  private Next thrown(Throwable e) throws Exception {
    if (halt != null) {
      if (halt.next == null) {
        throw FlowRun.<Exception>sneaky(e);
      }
      return halt.thrown == e ? halt.next : swallowed(halt, e);
    }
    if (e instanceof StepFailedException failed) {
      return rest().map(FlowRun::dead).orElseGet(() -> dead(failed));
    }
    throw FlowRun.<Exception>sneaky(e);
  }

  /**
   * Returns or throws the end of a run whose flow caught the exception that it should have let
   * pass.
   *
   * @param instead the exception that came out of the flow; null if none did
   */
  private Next swallowed(Halt lost, @Nullable Throwable instead) {
    String ended = instead == null ? "ended" : "threw " + instead;
    if (lost.next == null) {
      throw new IllegalStateException(
          "a workflow caught what a step threw, which is not done, and "
              + ended
              + ": let it pass, or let the step throw a StepFailedException, which is kept: job="
              + id(),
          lost.thrown);
    }
    if (!(lost.thrown instanceof Suspended)) {
      return lost.next;
    }
    return Next.dead(
        lost.thrown.getMessage()
            + ", but the workflow caught what was to end its run, and "
            + ended
            + ": let Errors pass, catch no Throwable around steps; then redrive the job");
  }

  private static Next dead(RuntimeException e) {
    return Next.dead(e instanceof StepFailedException failed ? failed.reason() : e.toString());
  }

  /** Returns an error if there are entries that the flow has not asked for. */
  private Optional<RuntimeException> rest() {
    List<Entry> kept = state.entries();
    return place == kept.size()
        ? Optional.empty()
        : Optional.of(
            NonDeterministicWorkflowException.rest(
                id(), place + 1, kept.get(place).shown(), kept.size() - place));
  }

  @Override
  public JobContext job() {
    return job;
  }

  @Override
  public Steps attempts(int most) {
    Checks.inRange("attempts", most, 1, ATTEMPTS_MAX);
    return new LimitedSteps(this, most);
  }

  @Override
  public <R> R step(String name, Codec<R> result, Callable<R> work) throws Exception {
    return step(name, result, work, NO_LIMIT);
  }

  <R> R step(String name, Codec<R> result, Callable<R> work, int most) throws Exception {
    Objects.requireNonNull(result, "result");
    Objects.requireNonNull(work, "work");
    Optional<Entry> kept = begin(Entry.Kind.DONE, name);
    if (kept.isPresent()) {
      return answered(kept.get(), result);
    }
    current = name;
    R answer;
    Entry entry;
    try {
      answer = work.call();
      job.checkAlive(); // what was told to stop and returned is not done
      entry = done(name, result, answer);
    } catch (StepFailedException e) {
      throw failed(name, e);
    } catch (Throwable e) {
      throw FlowRun.<Exception>sneaky(inVain(name, most, e));
    } finally {
      current = null;
    }
    keep(entry);
    return answer;
  }

  @Override
  public void step(String name, Work work) throws Exception {
    step(name, work, NO_LIMIT);
  }

  void step(String name, Work work, int most) throws Exception {
    Objects.requireNonNull(work, "work");
    step(
        name,
        Codec.BYTES,
        () -> {
          work.run();
          return new byte[0];
        },
        most);
  }

  @Override
  public <R> R step(String name, Codec<R> result, Function<Transaction, R> work) {
    return step(name, result, work, NO_LIMIT);
  }

  <R> R step(String name, Codec<R> result, Function<Transaction, R> work, int most) {
    Objects.requireNonNull(result, "result");
    Objects.requireNonNull(work, "work");
    Optional<Entry> kept = begin(Entry.Kind.DONE, name);
    if (kept.isPresent()) {
      return answered(kept.get(), result);
    }
    FlowState[] next = new FlowState[1];
    current = name;
    R answer;
    try {
      answer =
          job.checkpointWith(
              tx -> {
                R made = work.apply(tx);
                job.checkAlive();
                return made;
              },
              told -> {
                next[0] = with(done(name, result, told));
                return next[0].bytes();
              });
    } catch (StepFailedException e) {
      throw failed(name, e);
    } catch (Throwable e) {
      throw FlowRun.<RuntimeException>sneaky(inVain(name, most, e));
    } finally {
      current = null;
    }
    goOn(next[0]);
    return answer;
  }

  /**
   * Returns the entry of a step that is done. Null has a kind of its own, and no codec is asked for
   * it.
   */
  private static <R> Entry done(String name, Codec<R> result, @Nullable R answer) {
    return answer == null
        ? new Entry(Entry.Kind.NULL, name, new byte[0])
        : new Entry(Entry.Kind.DONE, name, result.encode(answer).clone());
  }

  @SuppressWarnings("NullAway") // null is answered for work that has answered null
  private <R> R answered(Entry entry, Codec<R> result) {
    return switch (entry.kind()) {
      case FAILED -> throw new StepFailedException(entry.text());
      case NULL -> null;
      default -> result.decode(entry.content().clone());
    };
  }

  /**
   * Notes that the step threw, and returns the exception to throw: the step is tried again with the
   * job's next attempt, unless it is given up.
   */
  private Throwable inVain(String name, int most, Throwable e) {
    boolean isOfStep = e instanceof Exception && !(e instanceof MillraceException);
    if (!isOfStep || halt != null || job.isToStop()) {
      return broken(e);
    }
    Tries now = tries.oneMore(name, e);
    boolean isLast = now.count() >= most || (most != NO_LIMIT && job.isLastAttempt());
    if (isLast) {
      return failed(name, new StepFailedException(now.reason(), e));
    }
    try {
      job.checkpoint(state.with(now.entry()).bytes());
    } catch (Throwable notKept) {
      if (notKept != e) {
        e.addSuppressed(notKept);
      }
    }
    return broken(e);
  }

  /**
   * Keeps that the step failed for good, and returns the exception, with which the flow may deal.
   */
  private StepFailedException failed(String name, StepFailedException e) {
    current = null;
    try {
      keep(new Entry(Entry.Kind.FAILED, name, e.reason().getBytes(UTF_8)));
    } catch (Throwable notKept) {
      notKept.addSuppressed(e);
      throw notKept;
    }
    return e;
  }

  @Override
  public void sleep(String name, Duration time) {
    Checks.upTo("time", time, Limits.DELAY_MAX);
    Entry sleep = begin(Entry.Kind.SLEEP, name).orElse(null);
    if (sleep == null) {
      sleep = new Entry(Entry.Kind.SLEEP, name, FlowState.time(after(time)));
      keep(sleep);
    }
    long endMs = FlowState.timeMs(sleep);
    if (job.now().toEpochMilli() < endMs) {
      throw suspended("sleeps", name, Next.snooze(Instant.ofEpochMilli(endMs)));
    }
  }

  @Override
  public <S> S await(String signal, Codec<S> payload) {
    Objects.requireNonNull(payload, "payload");
    return awaited(signal, 0)
        .map(payload::decode)
        .orElseThrow(
            () ->
                halted(
                    NonDeterministicWorkflowException.other(
                        id(),
                        place,
                        Entry.shown("await", signal) + " with a deadline that passed",
                        Entry.shown("await", signal) + " without one")));
  }

  @Override
  public <S> Optional<S> await(String signal, Codec<S> payload, Duration most) {
    Objects.requireNonNull(payload, "payload");
    Checks.upTo("most", most, Limits.DELAY_MAX);
    return awaited(signal, after(most)).map(payload::decode);
  }

  private Optional<byte[]> awaited(String signal, long deadlineMs) {
    Entry entry = begin(Entry.Kind.AWAITS, signal).orElse(null);
    if (entry == null) {
      entry = new Entry(Entry.Kind.AWAITS, signal, FlowState.time(deadlineMs));
      keep(entry);
    }
    if (entry.kind() == Entry.Kind.AWAITS) {
      entry = told(signal).orElseThrow(waiting(entry));
      replaceLast(entry);
    }
    return entry.kind() == Entry.Kind.SIGNALLED
        ? Optional.of(entry.content().clone())
        : Optional.empty();
  }

  private Supplier<Error> waiting(Entry entry) {
    return () -> {
      long deadlineMs = FlowState.timeMs(entry);
      if (deadlineMs == 0) {
        return suspended("waits for", entry.name(), Next.waitFor(entry.name()));
      }
      long restMs = Math.max(0, deadlineMs - job.now().toEpochMilli());
      Next next = Next.waitFor(entry.name(), Duration.ofMillis(restMs));
      return suspended("waits for", entry.name(), next);
    };
  }

  /**
   * Returns the entry for what this attempt was told of the signal, which is told until the next
   * sleep or wait; empty if it was told nothing.
   */
  private Optional<Entry> told(String signal) {
    Optional<Entry> told =
        job.signalled(signal).map(payload -> new Entry(Entry.Kind.SIGNALLED, signal, payload));
    return told.isEmpty() && job.hasTimedOut(signal)
        ? Optional.of(new Entry(Entry.Kind.TIMED_OUT, signal, new byte[0]))
        : told;
  }

  @Override
  public <T, R> List<R> all(String name, ResultJobType<T, R> type, List<? extends T> payloads) {
    Objects.requireNonNull(type, "type");
    List<T> all = List.copyOf(payloads);
    Optional<Entry> kept = begin(Entry.Kind.ALL_STARTED, name);
    Entry entry = kept.orElseGet(() -> started(name, type, all));
    if (entry.kind() == Entry.Kind.ALL_STARTED) {
      entry = ended(entry, all.size());
      replaceLast(entry);
    }
    if (entry.kind() == Entry.Kind.ALL_FAILED) {
      throw new StepFailedException(entry.text());
    }
    return AllStep.results(entry).stream().map(type.results()::decode).toList();
  }

  /** Starts the jobs of the step, and keeps that in the same commit. */
  private <T> Entry started(String name, ResultJobType<T, ?> type, List<T> payloads) {
    FlowState[] next = new FlowState[1];
    orBroken(
        () -> {
          Batch batch = AllStep.batch(name, type, payloads);
          return job.checkpointWith(
              tx -> AllStep.start(tx, batch),
              content -> {
                next[0] = with(new Entry(Entry.Kind.ALL_STARTED, name, content));
                return next[0].bytes();
              });
        });
    goOn(next[0]);
    return state.entries().get(place - 1);
  }

  /** Returns the entry for the end of the step; ends the run if jobs are left. */
  private Entry ended(Entry started, int count) {
    BatchId id = AllStep.id(started);
    BatchStats stats =
        orBroken(() -> job.queues().batches().get(id))
            .orElseThrow(
                () ->
                    halted(
                        new WorkflowException(
                            "results of a step are gone, for nobody ran the workflow in time: job="
                                + id()
                                + ", step=\""
                                + started.name()
                                + "\", batch="
                                + id
                                + ", kept for="
                                + AllStep.RETENTION
                                + ". Redrive the job without its checkpoint to begin anew")));
    if (!stats.isOver()) {
      throw suspended("waits for the jobs of", started.name(), Next.waitFor(id));
    }
    if (stats.succeeded() < stats.total()) {
      return new Entry(
          Entry.Kind.ALL_FAILED, started.name(), AllStep.reason(stats).getBytes(UTF_8));
    }
    byte[] results = orBroken(() -> AllStep.results(job.queues(), started, count));
    return new Entry(Entry.Kind.ALL, started.name(), results);
  }

  private <R> R orBroken(Supplier<R> call) {
    try {
      return call.get();
    } catch (WorkflowException e) {
      throw halted(e);
    } catch (Throwable e) {
      throw FlowRun.<RuntimeException>sneaky(broken(e));
    }
  }

  private long after(Duration time) {
    return job.now().toEpochMilli() + time.toMillis();
  }

  /**
   * Begins a call, as each does: checks it, and returns the entry that was kept at this place, if
   * any.
   */
  private Optional<Entry> begin(Entry.Kind kind, String name) {
    Checks.text("name", name, 1, Limits.KEY_BYTES_MAX);
    if (Thread.currentThread() != owner) {
      throw new IllegalStateException(
          "steps are for the thread of their handler alone: asked for "
              + Entry.shown(kind.call(), name)
              + ", thread="
              + Thread.currentThread().getName());
    }
    if (halt != null) {
      throw FlowRun.<RuntimeException>sneaky(halt.thrown);
    }
    if (current != null) {
      throw new IllegalStateException(
          "a step begins no other: asked for "
              + Entry.shown(kind.call(), name)
              + " within step \""
              + current
              + "\"");
    }
    if (!names.add(name)) {
      throw halted(
          new WorkflowException(
              "two steps, sleeps or signals of a workflow have the same name: job="
                  + id()
                  + ", place="
                  + (place + 1)
                  + ", asked for "
                  + Entry.shown(kind.call(), name)
                  + ". Number those of loops; then redrive the job"));
    }
    if (place == state.entries().size()) {
      checkAlive();
      return Optional.empty();
    }
    Entry kept = state.entries().get(place);
    if (!kept.kind().call().equals(kind.call()) || !kept.name().equals(name)) {
      throw halted(
          NonDeterministicWorkflowException.other(
              id(), place + 1, kept.shown(), Entry.shown(kind.call(), name)));
    }
    place++;
    return Optional.of(kept);
  }

  private void keep(Entry entry) {
    FlowState next = with(entry);
    checkpoint(next);
    goOn(next);
  }

  /** Keeps what became of a wait, in the place of the entry that tells of it. */
  private void replaceLast(Entry entry) {
    FlowState before = state.withoutLast();
    FlowState next = orHalted(() -> before.with(entry));
    checkpoint(next);
    state = next;
  }

  private void checkpoint(FlowState next) {
    orBroken(
        () -> {
          job.checkpoint(next.bytes());
          return next;
        });
  }

  private void checkAlive() {
    orBroken(
        () -> {
          job.checkAlive();
          return true;
        });
  }

  /** Goes on with one entry more, which is kept. */
  private void goOn(FlowState next) {
    state = next;
    place++;
  }

  private FlowState with(Entry entry) {
    return orHalted(() -> state.with(entry));
  }

  private FlowState orHalted(Supplier<FlowState> next) {
    try {
      return next.get();
    } catch (WorkflowException e) {
      throw halted(e);
    }
  }

  private Suspended suspended(String does, String name, Next next) {
    Suspended error = new Suspended("workflow " + does + " \"" + name + "\": job=" + id());
    halt = new Halt(error, next);
    return error;
  }

  private WorkflowException halted(WorkflowException e) {
    halt = new Halt(e, dead(e));
    return e;
  }

  /**
   * Ends the run with a step that is not done: nobody may go on as if it were, and the attempt
   * fails with this exception, which is returned.
   */
  private Throwable broken(Throwable e) {
    if (halt == null) {
      halt = new Halt(e, null);
    }
    return e;
  }

  private String id() {
    return job.jobId().toString();
  }

  @SuppressWarnings("unchecked") // Nothing is cast: what a step threw goes on as it is.
  private static <X extends Throwable> X sneaky(Throwable e) throws X {
    throw (X) e;
  }
}
