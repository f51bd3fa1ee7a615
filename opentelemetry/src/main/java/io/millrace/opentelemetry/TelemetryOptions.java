package io.millrace.opentelemetry;

import io.millrace.api.Options;
import io.millrace.options.Checks;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Options of how jobs are traced and counted. Immutable: start from {@link #DEFAULT}. */
public final class TelemetryOptions extends Options {

  /** The most queues that metrics may be asked to tell one by one. */
  public static final int QUEUE_COUNT_MAX = 1_000;

  /**
   * The default: each run of a job is a trace of its own with a link to where the job was enqueued,
   * the conventions for messaging apply if the program opted in, and metrics tell 100 queues.
   */
  public static final TelemetryOptions DEFAULT = new TelemetryOptions();

  private Conventions conventions = Conventions.AS_OPTED_IN;
  private boolean isSameTrace;
  private int queueCountMax = 100;

  private TelemetryOptions() {}

  private TelemetryOptions(TelemetryOptions other) {
    super(other);
    conventions = other.conventions;
    isSameTrace = other.isSameTrace;
    queueCountMax = other.queueCountMax;
  }

  TelemetryOptions changed(UnaryOperator<TelemetryOptions> change) {
    return applied(new TelemetryOptions(this), change);
  }

  /** Sets whether OpenTelemetry's conventions for messaging apply. */
  public TelemetryOptions conventions(Conventions value) {
    TelemetryOptions changed = new TelemetryOptions(this);
    changed.conventions = Objects.requireNonNull(value, "conventions");
    return changed;
  }

  /**
   * Makes each run of a job a part of the trace that the job was enqueued in: the child of the span
   * that enqueued it, and no link. For jobs that are run soon and once or twice. A job that is run
   * days later, and many times, makes a trace that never seems to end.
   */
  public TelemetryOptions inSameTrace() {
    TelemetryOptions changed = new TelemetryOptions(this);
    changed.isSameTrace = true;
    return changed;
  }

  /**
   * Sets how many queues metrics tell one by one, 1 to {@value #QUEUE_COUNT_MAX}; all others are
   * one, named {@value MillraceTelemetry#OTHER}.
   *
   * @throws IllegalArgumentException the number is out of this range
   */
  public TelemetryOptions queueCountMax(int most) {
    Checks.inRange("queueCountMax", most, 1, QUEUE_COUNT_MAX);
    TelemetryOptions changed = new TelemetryOptions(this);
    changed.queueCountMax = most;
    return changed;
  }

  public Conventions conventions() {
    return conventions;
  }

  public boolean isInSameTrace() {
    return isSameTrace;
  }

  public int queueCountMax() {
    return queueCountMax;
  }

  @Override
  protected Map<String, Object> values() {
    return values(
        "conventions", conventions, "isInSameTrace", isSameTrace, "queueCountMax", queueCountMax);
  }
}
