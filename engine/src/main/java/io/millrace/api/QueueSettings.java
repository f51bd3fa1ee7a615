package io.millrace.api;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What holds for all jobs of a queue; can be changed while it works. Immutable: changes are made to
 * what there is.
 *
 * <pre>{@code
 * mail.configure(settings -> settings.leaseDuration(Duration.ofMinutes(5)).depthMax(100_000));
 * }</pre>
 *
 * <p>Of each {@link Setting}, what the queue itself says holds; else what is said for its name, and
 * so for all tenants of it; else the default. The accessors tell what holds, {@link #said} what of
 * it was said here.
 */
public final class QueueSettings extends Options {

  /**
   * Nothing is said: leases of 30 seconds, no depth limit, expired jobs ready at once, {@value
   * #MAX_ATTEMPTS_DEFAULT} attempts with {@link Backoff#DEFAULT} between them, no results kept,
   * dead letters kept for ever, one job of a concurrency key at a time, which others may pass while
   * it waits, no rate limits, one job in each turn among tenants.
   */
  public static final QueueSettings DEFAULT = new QueueSettings();

  /** How often a job may be started if nobody says. */
  public static final int MAX_ATTEMPTS_DEFAULT = 20;

  private EnumSet<Setting> said = EnumSet.noneOf(Setting.class);
  private Duration leaseDuration = Duration.ofSeconds(30);
  private OptionalLong depthMax = OptionalLong.empty();
  private Expiry expiry = Expiry.READY_AT_ONCE;
  private int maxAttempts = MAX_ATTEMPTS_DEFAULT;
  private Backoff backoff = Backoff.DEFAULT;
  private Optional<Duration> resultRetention = Optional.empty();
  private Optional<Duration> deadRetention = Optional.empty();
  private int perKey = 1;
  private KeyOrder keyOrder = KeyOrder.PASSING;
  private Optional<RateLimit> rateLimit = Optional.empty();
  private Optional<RateLimit> rateLimitPerKey = Optional.empty();
  private int share = 1;

  /** What can be said. */
  public enum Setting {
    LEASE_DURATION,
    DEPTH_MAX,
    EXPIRY,
    RETRY,
    RESULT_RETENTION,
    DEAD_RETENTION,
    PER_KEY,
    RATE_LIMIT,
    RATE_LIMIT_PER_KEY,
    SHARE,
    KEY_ORDER
  }

  /** Where a job goes whose lease ran out with attempts left. */
  public enum Expiry {
    READY_AT_ONCE,
    BACKOFF
  }

  /** What becomes of the slot of a job that has a concurrency key and is to wait. */
  public enum KeyOrder {
    /** It goes to the next job of the key; the one that waits queues again when its time is up. */
    PASSING,
    /** The job keeps it until it ends: no other of the key passes it. */
    STRICT
  }

  private QueueSettings() {}

  private QueueSettings(QueueSettings other) {
    super(other);
    said = other.said.clone();
    leaseDuration = other.leaseDuration;
    depthMax = other.depthMax;
    expiry = other.expiry;
    maxAttempts = other.maxAttempts;
    backoff = other.backoff;
    resultRetention = other.resultRetention;
    deadRetention = other.deadRetention;
    perKey = other.perKey;
    keyOrder = other.keyOrder;
    rateLimit = other.rateLimit;
    rateLimitPerKey = other.rateLimitPerKey;
    share = other.share;
  }

  /** What the function makes of these; all of its changes have to be in its answer. */
  public QueueSettings changed(UnaryOperator<QueueSettings> change) {
    return applied(new QueueSettings(this), change);
  }

  /** These, with the setting being said here. */
  private QueueSettings saying(Setting setting) {
    QueueSettings changed = new QueueSettings(this);
    changed.said.add(setting);
    return changed;
  }

  /** How long a lease lasts when neither the claim nor the job says. */
  public QueueSettings leaseDuration(Duration value) {
    Limits.lease("leaseDuration", value);
    QueueSettings changed = saying(Setting.LEASE_DURATION);
    changed.leaseDuration = value;
    return changed;
  }

  /** The most jobs that may wait: ready, delayed, blocked or waiting. */
  public QueueSettings depthMax(long value) {
    Limits.inRange("depthMax", value, 1, Long.MAX_VALUE);
    QueueSettings changed = saying(Setting.DEPTH_MAX);
    changed.depthMax = OptionalLong.of(value);
    return changed;
  }

  /** Any number of jobs may wait. */
  public QueueSettings noDepthMax() {
    QueueSettings changed = saying(Setting.DEPTH_MAX);
    changed.depthMax = OptionalLong.empty();
    return changed;
  }

  /** Where a job goes whose lease ran out with attempts left. */
  public QueueSettings expiry(Expiry value) {
    QueueSettings changed = saying(Setting.EXPIRY);
    changed.expiry = Objects.requireNonNull(value, "expiry");
    return changed;
  }

  /**
   * How often a job may be started before it is dead, and how long it waits after each failure, if
   * the job itself does not say. A change holds for jobs that are there already, too.
   *
   * @param attempts 1 to {@value Limits#MAX_ATTEMPTS_MAX}
   */
  public QueueSettings retry(int attempts, Backoff between) {
    Limits.inRange("maxAttempts", attempts, 1, Limits.MAX_ATTEMPTS_MAX);
    Objects.requireNonNull(between, "backoff");
    QueueSettings changed = saying(Setting.RETRY);
    changed.maxAttempts = attempts;
    changed.backoff = between;
    return changed;
  }

  /** Keeps completed jobs that do not say with their results for this long. */
  public QueueSettings resultRetention(Duration value) {
    Duration wholeMs = wholeMs("resultRetention", value);
    QueueSettings changed = saying(Setting.RESULT_RETENTION);
    changed.resultRetention = Optional.of(wholeMs);
    return changed;
  }

  /** Completed jobs are gone at once, but for those that ask to be kept. */
  public QueueSettings noResultRetention() {
    QueueSettings changed = saying(Setting.RESULT_RETENTION);
    changed.resultRetention = Optional.empty();
    return changed;
  }

  /**
   * Deletes jobs this long after they died. Holds for jobs that die from then on: those that are
   * dead already stay for as long as was set when they died.
   */
  public QueueSettings deadRetention(Duration value) {
    Duration wholeMs = wholeMs("deadRetention", value);
    QueueSettings changed = saying(Setting.DEAD_RETENTION);
    changed.deadRetention = Optional.of(wholeMs);
    return changed;
  }

  /** Keeps dead letters for ever. */
  public QueueSettings noDeadRetention() {
    QueueSettings changed = saying(Setting.DEAD_RETENTION);
    changed.deadRetention = Optional.empty();
    return changed;
  }

  /**
   * How many jobs of one concurrency key of the queue are ready or leased at a time; keys of the
   * engine have numbers of their own. If it is raised, blocked jobs become ready at once; if it is
   * lowered, those that are ready or leased stay so, and the next follows when there are fewer than
   * that.
   *
   * @param value 1 to {@value Limits#PER_KEY_MAX}
   */
  public QueueSettings perKey(int value) {
    Limits.inRange("perKey", value, 1, Limits.PER_KEY_MAX);
    QueueSettings changed = saying(Setting.PER_KEY);
    changed.perKey = value;
    return changed;
  }

  /**
   * What becomes of the slot of a job of a concurrency key of the queue that waits: for its next
   * attempt, after a failure or a lease that ran out; because it was snoozed or rescheduled; or for
   * a signal. If {@link KeyOrder#STRICT} it keeps the slot until it is completed, dead, cancelled
   * or removed. So with {@link #perKey} 1 the jobs of a key run strictly one after the other, and
   * with more that many are begun and not ended. A job that was enqueued for later has no slot
   * until then, and a dead one that is redriven queues again. Keys of the engine are not affected.
   *
   * <p>A change holds for what is to wait from then on. A job that waits with a slot keeps it until
   * it is ready, or rescheduled.
   */
  public QueueSettings keyOrder(KeyOrder value) {
    QueueSettings changed = saying(Setting.KEY_ORDER);
    changed.keyOrder = Objects.requireNonNull(value, "keyOrder");
    return changed;
  }

  /**
   * How many jobs of the queue may be started in a time. A claim that finds no token gets nothing
   * of this queue; one that waits gets a job in the millisecond in which the next token is there. A
   * release gives the token of its start back, a snooze does not.
   *
   * <p>Each queue has a bucket of its own, also where the limit is said for a name. It runs on
   * steady time, which nobody sets, and is kept in memory: full after a restart, so that a restart
   * allows one burst more. Of 1,000,000 that are not full the oldest is forgotten for the next, and
   * counts as full. A change holds at once. What was started before counts, but for no longer than
   * the new bucket takes to fill.
   */
  public QueueSettings rateLimit(RateLimit value) {
    QueueSettings changed = saying(Setting.RATE_LIMIT);
    changed.rateLimit = Optional.of(Objects.requireNonNull(value, "rateLimit"));
    return changed;
  }

  /** Any number of jobs may be started in a time. */
  public QueueSettings noRateLimit() {
    QueueSettings changed = saying(Setting.RATE_LIMIT);
    changed.rateLimit = Optional.empty();
    return changed;
  }

  /**
   * As {@link #rateLimit}, for the jobs of each concurrency key: each key of the queue has a
   * bucket. Ready jobs of a key without a token are passed over for others, and keep their places;
   * in one priority at most 262,144 are, and while there are more none behind them is served. A key
   * of the whole engine has a bucket in each queue. Jobs without a key are not limited by this.
   */
  public QueueSettings rateLimitPerKey(RateLimit value) {
    QueueSettings changed = saying(Setting.RATE_LIMIT_PER_KEY);
    changed.rateLimitPerKey = Optional.of(Objects.requireNonNull(value, "rateLimitPerKey"));
    return changed;
  }

  /** Any number of jobs of a concurrency key may be started in a time. */
  public QueueSettings noRateLimitPerKey() {
    QueueSettings changed = saying(Setting.RATE_LIMIT_PER_KEY);
    changed.rateLimitPerKey = Optional.empty();
    return changed;
  }

  /**
   * How many jobs of this tenant are served in its turn, where another without a share has one:
   * when somebody claims across the tenants of the name ({@link JobQueues#claimAcrossTenants}). A
   * change holds from the next job on.
   *
   * @param value 1 to {@value Limits#SHARE_MAX}
   */
  public QueueSettings share(int value) {
    Limits.inRange("share", value, 1, Limits.SHARE_MAX);
    QueueSettings changed = saying(Setting.SHARE);
    changed.share = value;
    return changed;
  }

  private static Duration wholeMs(String parameter, Duration value) {
    return Duration.ofMillis(Limits.keep(parameter, value).toMillis());
  }

  /**
   * Says no more of this: what is said for the name holds, or else the default. These show the
   * default; what holds is known where they are kept.
   */
  public QueueSettings inherit(Setting setting) {
    Objects.requireNonNull(setting, "setting");
    QueueSettings changed = new QueueSettings(this);
    changed.said.remove(setting);
    return changed.over(DEFAULT);
  }

  /** These, and of what they do not say what the others tell; said is what was said here. */
  public QueueSettings over(QueueSettings others) {
    Objects.requireNonNull(others, "others");
    QueueSettings merged = new QueueSettings(this);
    EnumSet.complementOf(said).forEach(setting -> merged.take(setting, others));
    return merged;
  }

  /** These, and the setting said here as the others tell it. */
  public QueueSettings with(Setting setting, QueueSettings others) {
    QueueSettings changed = saying(setting);
    changed.take(setting, others);
    return changed;
  }

  private void take(Setting setting, QueueSettings others) {
    switch (setting) {
      case LEASE_DURATION -> leaseDuration = others.leaseDuration;
      case DEPTH_MAX -> depthMax = others.depthMax;
      case EXPIRY -> expiry = others.expiry;
      case RETRY -> {
        maxAttempts = others.maxAttempts;
        backoff = others.backoff;
      }
      case RESULT_RETENTION -> resultRetention = others.resultRetention;
      case DEAD_RETENTION -> deadRetention = others.deadRetention;
      case PER_KEY -> perKey = others.perKey;
      case KEY_ORDER -> keyOrder = others.keyOrder;
      case RATE_LIMIT -> rateLimit = others.rateLimit;
      case RATE_LIMIT_PER_KEY -> rateLimitPerKey = others.rateLimitPerKey;
      case SHARE -> share = others.share;
    }
  }

  /**
   * These, changed as texts by key say, for operators and files of configuration: {@code
   * leaseDuration}, {@code depthMax}, {@code expiry}, {@code maxAttempts}, {@code backoff}, {@code
   * resultRetention}, {@code deadRetention}, {@code perKey}, {@code keyOrder}, {@code rateLimit},
   * {@code rateLimitPerKey}, {@code share}. Durations are as in {@link Duration#parse}, a backoff
   * as {@link #texts} tells it, a rate limit as {@code 100/PT1S burst 10}. {@code none} takes a
   * limit or a retention away, {@code inherit} says no more of it; the attempts and the backoff are
   * one setting and are inherited together.
   *
   * @throws IllegalArgumentException a key or a value is wrong; the message says what is allowed
   */
  public QueueSettings with(Map<String, String> texts) {
    return SettingsText.change(this, Objects.requireNonNull(texts, "texts"));
  }

  /** What holds, as texts by key that {@link #with(Map)} takes, in the order of the keys. */
  public Map<String, String> texts() {
    return SettingsText.all(this);
  }

  /** Whether what {@link #texts} tells under this key is said here. */
  public boolean isSaid(String key) {
    return SettingsText.isSaid(this, key);
  }

  /** What is said here, and neither for the name nor by default. */
  public Set<Setting> said() {
    return Collections.unmodifiableSet(said.clone());
  }

  public Duration leaseDuration() {
    return leaseDuration;
  }

  public OptionalLong depthMax() {
    return depthMax;
  }

  public Expiry expiry() {
    return expiry;
  }

  /** How often a job may be started that does not say. */
  public int maxAttempts() {
    return maxAttempts;
  }

  /** How long a job waits after each failure that does not say. */
  public Backoff backoff() {
    return backoff;
  }

  public Optional<Duration> resultRetention() {
    return resultRetention;
  }

  public Optional<Duration> deadRetention() {
    return deadRetention;
  }

  /** How many jobs of one concurrency key hold a slot at a time. */
  public int perKey() {
    return perKey;
  }

  /** What becomes of the slot of a job that has a concurrency key and is to wait. */
  public KeyOrder keyOrder() {
    return keyOrder;
  }

  /** How many jobs of the queue may be started in a time; empty for any number. */
  public Optional<RateLimit> rateLimit() {
    return rateLimit;
  }

  /** How many jobs of one concurrency key may be started in a time; empty for any number. */
  public Optional<RateLimit> rateLimitPerKey() {
    return rateLimitPerKey;
  }

  /** How many jobs of this tenant are served in its turn. */
  public int share() {
    return share;
  }

  @Override
  protected Map<String, Object> values() {
    return values(
        "leaseDuration", leaseDuration,
        "depthMax", depthMax,
        "expiry", expiry,
        "maxAttempts", maxAttempts,
        "backoff", backoff,
        "resultRetention", resultRetention,
        "deadRetention", deadRetention,
        "perKey", perKey,
        "keyOrder", keyOrder,
        "rateLimit", rateLimit,
        "rateLimitPerKey", rateLimitPerKey,
        "share", share,
        "said", said);
  }
}
