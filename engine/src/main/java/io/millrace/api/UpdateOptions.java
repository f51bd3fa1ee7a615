package io.millrace.api;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What is to change about a job that waits. Immutable: start from {@link #NOTHING} and add what
 * changes; the rest stays.
 *
 * <pre>{@code
 * engine.update(id, UpdateOptions.NOTHING.priority(100).maxAttempts(10));
 * }</pre>
 */
public final class UpdateOptions extends Options {

  /** No change at all. */
  public static final UpdateOptions NOTHING = new UpdateOptions();

  private Optional<Integer> priority = Optional.empty();
  private Optional<Integer> weight = Optional.empty();
  private Optional<byte[]> payload = Optional.empty();
  private Optional<Map<String, String>> headers = Optional.empty();
  private Optional<Integer> maxAttempts = Optional.empty();
  private Optional<Backoff> backoff = Optional.empty();
  private Optional<Duration> leaseDuration = Optional.empty();

  private UpdateOptions() {}

  private UpdateOptions(UpdateOptions other) {
    super(other);
    priority = other.priority;
    weight = other.weight;
    payload = other.payload;
    headers = other.headers;
    maxAttempts = other.maxAttempts;
    backoff = other.backoff;
    leaseDuration = other.leaseDuration;
  }

  /** What the function makes of these; all of its changes have to be in its answer. */
  public UpdateOptions changed(UnaryOperator<UpdateOptions> change) {
    return applied(new UpdateOptions(this), change);
  }

  /**
   * Higher is served first; -128 to 127. A ready job goes to the back of a priority that is new to
   * it.
   */
  public UpdateOptions priority(int value) {
    Limits.inRange("priority", value, Byte.MIN_VALUE, Byte.MAX_VALUE);
    UpdateOptions changed = new UpdateOptions(this);
    changed.priority = Optional.of(value);
    return changed;
  }

  /** How much of a worker's capacity the job takes; 1 to {@value Limits#WEIGHT_MAX}. */
  public UpdateOptions weight(int value) {
    Limits.inRange("weight", value, 1, Limits.WEIGHT_MAX);
    UpdateOptions changed = new UpdateOptions(this);
    changed.weight = Optional.of(value);
    return changed;
  }

  /** The bytes, at most {@value Limits#PAYLOAD_BYTES_MAX}; copied. */
  public UpdateOptions payload(byte[] value) {
    Limits.payload(value);
    UpdateOptions changed = new UpdateOptions(this);
    changed.payload = Optional.of(value.clone());
    return changed;
  }

  /** The small texts that travel with the payload, in place of all that there were. */
  public UpdateOptions headers(Map<String, String> value) {
    Map<String, String> checked = EnqueueOptions.DEFAULT.headers(value).headers();
    UpdateOptions changed = new UpdateOptions(this);
    changed.headers = Optional.of(checked);
    return changed;
  }

  /**
   * How often the job may be started before it is dead; 1 to {@value Limits#MAX_ATTEMPTS_MAX}. One
   * that was started as often already is served once more.
   */
  public UpdateOptions maxAttempts(int value) {
    Limits.inRange("maxAttempts", value, 1, Limits.MAX_ATTEMPTS_MAX);
    UpdateOptions changed = new UpdateOptions(this);
    changed.maxAttempts = Optional.of(value);
    return changed;
  }

  /** How long the job waits after each failure; a wait that has begun stays as it is. */
  public UpdateOptions backoff(Backoff value) {
    UpdateOptions changed = new UpdateOptions(this);
    changed.backoff = Optional.of(Objects.requireNonNull(value, "backoff"));
    return changed;
  }

  /** How long a claim that names no duration holds this job. */
  public UpdateOptions leaseDuration(Duration value) {
    Limits.lease("leaseDuration", value);
    UpdateOptions changed = new UpdateOptions(this);
    changed.leaseDuration = Optional.of(value);
    return changed;
  }

  public Optional<Integer> priority() {
    return priority;
  }

  public Optional<Integer> weight() {
    return weight;
  }

  /** The caller's own copy. */
  public Optional<byte[]> payload() {
    return payload.map(byte[]::clone);
  }

  public Optional<Map<String, String>> headers() {
    return headers;
  }

  public Optional<Integer> maxAttempts() {
    return maxAttempts;
  }

  public Optional<Backoff> backoff() {
    return backoff;
  }

  public Optional<Duration> leaseDuration() {
    return leaseDuration;
  }

  @Override
  protected Map<String, Object> values() {
    return values(
        "priority", priority,
        "weight", weight,
        "payload", payload.map(ByteBuffer::wrap),
        "headers", headers,
        "maxAttempts", maxAttempts,
        "backoff", backoff,
        "leaseDuration", leaseDuration);
  }
}
