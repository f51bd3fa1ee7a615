package io.millrace.worker;

import io.millrace.api.Backoff;
import io.millrace.api.Limits;
import io.millrace.api.Options;
import io.millrace.options.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Options of how a worker runs the jobs of one type. Immutable: start from {@link #DEFAULT}. */
public final class HandlerOptions extends Options {

  /** The default: as many jobs at a time as the worker runs, and no timeout. */
  public static final HandlerOptions DEFAULT = new HandlerOptions();

  private static final Duration TIMEOUT_LEAST = Duration.ofMillis(1);

  private int concurrency = Limits.WEIGHT_MAX;
  private Optional<Duration> timeout = Optional.empty();
  private Optional<Backoff> backoff = Optional.empty();
  private Optional<BackoffFunction> backoffFunction = Optional.empty();
  private List<Class<? extends Throwable>> permanent = List.of();
  private List<Class<? extends Throwable>> releaseOn = List.of();

  private HandlerOptions() {}

  private HandlerOptions(HandlerOptions other) {
    super(other);
    concurrency = other.concurrency;
    timeout = other.timeout;
    backoff = other.backoff;
    backoffFunction = other.backoffFunction;
    permanent = other.permanent;
    releaseOn = other.releaseOn;
  }

  HandlerOptions changed(UnaryOperator<HandlerOptions> change) {
    return applied(new HandlerOptions(this), change);
  }

  /**
   * Sets the most jobs of the type that the worker runs at a time. If types without such a limit
   * share the queue, more jobs may be claimed than may run: they wait in the worker, keep their
   * leases, and take up part of its concurrency. A queue of the type's own avoids this.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 to {@value Limits#WEIGHT_MAX}
   */
  public HandlerOptions concurrency(int most) {
    WorkerSetup.checked("concurrency", most);
    HandlerOptions changed = new HandlerOptions(this);
    changed.concurrency = most;
    return changed;
  }

  /**
   * Sets the most time that a job may take. A job that takes longer is interrupted, and its attempt
   * fails when the handler has ended, however it ends; its lease is kept until then. From a
   * millisecond to {@link Limits#DELAY_MAX}.
   *
   * @throws IllegalArgumentException the time is out of this range
   */
  public HandlerOptions timeout(Duration value) {
    Checks.inRange("timeout", value, TIMEOUT_LEAST, Limits.DELAY_MAX);
    HandlerOptions changed = new HandlerOptions(this);
    changed.timeout = Optional.of(value);
    return changed;
  }

  /** Sets how long a job waits after a failed attempt, in place of the job's own backoff. */
  public HandlerOptions backoff(Backoff value) {
    HandlerOptions changed = new HandlerOptions(this);
    changed.backoff = Optional.of(Objects.requireNonNull(value, "backoff"));
    return changed;
  }

  /**
   * Sets a function that is asked after each failed attempt how long the job waits. If its answer
   * is empty, {@link #backoff(Backoff)} holds, or else the job's own backoff. The function is not
   * asked after a {@link RetryAfterException}, nor for handlers that were cut short because their
   * worker stops.
   */
  public HandlerOptions backoff(BackoffFunction value) {
    HandlerOptions changed = new HandlerOptions(this);
    changed.backoffFunction = Optional.of(Objects.requireNonNull(value, "backoff"));
    return changed;
  }

  /**
   * Adds classes of exceptions that trying again cannot mend. A job whose handler throws one of
   * these, or a subclass, is dead.
   */
  @SafeVarargs
  public final HandlerOptions permanent(Class<? extends Throwable>... types) {
    HandlerOptions changed = new HandlerOptions(this);
    for (Class<? extends Throwable> type : types) {
      changed.permanent = with(changed.permanent, type);
    }
    return changed;
  }

  /**
   * Adds classes of exceptions after which the job is handed back for a second, with no attempt
   * counted: these and their subclasses.
   */
  @SafeVarargs
  public final HandlerOptions releaseOn(Class<? extends Throwable>... types) {
    HandlerOptions changed = new HandlerOptions(this);
    for (Class<? extends Throwable> type : types) {
      changed.releaseOn = with(changed.releaseOn, type);
    }
    return changed;
  }

  private static List<Class<? extends Throwable>> with(
      List<Class<? extends Throwable>> before, Class<? extends Throwable> one) {
    List<Class<? extends Throwable>> all = new ArrayList<>(before);
    all.add(one);
    return List.copyOf(all);
  }

  public int concurrency() {
    return concurrency;
  }

  public Optional<Duration> timeout() {
    return timeout;
  }

  public Optional<Backoff> backoff() {
    return backoff;
  }

  /** Returns the function that is asked before {@link #backoff()} holds. */
  public Optional<BackoffFunction> backoffFunction() {
    return backoffFunction;
  }

  @Override
  protected Map<String, Object> values() {
    return values(
        "concurrency", concurrency,
        "timeout", timeout,
        "backoff", backoff,
        "backoffFunction", backoffFunction,
        "permanent", permanent,
        "releaseOn", releaseOn);
  }

  boolean isPermanent(Throwable thrown) {
    return isNamed(permanent, thrown);
  }

  boolean isToRelease(Throwable thrown) {
    return isNamed(releaseOn, thrown);
  }

  /**
   * Tells whether one of the classes covers the exception. None covers a {@link
   * RetryAfterException}, which says itself when the job is tried again.
   */
  private static boolean isNamed(List<Class<? extends Throwable>> types, Throwable thrown) {
    return !(thrown instanceof RetryAfterException)
        && types.stream().anyMatch(type -> type.isInstance(thrown));
  }
}
