package io.millrace.api;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a claim asks for. Immutable: start from {@link #by(String)} and change what differs.
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
    this.worker = Limits.text("worker", worker, 1, Limits.WORKER_BYTES_MAX);
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

  /** One job, without waiting, for the worker of this name. */
  public static ClaimOptions by(String worker) {
    return new ClaimOptions(worker);
  }

  /** The most jobs to take; 1 to {@value Limits#CALL_JOB_COUNT_MAX}. */
  public ClaimOptions max(int value) {
    Limits.inRange("max", value, 1, Limits.CALL_JOB_COUNT_MAX);
    ClaimOptions changed = new ClaimOptions(this);
    changed.max = value;
    return changed;
  }

  /**
   * The most jobs to take of single queues, each 1 to {@value Limits#CALL_JOB_COUNT_MAX}; queues
   * that are not named have no bound of their own. Of a claim across tenants, the queue of the
   * default tenant stands for all tenants of its name, and no other may be bounded.
   */
  public ClaimOptions maxPerQueue(Map<QueueName, Integer> value) {
    Map<QueueName, Integer> copy = Map.copyOf(Objects.requireNonNull(value, "maxPerQueue"));
    copy.forEach(
        (queue, most) ->
            Limits.inRange("maxPerQueue of " + queue, most, 1, Limits.CALL_JOB_COUNT_MAX));
    ClaimOptions changed = new ClaimOptions(this);
    changed.maxPerQueue = copy;
    return changed;
  }

  /** How long the leases last; without it the job's own, else the queue's. */
  public ClaimOptions leaseDuration(Duration value) {
    Limits.lease("leaseDuration", value);
    ClaimOptions changed = new ClaimOptions(this);
    changed.leaseDuration = Optional.of(value);
    return changed;
  }

  /** The weight that this worker could ever take at once: heavier jobs are not eligible for it. */
  public ClaimOptions capacity(int value) {
    Limits.inRange("capacity", value, 1, Limits.WEIGHT_MAX);
    ClaimOptions changed = new ClaimOptions(this);
    changed.capacity = value;
    return changed;
  }

  /**
   * The weight that is free now: the jobs taken weigh at most this together. The first job of a
   * queue that is heavier is passed over for lighter ones at most {@value #PASSES_MAX} times; after
   * that the worker's claims on the queue wait for it. The count is kept as long as the queue is in
   * memory.
   */
  public ClaimOptions maxWeight(int value) {
    Limits.inRange("maxWeight", value, 1, Integer.MAX_VALUE);
    ClaimOptions changed = new ClaimOptions(this);
    changed.maxWeight = value;
    return changed;
  }

  /**
   * The bytes that the payloads, headers and states of the jobs taken have together at most;
   * {@value Limits#CLAIM_BYTES_DEFAULT} unless set. The claim ends before the first job that does
   * not fit, which is then the next to be claimed; if that is the first of all, it is taken alone,
   * so that a small value never leaves a large job behind. Header names and values count in UTF-8.
   */
  public ClaimOptions maxBytes(int value) {
    Limits.inRange("maxBytes", value, 1, Integer.MAX_VALUE);
    ClaimOptions changed = new ClaimOptions(this);
    changed.maxBytes = value;
    return changed;
  }

  /**
   * How long to wait for a job when there is none. To find out that there is none may take a while
   * of its own, once, if very many jobs are too heavy.
   */
  public ClaimOptions waiting(Duration value) {
    Limits.delay("waiting", value);
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

  /** How often a job that does not fit is passed over before its queue waits for it. */
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
