package io.millrace.api;

import io.millrace.options.Checks;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The options of a claim. Immutable: start from {@link #by(String)} and change what differs.
 *
 * <pre>{@code
 * ClaimOptions ten = ClaimOptions.by("worker-1").max(10).waiting(Duration.ofSeconds(20));
 * List<Lease> leases = mail.claim(ten);
 * }</pre>
 */
public final class ClaimOptions extends Options {

  private final String worker;
  private int max = 1;
  private Optional<Duration> leaseDuration = Optional.empty();
  private int capacity = Limits.WEIGHT_MAX;
  private int maxWeight = Integer.MAX_VALUE;
  private int maxBytes = Limits.CLAIM_BYTES_DEFAULT;
  private Map<QueueName, Integer> maxPerQueue = Map.of();
  private Duration waiting = Duration.ZERO;

  private ClaimOptions(String worker) {
    this.worker = Checks.text("worker", worker, 1, Limits.WORKER_BYTES_MAX);
  }

  private ClaimOptions(ClaimOptions other) {
    worker = other.worker;
    max = other.max;
    leaseDuration = other.leaseDuration;
    capacity = other.capacity;
    maxWeight = other.maxWeight;
    maxBytes = other.maxBytes;
    maxPerQueue = other.maxPerQueue;
    waiting = other.waiting;
  }

  /**
   * Returns options that claim one job, without waiting, for the worker of this name.
   *
   * @throws IllegalArgumentException the text has not 1 to {@value Limits#WORKER_BYTES_MAX} bytes
   *     of UTF-8, or is not valid Unicode
   */
  public static ClaimOptions by(String worker) {
    return new ClaimOptions(worker);
  }

  /**
   * Sets the most jobs to take, 1 to {@value Limits#CALL_JOB_COUNT_MAX}.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public ClaimOptions max(int value) {
    Checks.inRange("max", value, 1, Limits.CALL_JOB_COUNT_MAX);
    ClaimOptions changed = new ClaimOptions(this);
    changed.max = value;
    return changed;
  }

  /**
   * Sets the most jobs to take from single queues, each 1 to {@value Limits#CALL_JOB_COUNT_MAX}.
   * Queues that are not named have no bound of their own. In a claim across tenants, the queue of
   * the default tenant stands for all tenants of its name, and no other queue may be bounded.
   *
   * @throws IllegalArgumentException a bound is out of this range
   */
  public ClaimOptions maxPerQueue(Map<QueueName, Integer> value) {
    Map<QueueName, Integer> copy = Map.copyOf(Objects.requireNonNull(value, "maxPerQueue"));
    copy.forEach(
        (queue, most) ->
            Checks.inRange("maxPerQueue of " + queue, most, 1, Limits.CALL_JOB_COUNT_MAX));
    ClaimOptions changed = new ClaimOptions(this);
    changed.maxPerQueue = copy;
    return changed;
  }

  /**
   * Sets the duration of the leases. Without it each lease lasts as long as its job says, or else
   * its queue.
   *
   * @throws IllegalArgumentException the value is out of its range, {@link Limits#LEASE_LEAST} to
   *     {@link Limits#LEASE_MAX}
   */
  public ClaimOptions leaseDuration(Duration value) {
    Checks.inRange("leaseDuration", value, Limits.LEASE_LEAST, Limits.LEASE_MAX);
    ClaimOptions changed = new ClaimOptions(this);
    changed.leaseDuration = Optional.of(value);
    return changed;
  }

  /**
   * Sets the greatest weight that this worker can take at once when it is idle. Heavier jobs are
   * not eligible for it.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 to {@value Limits#WEIGHT_MAX}
   */
  public ClaimOptions capacity(int value) {
    Checks.inRange("capacity", value, 1, Limits.WEIGHT_MAX);
    ClaimOptions changed = new ClaimOptions(this);
    changed.capacity = value;
    return changed;
  }

  /**
   * Sets the weight that is free now: the jobs taken weigh at most this together. If the first job
   * of a queue is heavier, it is passed over for lighter ones at most {@value #PASSES_MAX} times.
   * After that the worker's claims on the queue wait for that job. The count is kept as long as the
   * queue is in memory.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 and more
   */
  public ClaimOptions maxWeight(int value) {
    Checks.inRange("maxWeight", value, 1, Integer.MAX_VALUE);
    ClaimOptions changed = new ClaimOptions(this);
    changed.maxWeight = value;
    return changed;
  }

  /**
   * Sets the most bytes of the payloads, headers and states of the jobs taken, together; {@value
   * Limits#CLAIM_BYTES_DEFAULT} unless set. The claim ends before the first job that does not fit,
   * which is then the next to be claimed. If the very first job does not fit, it is taken alone, so
   * that a small value never leaves a large job behind. Header names and values count in UTF-8.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 and more
   */
  public ClaimOptions maxBytes(int value) {
    Checks.inRange("maxBytes", value, 1, Integer.MAX_VALUE);
    ClaimOptions changed = new ClaimOptions(this);
    changed.maxBytes = value;
    return changed;
  }

  /**
   * Sets the longest time to wait for a job when there is none. If very many jobs are too heavy,
   * finding out that there is none may itself take a while, once.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  public ClaimOptions waiting(Duration value) {
    Checks.upTo("waiting", value, Limits.DELAY_MAX);
    ClaimOptions changed = new ClaimOptions(this);
    changed.waiting = value;
    return changed;
  }

  public String worker() {
    return worker;
  }

  public int max() {
    return max;
  }

  public Optional<Duration> leaseDuration() {
    return leaseDuration;
  }

  public int capacity() {
    return capacity;
  }

  public int maxWeight() {
    return maxWeight;
  }

  public int maxBytes() {
    return maxBytes;
  }

  public Map<QueueName, Integer> maxPerQueue() {
    return maxPerQueue;
  }

  public Duration waiting() {
    return waiting;
  }

  /**
   * The most times that a job too heavy for a claim is passed over before the worker's claims on
   * its queue wait for it.
   */
  public static final int PASSES_MAX = 16;

  @Override
  protected Map<String, Object> values() {
    return values(
        "worker", worker,
        "max", max,
        "leaseDuration", leaseDuration,
        "capacity", capacity,
        "maxWeight", maxWeight,
        "maxBytes", maxBytes,
        "maxPerQueue", maxPerQueue,
        "waiting", waiting);
  }
}
