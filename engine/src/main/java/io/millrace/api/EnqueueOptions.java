package io.millrace.api;

import io.millrace.options.Checks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * The options of a job that is enqueued. Immutable: start from {@link #DEFAULT} and change what
 * differs.
 *
 * <pre>{@code
 * EnqueueOptions urgent = EnqueueOptions.DEFAULT.priority(10).maxAttempts(5);
 * }</pre>
 */
public final class EnqueueOptions extends Options {

  /**
   * The default options: priority 0, ready at once, weight 1, without a type of its own. Lease
   * duration, attempts and backoff are the queue's.
   */
  public static final EnqueueOptions DEFAULT = new EnqueueOptions();

  private int priority;
  private Duration delay = Duration.ZERO;
  private Optional<Instant> visibleAt = Optional.empty();
  private OptionalInt maxAttempts = OptionalInt.empty();
  private Optional<Backoff> backoff = Optional.empty();
  private Optional<Duration> leaseDuration = Optional.empty();
  private int weight = 1;
  private Map<String, String> headers = Map.of();
  private int headerBytes;
  private Optional<String> type = Optional.empty();
  private Optional<Duration> timeToLive = Optional.empty();
  private Optional<Duration> resultRetention = Optional.empty();
  private Optional<UniqueKey> unique = Optional.empty();
  private Optional<String> concurrencyKey = Optional.empty();
  private Optional<String> engineConcurrencyKey = Optional.empty();
  private OptionalInt engineConcurrencyMost = OptionalInt.empty();
  private Optional<String> engineRateKey = Optional.empty();
  private Optional<RateLimit> engineRateLimit = Optional.empty();
  private Optional<BatchId> batch = Optional.empty();

  private EnqueueOptions() {}

  private EnqueueOptions(EnqueueOptions other) {
    super(other);
    priority = other.priority;
    delay = other.delay;
    visibleAt = other.visibleAt;
    maxAttempts = other.maxAttempts;
    backoff = other.backoff;
    leaseDuration = other.leaseDuration;
    weight = other.weight;
    headers = other.headers;
    headerBytes = other.headerBytes;
    type = other.type;
    timeToLive = other.timeToLive;
    resultRetention = other.resultRetention;
    unique = other.unique;
    concurrencyKey = other.concurrencyKey;
    engineConcurrencyKey = other.engineConcurrencyKey;
    engineConcurrencyMost = other.engineConcurrencyMost;
    engineRateKey = other.engineRateKey;
    engineRateLimit = other.engineRateLimit;
    batch = other.batch;
  }

  /**
   * Returns the options that the function makes of these. The function's result must contain all
   * changes that it made.
   *
   * @throws IllegalArgumentException the result lacks some of these changes
   */
  public EnqueueOptions changed(UnaryOperator<EnqueueOptions> change) {
    return applied(new EnqueueOptions(this), change);
  }

  /**
   * Sets the priority, -128 to 127. Higher priorities are served first.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public EnqueueOptions priority(int value) {
    Checks.inRange("priority", value, Byte.MIN_VALUE, Byte.MAX_VALUE);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.priority = value;
    return changed;
  }

  /**
   * Sets the time from now until the job may be claimed, in place of any {@link #visibleAt}.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  public EnqueueOptions delay(Duration value) {
    Checks.upTo("delay", value, Limits.DELAY_MAX);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.delay = value;
    changed.visibleAt = Optional.empty();
    return changed;
  }

  /**
   * Sets the first instant at which the job may be claimed, in place of any {@link #delay}. A past
   * instant means now.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999
   */
  public EnqueueOptions visibleAt(Instant value) {
    Checks.instant("visibleAt", value);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.visibleAt = Optional.of(value);
    changed.delay = Duration.ZERO;
    return changed;
  }

  /**
   * Sets the most starts of the job before it is dead, 1 to {@value Limits#MAX_ATTEMPTS_MAX}.
   * Without it the queue's setting applies.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public EnqueueOptions maxAttempts(int value) {
    Checks.inRange("maxAttempts", value, 1, Limits.MAX_ATTEMPTS_MAX);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.maxAttempts = OptionalInt.of(value);
    return changed;
  }

  /** Sets how long the job waits after each failure. Without it the queue's setting applies. */
  public EnqueueOptions backoff(Backoff value) {
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.backoff = Optional.of(Objects.requireNonNull(value, "backoff"));
    return changed;
  }

  /**
   * Sets how long the job is leased by a claim that names no duration. Without it the queue's
   * setting applies.
   *
   * @throws IllegalArgumentException the value is out of its range, {@link Limits#LEASE_LEAST} to
   *     {@link Limits#LEASE_MAX}
   */
  public EnqueueOptions leaseDuration(Duration value) {
    Checks.inRange("leaseDuration", value, Limits.LEASE_LEAST, Limits.LEASE_MAX);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.leaseDuration = Optional.of(value);
    return changed;
  }

  /**
   * Sets the job's weight: the part of a worker's capacity that it takes, 1 to {@value
   * Limits#WEIGHT_MAX}.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public EnqueueOptions weight(int value) {
    Checks.inRange("weight", value, 1, Limits.WEIGHT_MAX);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.weight = value;
    return changed;
  }

  /**
   * Sets the headers: small texts that travel with the payload, in the map's order.
   *
   * @throws IllegalArgumentException there are more than {@value Limits#HEADER_COUNT_MAX} headers,
   *     they have more than {@value Limits#HEADER_BYTES_MAX} bytes of UTF-8 together, a name is
   *     empty, or a text is not valid Unicode
   */
  public EnqueueOptions headers(Map<String, String> value) {
    Objects.requireNonNull(value, "headers");
    Checks.inRange("number of headers", value.size(), 0, Limits.HEADER_COUNT_MAX);
    Map<String, String> copy = new LinkedHashMap<>();
    long bytes = 0;
    for (Map.Entry<String, String> header : value.entrySet()) {
      Checks.text("header name", header.getKey(), 1, Limits.HEADER_BYTES_MAX);
      Checks.text("header " + header.getKey(), header.getValue(), 0, Limits.HEADER_BYTES_MAX);
      bytes += header.getKey().getBytes(StandardCharsets.UTF_8).length;
      bytes += header.getValue().getBytes(StandardCharsets.UTF_8).length;
      copy.put(header.getKey(), header.getValue());
    }
    Checks.inRange("length of all headers in bytes", bytes, 0, Limits.HEADER_BYTES_MAX);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.headers = Collections.unmodifiableMap(copy);
    changed.headerBytes = (int) bytes;
    return changed;
  }

  /**
   * Adds a header to those already set, or replaces the one of the same name; see {@link
   * #headers(Map)}.
   *
   * @throws IllegalArgumentException as {@link #headers(Map)}, for all headers together
   */
  public EnqueueOptions header(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return headers(more);
  }

  /**
   * Sets the kind of work that the job is, 1 to {@value Limits#NAME_BYTES_MAX} bytes of UTF-8. It
   * distinguishes jobs of several kinds that share a queue. Without it the type is the queue's
   * name.
   *
   * @throws IllegalArgumentException the text is out of this range, or is not valid Unicode
   */
  public EnqueueOptions type(String value) {
    Checks.text("type", value, 1, Limits.NAME_BYTES_MAX);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.type = Optional.of(value);
    return changed;
  }

  /**
   * Sets how long from now the job may wait for its first start. After that it is dropped, whatever
   * delay it has. Once a worker has held the job, it is never dropped. If more than a thousand jobs
   * fall due at the same moment, some may still be started while the first of them are being
   * dropped.
   *
   * @throws IllegalArgumentException the value is out of its range, {@link Limits#KEEP_LEAST} to
   *     {@link Limits#DELAY_MAX}
   */
  public EnqueueOptions timeToLive(Duration value) {
    Checks.inRange("timeToLive", value, Limits.KEEP_LEAST, Limits.DELAY_MAX);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.timeToLive = Optional.of(value);
    return changed;
  }

  /**
   * Sets how long the job is kept with its result after it is completed. Without it the queue's
   * setting applies.
   *
   * @throws IllegalArgumentException the value is out of its range, {@link Limits#KEEP_LEAST} to
   *     {@link Limits#DELAY_MAX}
   */
  public EnqueueOptions resultRetention(Duration value) {
    Checks.inRange("resultRetention", value, Limits.KEEP_LEAST, Limits.DELAY_MAX);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.resultRetention = Optional.of(value);
    return changed;
  }

  /**
   * Sets a unique key that only one unfinished job of the queue has, 1 to {@value
   * Limits#KEY_BYTES_MAX} bytes of UTF-8. If there is such a job already, it stays, and the enqueue
   * returns it as a duplicate.
   *
   * @throws IllegalArgumentException the text is out of this range, or is not valid Unicode
   */
  public EnqueueOptions unique(String key) {
    return unique(UniqueKey.of(Objects.requireNonNull(key, "unique")));
  }

  /**
   * Sets a unique key, which only one job of the queue holds at a time, for as long as the key's
   * scope says.
   */
  public EnqueueOptions unique(UniqueKey value) {
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.unique = Optional.of(Objects.requireNonNull(value, "unique"));
    return changed;
  }

  /**
   * Sets the concurrency key, 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8. Of all jobs of the
   * queue with the same key, at most {@link QueueSettings#perKey()} are ready or leased at a time.
   * The others are blocked, in the order of their priorities and then of their arrival. Each
   * becomes ready as soon as one before it ends, backs off or is put off. A job that is only ready
   * holds its key, too, whatever its priority.
   *
   * <p>With one at a time, which is the default, the jobs of a key are an ordered group: the next
   * begins when the one before it is finished. One that fails lets the next go first.
   *
   * <p>A job has only one concurrency key: this one replaces any {@link #engineConcurrencyKey}.
   *
   * @throws IllegalArgumentException the text is out of this range, or is not valid Unicode
   */
  public EnqueueOptions concurrencyKey(String value) {
    Checks.text("concurrencyKey", value, 1, Limits.KEY_BYTES_MAX);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.concurrencyKey = Optional.of(value);
    changed.engineConcurrencyKey = Optional.empty();
    changed.engineConcurrencyMost = OptionalInt.empty();
    return changed;
  }

  /**
   * Sets a concurrency key that spans all queues of the engine, as in "two calls to that host at a
   * time, whoever makes them". The job goes on when fewer than {@code most} jobs of the key are
   * ready or leased, in all queues together, and no job of the key is blocked before it. The
   * blocked jobs of all queues are in one line, in the order of their priorities and then of their
   * arrival. Otherwise the key works as {@link #concurrencyKey(String)}.
   *
   * <p>Each job keeps the number that it was enqueued with, so that a changed number applies to
   * jobs enqueued from then on. If jobs of a key have different numbers, the first blocked job goes
   * on when fewer than <em>its</em> number hold the key; those behind it wait for that.
   *
   * <p>A job that is only ready holds the key, in a paused queue, too: for as long as it is paused,
   * jobs of other queues may have to wait. The slots of a deleted queue's jobs become free when the
   * jobs are removed, which begins at once and goes on in steps.
   *
   * <p>A job has only one concurrency key: this one replaces any {@link #concurrencyKey}. The same
   * text is another key there.
   *
   * @param key 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @param most 1 to {@value Limits#PER_KEY_MAX}
   * @throws IllegalArgumentException the key or the number is out of its range, or the key is not
   *     valid Unicode
   */
  public EnqueueOptions engineConcurrencyKey(String key, int most) {
    Checks.text("engineConcurrencyKey", key, 1, Limits.KEY_BYTES_MAX);
    Checks.inRange("most", most, 1, Limits.PER_KEY_MAX);
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.engineConcurrencyKey = Optional.of(key);
    changed.engineConcurrencyMost = OptionalInt.of(most);
    changed.concurrencyKey = Optional.empty();
    return changed;
  }

  /**
   * Sets a limit on the rate at which jobs with this key are started, in all queues and for all
   * tenants together, as in "20 mails a second through that relay, whoever sends them". The limit
   * is a bucket of tokens like that of {@link QueueSettings#rateLimit}: a job without a token is
   * passed over for others and keeps its place, and a release returns the token of its start.
   *
   * <p>It applies beside any concurrency key and the limits of the queue: a job is started when all
   * of them allow it. The same text is another key there.
   *
   * <p>Each job keeps the limit that it was enqueued with, so that a changed limit applies to jobs
   * enqueued from then on. If jobs of a key have different limits, the starts of all of them count
   * together, and each job waits by <em>its</em> own limit for what those starts have left. Each
   * start counts for as long as its own rate says. While jobs with a larger burst keep the bucket
   * in use, a job with a smaller burst may have to wait.
   *
   * <p>The bucket runs on steady time and is kept in memory. It is full after a restart, so that a
   * restart allows one more burst.
   *
   * @param key 1 to {@value Limits#KEY_BYTES_MAX} bytes of UTF-8
   * @throws IllegalArgumentException the key is out of its range, or is not valid Unicode
   */
  public EnqueueOptions engineRateLimit(String key, RateLimit limit) {
    Checks.text("engineRateLimit's key", key, 1, Limits.KEY_BYTES_MAX);
    Objects.requireNonNull(limit, "limit");
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.engineRateKey = Optional.of(key);
    changed.engineRateLimit = Optional.of(limit);
    return changed;
  }

  /**
   * Makes the job one of the batch. The batch must be open, or have jobs that have not ended: so a
   * job of it may add others while it runs. Otherwise the job is refused ({@link
   * EnqueueResult.BatchOver}). All jobs of one call must name the same batch.
   */
  public EnqueueOptions batch(BatchId value) {
    EnqueueOptions changed = new EnqueueOptions(this);
    changed.batch = Optional.of(Objects.requireNonNull(value, "batch"));
    return changed;
  }

  public int priority() {
    return priority;
  }

  public Duration delay() {
    return delay;
  }

  public Optional<Instant> visibleAt() {
    return visibleAt;
  }

  public OptionalInt maxAttempts() {
    return maxAttempts;
  }

  public Optional<Backoff> backoff() {
    return backoff;
  }

  public Optional<Duration> leaseDuration() {
    return leaseDuration;
  }

  public int weight() {
    return weight;
  }

  public Map<String, String> headers() {
    return headers;
  }

  /** Returns the length of all header names and values, in UTF-8 bytes. */
  int headerBytes() {
    return headerBytes;
  }

  public Optional<Duration> timeToLive() {
    return timeToLive;
  }

  public Optional<Duration> resultRetention() {
    return resultRetention;
  }

  public Optional<String> type() {
    return type;
  }

  public Optional<UniqueKey> unique() {
    return unique;
  }

  public Optional<String> concurrencyKey() {
    return concurrencyKey;
  }

  public Optional<String> engineConcurrencyKey() {
    return engineConcurrencyKey;
  }

  /**
   * Returns the most jobs of the {@link #engineConcurrencyKey()} that may be ready or leased at a
   * time; present if that key is.
   */
  public OptionalInt engineConcurrencyMost() {
    return engineConcurrencyMost;
  }

  /** Returns the key whose jobs share one rate limit, in all queues. */
  public Optional<String> engineRateKey() {
    return engineRateKey;
  }

  /** Returns the rate limit of that key; present if there is an {@link #engineRateKey()}. */
  public Optional<RateLimit> engineRateLimit() {
    return engineRateLimit;
  }

  /** Returns the batch that the job is to be one of. */
  public Optional<BatchId> batch() {
    return batch;
  }

  @Override
  protected Map<String, Object> values() {
    return values(
        "priority", priority,
        "delay", delay,
        "visibleAt", visibleAt,
        "maxAttempts", maxAttempts,
        "backoff", backoff,
        "leaseDuration", leaseDuration,
        "weight", weight,
        "headers", headers,
        "type", type,
        "timeToLive", timeToLive,
        "resultRetention", resultRetention,
        "unique", unique,
        "concurrencyKey", concurrencyKey,
        "engineConcurrencyKey", engineConcurrencyKey,
        "engineConcurrencyMost", engineConcurrencyMost,
        "engineRateKey", engineRateKey,
        "engineRateLimit", engineRateLimit,
        "batch", batch);
  }
}
