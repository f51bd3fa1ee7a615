package io.millrace.api;

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
 * The settings of all jobs of a queue. They can be changed while the queue is in use. Immutable:
 * each change returns new settings.
 *
 * <pre>{@code
 * mail.configure(settings -> settings.leaseDuration(Duration.ofMinutes(5)).depthMax(100_000));
 * }</pre>
 *
 * <p>For each {@link Setting}, the value set for the queue itself applies; else the one set for its
 * name, and so for all tenants of that name; else the default. The accessors return the values that
 * apply. {@link #setHere} returns the settings whose values were set here.
 */
public final class QueueSettings extends Options {

  /** The default number of starts after which a job is dead. */
  public static final int MAX_ATTEMPTS_DEFAULT = 20;

  private static final SettingsText TEXTS = new SettingsText();

  private static final Option<Duration, Duration> LEASE_DURATION =
      TEXTS.add(Setting.LEASE_DURATION, "leaseDuration", Duration.ofSeconds(30), TextKind.LEASE);
  private static final Option<Long, OptionalLong> DEPTH_MAX =
      TEXTS.add(Setting.DEPTH_MAX, "depthMax", OptionalLong.empty(), TextKind.DEPTH);
  private static final Option<Expiry, Expiry> EXPIRY =
      TEXTS.add(Setting.EXPIRY, "expiry", Expiry.READY_AT_ONCE, TextKind.of(Expiry.class));
  private static final Option<Integer, Integer> MAX_ATTEMPTS =
      TEXTS.add(
          Setting.RETRY,
          "maxAttempts",
          MAX_ATTEMPTS_DEFAULT,
          TextKind.number("a number", 1, Limits.MAX_ATTEMPTS_MAX));
  private static final Option<Backoff, Backoff> BACKOFF =
      TEXTS.add(Setting.RETRY, "backoff", Backoff.DEFAULT, TextKind.BACKOFF);
  private static final Option<Duration, Optional<Duration>> RESULT_RETENTION =
      TEXTS.add(Setting.RESULT_RETENTION, "resultRetention", Optional.empty(), TextKind.RETENTION);
  private static final Option<Duration, Optional<Duration>> DEAD_RETENTION =
      TEXTS.add(Setting.DEAD_RETENTION, "deadRetention", Optional.empty(), TextKind.RETENTION);
  private static final Option<Integer, Integer> PER_KEY =
      TEXTS.add(
          Setting.PER_KEY, "perKey", 1, TextKind.number("a number of jobs", 1, Limits.PER_KEY_MAX));
  private static final Option<KeyOrder, KeyOrder> KEY_ORDER =
      TEXTS.add(Setting.KEY_ORDER, "keyOrder", KeyOrder.PASSING, TextKind.of(KeyOrder.class));
  private static final Option<RateLimit, Optional<RateLimit>> RATE_LIMIT =
      TEXTS.add(Setting.RATE_LIMIT, "rateLimit", Optional.empty(), TextKind.RATE);
  private static final Option<RateLimit, Optional<RateLimit>> RATE_LIMIT_PER_KEY =
      TEXTS.add(Setting.RATE_LIMIT_PER_KEY, "rateLimitPerKey", Optional.empty(), TextKind.RATE);
  private static final Option<Integer, Integer> SHARE =
      TEXTS.add(
          Setting.SHARE, "share", 1, TextKind.number("a number of jobs", 1, Limits.SHARE_MAX));

  /**
   * The default settings, of which none counts as set: leases of 30 seconds, no depth limit,
   * expired jobs ready at once, {@value #MAX_ATTEMPTS_DEFAULT} attempts with {@link
   * Backoff#DEFAULT} between them, no results kept, dead letters kept for ever, one job of a
   * concurrency key at a time, which others may pass while it waits, no rate limits, one job in
   * each turn among tenants.
   */
  public static final QueueSettings DEFAULT = new QueueSettings();

  private final OptionValues values;

  /** The settings that are set here. This collection is never changed. */
  private final Set<Setting> setHere;

  /** The settings that a queue has. */
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

  /** The places where a job may go whose lease ran out with attempts left. */
  public enum Expiry {
    READY_AT_ONCE,
    BACKOFF
  }

  /** The treatment of the slot of a waiting job that has a concurrency key. */
  public enum KeyOrder {
    /**
     * The slot goes to the next job of the key. The waiting job queues for a slot again when its
     * time has come.
     */
    PASSING,
    /** The job keeps the slot until it ends: no other job of the key passes it. */
    STRICT
  }

  private QueueSettings() {
    values = OptionValues.of(TEXTS.options);
    setHere = Set.of();
  }

  private QueueSettings(QueueSettings other, OptionValues values, Set<Setting> setHere) {
    super(other);
    this.values = values;
    this.setHere = setHere;
  }

  /**
   * Returns the settings that the function makes of these. The function's result must contain all
   * changes that it made.
   *
   * @throws IllegalArgumentException the result lacks some of these changes
   */
  public QueueSettings changed(UnaryOperator<QueueSettings> change) {
    return applied(new QueueSettings(this, values, setHere), change);
  }

  /** Sets an option to a value, so that its setting is set here. */
  <S> QueueSettings set(Option<S, ?> option, S value) {
    return withSet(TEXTS.setting(option.name()), values.with(option, value));
  }

  /** Sets an option to no value, which is its default, so that its setting is set here. */
  QueueSettings setNone(Option<?, ?> option) {
    return withSet(TEXTS.setting(option.name()), values.without(option));
  }

  private QueueSettings withSet(Setting setting, OptionValues changed) {
    Set<Setting> more = EnumSet.of(setting);
    more.addAll(setHere);
    return new QueueSettings(this, changed, Collections.unmodifiableSet(more));
  }

  <T> T get(Option<?, T> option) {
    return values.get(option);
  }

  /**
   * Sets how long a lease lasts if neither the claim nor the job sets a duration.
   *
   * @throws IllegalArgumentException the value is out of its range, {@link Limits#LEASE_LEAST} to
   *     {@link Limits#LEASE_MAX}
   */
  public QueueSettings leaseDuration(Duration value) {
    return set(LEASE_DURATION, value);
  }

  /**
   * Sets the most jobs that may wait in the queue: ready, delayed, blocked, or waiting for a
   * signal.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 and more
   */
  public QueueSettings depthMax(long value) {
    return set(DEPTH_MAX, value);
  }

  /** Removes the limit: any number of jobs may wait. */
  public QueueSettings noDepthMax() {
    return setNone(DEPTH_MAX);
  }

  /** Sets where a job goes whose lease ran out with attempts left. */
  public QueueSettings expiry(Expiry value) {
    return set(EXPIRY, value);
  }

  /**
   * Sets how often a job may be started before it is dead, and how long it waits after each
   * failure, unless the job sets these itself. A change applies to existing jobs, too.
   *
   * @param attempts 1 to {@value Limits#MAX_ATTEMPTS_MAX}
   * @throws IllegalArgumentException the number of attempts is out of its range
   */
  public QueueSettings retry(int attempts, Backoff between) {
    return withSet(Setting.RETRY, values.with(MAX_ATTEMPTS, attempts).with(BACKOFF, between));
  }

  /**
   * Sets how long completed jobs are kept with their results, unless they set a time themselves.
   *
   * @throws IllegalArgumentException the value is out of its range, {@link Limits#KEEP_LEAST} to
   *     {@link Limits#DELAY_MAX}
   */
  public QueueSettings resultRetention(Duration value) {
    return set(RESULT_RETENTION, value);
  }

  /** Removes completed jobs at once, except those that ask to be kept. */
  public QueueSettings noResultRetention() {
    return setNone(RESULT_RETENTION);
  }

  /**
   * Sets how long jobs are kept after they died. It applies to jobs that die from then on: jobs
   * that are dead already stay for as long as was set when they died.
   *
   * @throws IllegalArgumentException the value is out of its range, {@link Limits#KEEP_LEAST} to
   *     {@link Limits#DELAY_MAX}
   */
  public QueueSettings deadRetention(Duration value) {
    return set(DEAD_RETENTION, value);
  }

  /** Keeps dead letters for ever. */
  public QueueSettings noDeadRetention() {
    return setNone(DEAD_RETENTION);
  }

  /**
   * Sets the most jobs of one concurrency key of the queue that are ready or leased at a time. Keys
   * of the engine have numbers of their own. If the number is raised, blocked jobs become ready at
   * once. If it is lowered, jobs that are ready or leased stay so, and the next one follows when
   * fewer than the new number are.
   *
   * @param value 1 to {@value Limits#PER_KEY_MAX}
   * @throws IllegalArgumentException the value is out of its range
   */
  public QueueSettings perKey(int value) {
    return set(PER_KEY, value);
  }

  /**
   * Sets what happens to the slot of a job with a concurrency key of the queue when the job has to
   * wait: for its next attempt, after a failure or a lease that ran out; because it was snoozed or
   * rescheduled; or for a signal. With {@link KeyOrder#STRICT} it keeps the slot until it is
   * completed, dead, cancelled or removed. So with {@link #perKey} 1 the jobs of a key run strictly
   * one after the other, and with a greater number at most that many have begun and not ended. A
   * job that was enqueued for later has no slot until its time comes, and a dead job that is
   * redriven queues for one again. Keys of the engine are not affected.
   *
   * <p>A change applies to jobs that begin to wait from then on. A job that waits with a slot keeps
   * it until it is ready, or rescheduled.
   */
  public QueueSettings keyOrder(KeyOrder value) {
    return set(KEY_ORDER, value);
  }

  /**
   * Sets how many jobs of the queue may be started in a period. A claim that finds no token gets
   * nothing from this queue. A claim that waits gets a job in the millisecond in which the next
   * token is there. A release returns the token of its start; a snooze does not.
   *
   * <p>Each queue has a bucket of its own, even if the limit is set for a name. The bucket runs on
   * steady time, which nobody sets, and is kept in memory. It is full after a restart, so that a
   * restart allows one more burst. If more than 1,000,000 buckets are not full, the oldest is
   * forgotten and counts as full. A change applies at once. Earlier starts still count, but for no
   * longer than the new bucket takes to fill.
   */
  public QueueSettings rateLimit(RateLimit value) {
    return set(RATE_LIMIT, value);
  }

  /** Removes the rate limit: any number of jobs may be started in a period. */
  public QueueSettings noRateLimit() {
    return setNone(RATE_LIMIT);
  }

  /**
   * Sets how many jobs of each concurrency key may be started in a period, as {@link #rateLimit}
   * does for the queue: each key of the queue has a bucket. Ready jobs of a key without a token are
   * passed over for others, and keep their places. In one priority at most 262,144 jobs are passed
   * over; while there are more, none behind them is served. A key of the whole engine has a bucket
   * in each queue. Jobs without a key are not limited by this.
   */
  public QueueSettings rateLimitPerKey(RateLimit value) {
    return set(RATE_LIMIT_PER_KEY, value);
  }

  /**
   * Removes the rate limit per key: any number of jobs of a concurrency key may be started in a
   * period.
   */
  public QueueSettings noRateLimitPerKey() {
    return setNone(RATE_LIMIT_PER_KEY);
  }

  /**
   * Sets how many jobs of this tenant are served in its turn, when a claim goes across the tenants
   * of the name ({@link JobQueues#claimAcrossTenants}). A tenant without a share has one job in its
   * turn. A change applies from the next job on.
   *
   * @param value 1 to {@value Limits#SHARE_MAX}
   * @throws IllegalArgumentException the value is out of its range
   */
  public QueueSettings share(int value) {
    return set(SHARE, value);
  }

  /**
   * Unsets a setting, so that the value set for the name applies, or else the default. The returned
   * settings show the default; the value that applies is known only where the settings are stored.
   */
  public QueueSettings inherit(Setting setting) {
    Objects.requireNonNull(setting, "setting");
    EnumSet<Setting> rest = EnumSet.noneOf(Setting.class);
    rest.addAll(setHere);
    rest.remove(setting);
    return new QueueSettings(this, values, Collections.unmodifiableSet(rest)).over(DEFAULT);
  }

  /**
   * Returns these settings, with the values of the others for settings that are not set here.
   * {@link #setHere} stays the same.
   */
  public QueueSettings over(QueueSettings others) {
    Objects.requireNonNull(others, "others");
    return new QueueSettings(
        this,
        values.with(others.values, option -> !setHere.contains(TEXTS.setting(option.name()))),
        setHere);
  }

  /**
   * Returns these settings, with the value that the others have for one setting, which counts as
   * set here.
   */
  public QueueSettings with(Setting setting, QueueSettings others) {
    return withSet(
        setting, values.with(others.values, option -> TEXTS.setting(option.name()) == setting));
  }

  /**
   * Returns these settings with changes given as texts by key, for operators and configuration
   * files: {@code leaseDuration}, {@code depthMax}, {@code expiry}, {@code maxAttempts}, {@code
   * backoff}, {@code resultRetention}, {@code deadRetention}, {@code perKey}, {@code keyOrder},
   * {@code rateLimit}, {@code rateLimitPerKey}, {@code share}. Durations are written as for {@link
   * Duration#parse}, a backoff as in {@link Backoff#text}, a rate limit as {@code 100/PT1S burst
   * 10}. {@code none} removes a limit or a retention, and {@code inherit} unsets a setting. The
   * attempts and the backoff are one setting and are inherited together.
   *
   * @throws IllegalArgumentException a key or a value is wrong; the message says what is allowed
   */
  public QueueSettings with(Map<String, String> texts) {
    return TEXTS.change(this, Objects.requireNonNull(texts, "texts"));
  }

  /**
   * Returns the values that apply, as texts by key, in the order of the keys. {@link #with(Map)}
   * takes such texts.
   */
  public Map<String, String> texts() {
    return TEXTS.all(this);
  }

  /**
   * Tells whether the setting that {@link #texts} shows under this key is set here.
   *
   * @throws IllegalArgumentException no setting has this key
   */
  public boolean isSet(String key) {
    return setHere.contains(TEXTS.setting(key));
  }

  /** Returns the settings that are set here, and not for the name or by default. */
  public Set<Setting> setHere() {
    return setHere;
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

  /** Returns how often a job may be started that sets no number itself. */
  public int maxAttempts() {
    return get(MAX_ATTEMPTS);
  }

  /** Returns how long a job waits after each failure if it sets no backoff itself. */
  public Backoff backoff() {
    return get(BACKOFF);
  }

  public Optional<Duration> resultRetention() {
    return get(RESULT_RETENTION);
  }

  public Optional<Duration> deadRetention() {
    return get(DEAD_RETENTION);
  }

  /** Returns how many jobs of one concurrency key may hold a slot at a time. */
  public int perKey() {
    return get(PER_KEY);
  }

  /** Returns what happens to the slot of a job with a concurrency key when the job has to wait. */
  public KeyOrder keyOrder() {
    return get(KEY_ORDER);
  }

  /** Returns how many jobs of the queue may be started in a period; empty for any number. */
  public Optional<RateLimit> rateLimit() {
    return get(RATE_LIMIT);
  }

  /**
   * Returns how many jobs of one concurrency key may be started in a period; empty for any number.
   */
  public Optional<RateLimit> rateLimitPerKey() {
    return get(RATE_LIMIT_PER_KEY);
  }

  /** Returns how many jobs of this tenant are served in its turn. */
  public int share() {
    return get(SHARE);
  }

  @Override
  protected Map<String, Object> values() {
    Map<String, Object> byName = values.byName();
    byName.put("setHere", setHere);
    return byName;
  }
}
