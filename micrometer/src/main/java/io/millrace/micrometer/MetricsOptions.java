package io.millrace.micrometer;

import io.millrace.api.Options;
import io.millrace.options.Checks;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Options of how an engine is told. Immutable: start from {@link #DEFAULT}. */
public final class MetricsOptions extends Options {

  /** The most queues that may be asked to be told one by one. */
  public static final int QUEUE_COUNT_MAX = 10_000;

  /** The default: 100 queues, those of a name as one, and the times of single jobs. */
  public static final MetricsOptions DEFAULT = new MetricsOptions();

  private int queueCountMax = 100;
  private boolean isByTenant;
  private boolean hasJobTimers = true;

  private MetricsOptions() {}

  private MetricsOptions(MetricsOptions other) {
    super(other);
    queueCountMax = other.queueCountMax;
    isByTenant = other.isByTenant;
    hasJobTimers = other.hasJobTimers;
  }

  MetricsOptions changed(UnaryOperator<MetricsOptions> change) {
    return applied(new MetricsOptions(this), change);
  }

  /**
   * Sets how many queues are told one by one, 1 to {@value #QUEUE_COUNT_MAX}; all others are one,
   * named {@value MillraceMetrics#OTHER}. Each is some thirty series, and the timers of its jobs.
   *
   * @throws IllegalArgumentException the number is out of this range
   */
  public MetricsOptions queueCountMax(int most) {
    Checks.inRange("queueCountMax", most, 1, QUEUE_COUNT_MAX);
    MetricsOptions changed = new MetricsOptions(this);
    changed.queueCountMax = most;
    return changed;
  }

  /** Tells queues of one name and several tenants one by one, by the tag {@code tenant}. */
  public MetricsOptions byTenant() {
    MetricsOptions changed = new MetricsOptions(this);
    changed.isByTenant = true;
    return changed;
  }

  /**
   * Leaves out the times of single jobs, for which a {@link io.millrace.api.JobListener} is told of
   * every job.
   */
  public MetricsOptions withoutJobTimers() {
    MetricsOptions changed = new MetricsOptions(this);
    changed.hasJobTimers = false;
    return changed;
  }

  public int queueCountMax() {
    return queueCountMax;
  }

  public boolean isByTenant() {
    return isByTenant;
  }

  public boolean hasJobTimers() {
    return hasJobTimers;
  }

  @Override
  protected Map<String, Object> values() {
    return values(
        "queueCountMax", queueCountMax, "isByTenant", isByTenant, "hasJobTimers", hasJobTimers);
  }
}
