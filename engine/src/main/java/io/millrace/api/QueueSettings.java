package io.millrace.api;

import io.millrace.api.SettingsText.Kind;
import io.millrace.options.Option;
import io.millrace.options.OptionValues;
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

  /** The most starts of a job if nobody says. */
  public static final int MAX_ATTEMPTS_DEFAULT = 20;

  private static final SettingsText TEXTS = new SettingsText();

  private static final Option<Duration, Duration> LEASE_DURATION =
      TEXTS.add(Setting.LEASE_DURATION, "leaseDuration", Duration.ofSeconds(30), Kind.LEASE);
  private static final Option<Long, OptionalLong> DEPTH_MAX =
      TEXTS.add(Setting.DEPTH_MAX, "depthMax", OptionalLong.empty(), Kind.DEPTH);
  private static final Option<Expiry, Expiry> EXPIRY =
      TEXTS.add(Setting.EXPIRY, "expiry", Expiry.READY_AT_ONCE, Kind.of(Expiry.class));
  private static final Option<Integer, Integer> MAX_ATTEMPTS =
      TEXTS.add(
          Setting.RETRY,
          "maxAttempts",
          MAX_ATTEMPTS_DEFAULT,
          Kind.number("a number", Limits.MAX_ATTEMPTS_MAX));
  private static final Option<Backoff, Backoff> BACKOFF =
      TEXTS.add(Setting.RETRY, "backoff", Backoff.DEFAULT, Kind.BACKOFF);
  private static final Option<Duration, Optional<Duration>> RESULT_RETENTION =
      TEXTS.add(Setting.RESULT_RETENTION, "resultRetention", Optional.empty(), Kind.RETENTION);
  private static final Option<Duration, Optional<Duration>> DEAD_RETENTION =
      TEXTS.add(Setting.DEAD_RETENTION, "deadRetention", Optional.empty(), Kind.RETENTION);
  private static final Option<Integer, Integer> PER_KEY =
      TEXTS.add(Setting.PER_KEY, "perKey", 1, Kind.number("a number of jobs", Limits.PER_KEY_MAX));
  private static final Option<KeyOrder, KeyOrder> KEY_ORDER =
      TEXTS.add(Setting.KEY_ORDER, "keyOrder", KeyOrder.PASSING, Kind.of(KeyOrder.class));
  private static final Option<RateLimit, Optional<RateLimit>> RATE_LIMIT =
      TEXTS.add(Setting.RATE_LIMIT, "rateLimit", Optional.empty(), Kind.RATE);
  private static final Option<RateLimit, Optional<RateLimit>> RATE_LIMIT_PER_KEY =
      TEXTS.add(Setting.RATE_LIMIT_PER_KEY, "rateLimitPerKey", Optional.empty(), Kind.RATE);
  private static final Option<Integer, Integer> SHARE =
      TEXTS.add(Setting.SHARE, "share", 1, Kind.number("a number of jobs", Limits.SHARE_MAX));

  /**
   * Nothing is said: leases of 30 seconds, no depth limit, expired jobs ready at once, {@value
   * #MAX_ATTEMPTS_DEFAULT} attempts with {@link Backoff#DEFAULT} between them, no results kept,
   * dead letters kept for ever, one job of a concurrency key at a time, which others may pass while
   * it waits, no rate limits, one job in each turn among tenants.
   */
  public static final QueueSettings DEFAULT = new QueueSettings();

  private final OptionValues values;

  /** The settings that are said here; nobody changes it. */
  private final Set<Setting> said;

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

  private QueueSettings() {
    values = OptionValues.of(TEXTS.options);
    said = Set.of();
  }

  private QueueSettings(QueueSettings other, OptionValues values, Set<Setting> said) {
    super(other);
    this.values = values;
    this.said = said;
  }

  /** Answers what the function makes of these; all of its changes have to be in its answer. */
  public QueueSettings changed(UnaryOperator<QueueSettings> change) {
    return applied(new QueueSettings(this, values, said), change);
  }

  /** Sets an option, which is said here from then on. */
  <S> QueueSettings say(Option<S, ?> option, S value) {
    return saying(TEXTS.setting(option.name()), values.with(option, value));
  }

  /** Sets an option to nothing, which is its default, and said here from then on. */
  QueueSettings sayNone(Option<?, ?> option) {
    return saying(TEXTS.setting(option.name()), values.without(option));
  }

  private QueueSettings saying(Setting setting, OptionValues changed) {
    Set<Setting> more = EnumSet.of(setting);
    more.addAll(said);
    return new QueueSettings(this, changed, Collections.unmodifiableSet(more));
  }

  <T> T get(Option<?, T> option) {
    return values.get(option);
  }

  /** Sets how long a lease lasts when neither the claim nor the job says. */
  public QueueSettings leaseDuration(Duration value) {
    return say(LEASE_DURATION, value);
  }

  /** Sets the most jobs that may wait: ready, delayed, blocked or waiting. */
  public QueueSettings depthMax(long value) {
    return say(DEPTH_MAX, value);
  }

  /** Lets any number of jobs wait. */
  public QueueSettings noDepthMax() {
    return sayNone(DEPTH_MAX);
  }

  /** Sets where a job goes whose lease ran out with attempts left. */
  public QueueSettings expiry(Expiry value) {
    return say(EXPIRY, value);
  }

  /**
   * Sets how often a job may be started before it is dead, and how long it waits after each
   * failure, if the job itself does not say. A change holds for jobs that are there already, too.
   *
   * @param attempts 1 to {@value Limits#MAX_ATTEMPTS_MAX}
   */
  public QueueSettings retry(int attempts, Backoff between) {
    return saying(Setting.RETRY, values.with(MAX_ATTEMPTS, attempts).with(BACKOFF, between));
  }

  /** Keeps completed jobs that do not say with their results for this long. */
  public QueueSettings resultRetention(Duration value) {
    return say(RESULT_RETENTION, value);
  }

  /** Removes completed jobs at once, but for those that ask to be kept. */
  public QueueSettings noResultRetention() {
    return sayNone(RESULT_RETENTION);
  }

  /**
   * Deletes jobs this long after they died. Holds for jobs that die from then on: those that are
   * dead already stay for as long as was set when they died.
   */
  public QueueSettings deadRetention(Duration value) {
    return say(DEAD_RETENTION, value);
  }

  /** Keeps dead letters for ever. */
  public QueueSettings noDeadRetention() {
    return sayNone(DEAD_RETENTION);
  }

  /**
   * Sets the most jobs of one concurrency key of the queue that are ready or leased at a time; keys
   * of the engine have numbers of their own. If it is raised, blocked jobs become ready at once; if
   * it is lowered, those that are ready or leased stay so, and the next follows when there are
   * fewer than that.
   *
   * @param value 1 to {@value Limits#PER_KEY_MAX}
   */
  public QueueSettings perKey(int value) {
    return say(PER_KEY, value);
  }

  /**
   * Sets what becomes of the slot of a job of a concurrency key of the queue that waits: for its
   * next attempt, after a failure or a lease that ran out; because it was snoozed or rescheduled;
   * or for a signal. If {@link KeyOrder#STRICT} it keeps the slot until it is completed, dead,
   * cancelled or removed. So with {@link #perKey} 1 the jobs of a key run strictly one after the
   * other, and with more that many are begun and not ended. A job that was enqueued for later has
   * no slot until then, and a dead one that is redriven queues again. Keys of the engine are not
   * affected.
   *
   * <p>A change holds for what is to wait from then on. A job that waits with a slot keeps it until
   * it is ready, or rescheduled.
   */
  public QueueSettings keyOrder(KeyOrder value) {
    return say(KEY_ORDER, value);
  }

  /**
   * Sets how many jobs of the queue may be started in a time. A claim that finds no token gets
   * nothing of this queue; one that waits gets a job in the millisecond in which the next token is
   * there. A release gives the token of its start back, a snooze does not.
   *
   * <p>Each queue has a bucket of its own, also where the limit is said for a name. It runs on
   * steady time, which nobody sets, and is kept in memory: full after a restart, so that a restart
   * allows one burst more. Of 1,000,000 that are not full the oldest is forgotten for the next, and
   * counts as full. A change holds at once. What was started before counts, but for no longer than
   * the new bucket takes to fill.
   */
  public QueueSettings rateLimit(RateLimit value) {
    return say(RATE_LIMIT, value);
  }

  /** Lets any number of jobs be started in a time. */
  public QueueSettings noRateLimit() {
    return sayNone(RATE_LIMIT);
  }

  /**
   * Limits the jobs of each concurrency key as {@link #rateLimit} does those of the queue: each key
   * of the queue has a bucket. Ready jobs of a key without a token are passed over for others, and
   * keep their places; in one priority at most 262,144 are, and while there are more none behind
   * them is served. A key of the whole engine has a bucket in each queue. Jobs without a key are
   * not limited by this.
   */
  public QueueSettings rateLimitPerKey(RateLimit value) {
    return say(RATE_LIMIT_PER_KEY, value);
  }

  /** Lets any number of jobs of a concurrency key be started in a time. */
  public QueueSettings noRateLimitPerKey() {
    return sayNone(RATE_LIMIT_PER_KEY);
  }

  /**
   * Sets how many jobs of this tenant are served in its turn, where another without a share has
   * one: when somebody claims across the tenants of the name ({@link
   * JobQueues#claimAcrossTenants}). A change holds from the next job on.
   *
   * @param value 1 to {@value Limits#SHARE_MAX}
   */
  public QueueSettings share(int value) {
    return say(SHARE, value);
  }

  /**
   * Says no more of this: what is said for the name holds, or else the default. These show the
   * default; what holds is known where they are kept.
   */
  public QueueSettings inherit(Setting setting) {
    Objects.requireNonNull(setting, "setting");
    EnumSet<Setting> rest = EnumSet.noneOf(Setting.class);
    rest.addAll(said);
    rest.remove(setting);
    return new QueueSettings(this, values, Collections.unmodifiableSet(rest)).over(DEFAULT);
  }

  /**
   * Answers these, and of what they do not say what the others tell; said is what was said here.
   */
  public QueueSettings over(QueueSettings others) {
    Objects.requireNonNull(others, "others");
    return new QueueSettings(
        this,
        values.with(others.values, option -> !said.contains(TEXTS.setting(option.name()))),
        said);
  }

  /** Answers these, and the setting said here as the others tell it. */
  public QueueSettings with(Setting setting, QueueSettings others) {
    return saying(
        setting, values.with(others.values, option -> TEXTS.setting(option.name()) == setting));
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
    return TEXTS.change(this, Objects.requireNonNull(texts, "texts"));
  }

  /** What holds, as texts by key that {@link #with(Map)} takes, in the order of the keys. */
  public Map<String, String> texts() {
    return TEXTS.all(this);
  }

  /** Whether what {@link #texts} tells under this key is said here. */
  public boolean isSaid(String key) {
    return said.contains(TEXTS.setting(key));
  }

  /** What is said here, and neither for the name nor by default. */
  public Set<Setting> said() {
    return said;
  }

  public Duration leaseDuration() {
    return get(LEASE_DURATION);
  }

  public OptionalLong depthMax() {
    return get(DEPTH_MAX);
  }

  public Expiry expiry() {
    return get(EXPIRY);
  }

  /** How often a job may be started that does not say. */
  public int maxAttempts() {
    return get(MAX_ATTEMPTS);
  }

  /** How long a job waits after each failure that does not say. */
  public Backoff backoff() {
    return get(BACKOFF);
  }

  public Optional<Duration> resultRetention() {
    return get(RESULT_RETENTION);
  }

  public Optional<Duration> deadRetention() {
    return get(DEAD_RETENTION);
  }

  /** How many jobs of one concurrency key hold a slot at a time. */
  public int perKey() {
    return get(PER_KEY);
  }

  /** What becomes of the slot of a job that has a concurrency key and is to wait. */
  public KeyOrder keyOrder() {
    return get(KEY_ORDER);
  }

  /** How many jobs of the queue may be started in a time; empty for any number. */
  public Optional<RateLimit> rateLimit() {
    return get(RATE_LIMIT);
  }

  /** How many jobs of one concurrency key may be started in a time; empty for any number. */
  public Optional<RateLimit> rateLimitPerKey() {
    return get(RATE_LIMIT_PER_KEY);
  }

  /** How many jobs of this tenant are served in its turn. */
  public int share() {
    return get(SHARE);
  }

  @Override
  protected Map<String, Object> values() {
    Map<String, Object> byName = values.byName();
    byName.put("said", said);
    return byName;
  }
}
