package io.millrace.api;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Which jobs are meant: those that meet every condition given. Immutable: start from {@link #ALL}
 * and add conditions.
 *
 * <pre>{@code
 * JobFilter old = JobFilter.ALL.states(Set.of(READY, DELAYED)).enqueuedBefore(yesterday);
 * }</pre>
 */
public final class JobFilter extends Options {

  /** Every job of every queue. */
  public static final JobFilter ALL = new JobFilter();

  private Set<JobState> states = Collections.unmodifiableSet(EnumSet.allOf(JobState.class));
  private Optional<String> queueName = Optional.empty();
  private Optional<String> tenant = Optional.empty();
  private int priorityLeast = Byte.MIN_VALUE;
  private int priorityMost = Byte.MAX_VALUE;
  private int attemptsLeast;
  private int attemptsMost = Integer.MAX_VALUE;
  private Optional<Instant> enqueuedSince = Optional.empty();
  private Optional<Instant> enqueuedBefore = Optional.empty();
  private Optional<String> errorContains = Optional.empty();
  private Optional<String> type = Optional.empty();
  private Optional<String> uniqueKey = Optional.empty();
  private Optional<String> concurrencyKey = Optional.empty();
  private Optional<Instant> stuckBefore = Optional.empty();
  private Map<String, String> headers = Map.of();

  private JobFilter() {}

  private JobFilter(JobFilter other) {
    states = other.states;
    queueName = other.queueName;
    tenant = other.tenant;
    priorityLeast = other.priorityLeast;
    priorityMost = other.priorityMost;
    attemptsLeast = other.attemptsLeast;
    attemptsMost = other.attemptsMost;
    enqueuedSince = other.enqueuedSince;
    enqueuedBefore = other.enqueuedBefore;
    errorContains = other.errorContains;
    type = other.type;
    uniqueKey = other.uniqueKey;
    concurrencyKey = other.concurrencyKey;
    stuckBefore = other.stuckBefore;
    headers = other.headers;
  }

  /** In one of these states, of which there is at least one. */
  public JobFilter states(Set<JobState> value) {
    Objects.requireNonNull(value, "states");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("states is empty: name at least one, or leave it out");
    }
    JobFilter changed = new JobFilter(this);
    changed.states = Collections.unmodifiableSet(EnumSet.copyOf(value));
    return changed;
  }

  /** In this state. */
  public JobFilter state(JobState value) {
    return states(EnumSet.of(Objects.requireNonNull(value, "state")));
  }

  /** In this queue. */
  public JobFilter queue(QueueName value) {
    Objects.requireNonNull(value, "queue");
    return queueName(value.name()).tenant(value.tenant());
  }

  /** In queues of this name, whatever the tenant. */
  public JobFilter queueName(String value) {
    Limits.text("queueName", value, 1, Limits.NAME_BYTES_MAX);
    JobFilter changed = new JobFilter(this);
    changed.queueName = Optional.of(value);
    return changed;
  }

  /** In queues of this tenant, whatever the name; the empty text is the default tenant. */
  public JobFilter tenant(String value) {
    Limits.text("tenant", value, 0, Limits.NAME_BYTES_MAX);
    JobFilter changed = new JobFilter(this);
    changed.tenant = Optional.of(value);
    return changed;
  }

  /** Of a priority in this range, both ends inclusive. */
  public JobFilter priority(int least, int most) {
    Limits.inRange("priority least", least, Byte.MIN_VALUE, Byte.MAX_VALUE);
    Limits.inRange("priority most", most, least, Byte.MAX_VALUE);
    JobFilter changed = new JobFilter(this);
    changed.priorityLeast = least;
    changed.priorityMost = most;
    return changed;
  }

  /** Started so often, the running attempt included; both ends inclusive. */
  public JobFilter attempts(int least, int most) {
    Limits.inRange("attempts least", least, 0, Integer.MAX_VALUE);
    Limits.inRange("attempts most", most, least, Integer.MAX_VALUE);
    JobFilter changed = new JobFilter(this);
    changed.attemptsLeast = least;
    changed.attemptsMost = most;
    return changed;
  }

  /** Enqueued at this instant or later. */
  public JobFilter enqueuedSince(Instant value) {
    JobFilter changed = new JobFilter(this);
    changed.enqueuedSince = Optional.of(Limits.instant("enqueuedSince", value));
    return changed;
  }

  /** Enqueued earlier than this: an instant and no age, so that all pages mean the same jobs. */
  public JobFilter enqueuedBefore(Instant value) {
    JobFilter changed = new JobFilter(this);
    changed.enqueuedBefore = Optional.of(Limits.instant("enqueuedBefore", value));
    return changed;
  }

  /** With a last error that contains this text, in the same case. */
  public JobFilter errorContains(String value) {
    Objects.requireNonNull(value, "errorContains");
    Limits.text("errorContains", value, 1, Limits.ERROR_BYTES_MAX);
    JobFilter changed = new JobFilter(this);
    changed.errorContains = Optional.of(value);
    return changed;
  }

  /** Of this type; jobs without one are of their queue's name. */
  public JobFilter type(String value) {
    JobFilter changed = new JobFilter(this);
    changed.type = Optional.of(Limits.text("type", value, 1, Limits.NAME_BYTES_MAX));
    return changed;
  }

  /** Enqueued with this unique key, whether they hold it still or not. */
  public JobFilter uniqueKey(String value) {
    JobFilter changed = new JobFilter(this);
    changed.uniqueKey = Optional.of(Limits.text("uniqueKey", value, 1, Limits.KEY_BYTES_MAX));
    return changed;
  }

  /** With this concurrency key, be it of their queue or of the engine, in whatever state. */
  public JobFilter concurrencyKey(String value) {
    JobFilter changed = new JobFilter(this);
    changed.concurrencyKey =
        Optional.of(Limits.text("concurrencyKey", value, 1, Limits.KEY_BYTES_MAX));
    return changed;
  }

  /** Waiting for a signal without a deadline, since before this instant. */
  public JobFilter stuckBefore(Instant value) {
    JobFilter changed = new JobFilter(this);
    changed.stuckBefore = Optional.of(Limits.instant("stuckBefore", value));
    return changed;
  }

  /**
   * With this header, of this value; beside other headers that were named, of which it must have
   * all. There is no index of headers: what the other conditions leave is looked at job by job, a
   * page at a time, and long payloads are read for it.
   */
  public JobFilter header(String name, String value) {
    Limits.text("header name", name, 1, Limits.HEADER_BYTES_MAX);
    Limits.text("header " + name, value, 0, Limits.HEADER_BYTES_MAX);
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    Limits.inRange("number of headers", more.size(), 0, Limits.HEADER_COUNT_MAX);
    JobFilter changed = new JobFilter(this);
    changed.headers = Collections.unmodifiableMap(more);
    return changed;
  }

  /**
   * This one with conditions as texts by key, for operators and other processes: {@code states}
   * (names with commas between them), {@code queueName}, {@code tenant}, {@code type}, {@code
   * uniqueKey}, {@code concurrencyKey}, {@code priority} and {@code attempts} ({@code 3}, or {@code
   * 0..10} with both ends inclusive), {@code enqueuedSince}, {@code enqueuedBefore}, {@code
   * stuckBefore} (as in {@link Instant#parse}), {@code errorContains}, and for each header {@code
   * header.NAME}.
   *
   * @throws IllegalArgumentException a key or a value is wrong; the message says what is allowed
   */
  public JobFilter with(Map<String, String> texts) {
    return FilterText.change(this, Objects.requireNonNull(texts, "texts"));
  }

  /** The conditions as texts by key that {@link #with(Map)} takes; none for {@link #ALL}. */
  public Map<String, String> texts() {
    return FilterText.all(this);
  }

  public Set<JobState> states() {
    return states;
  }

  public Optional<String> queueName() {
    return queueName;
  }

  public Optional<String> tenant() {
    return tenant;
  }

  public int priorityLeast() {
    return priorityLeast;
  }

  public int priorityMost() {
    return priorityMost;
  }

  public int attemptsLeast() {
    return attemptsLeast;
  }

  public int attemptsMost() {
    return attemptsMost;
  }

  public Optional<Instant> enqueuedSince() {
    return enqueuedSince;
  }

  public Optional<Instant> enqueuedBefore() {
    return enqueuedBefore;
  }

  public Optional<String> errorContains() {
    return errorContains;
  }

  public Optional<String> type() {
    return type;
  }

  public Optional<String> uniqueKey() {
    return uniqueKey;
  }

  public Optional<String> concurrencyKey() {
    return concurrencyKey;
  }

  public Optional<Instant> stuckBefore() {
    return stuckBefore;
  }

  /** Headers that jobs must have, by name. */
  public Map<String, String> headers() {
    return headers;
  }

  @Override
  protected Map<String, Object> values() {
    return values(
        "states", states,
        "queueName", queueName,
        "tenant", tenant,
        "type", type,
        "uniqueKey", uniqueKey,
        "concurrencyKey", concurrencyKey,
        "priorityLeast", priorityLeast,
        "priorityMost", priorityMost,
        "attemptsLeast", attemptsLeast,
        "attemptsMost", attemptsMost,
        "enqueuedSince", enqueuedSince,
        "enqueuedBefore", enqueuedBefore,
        "errorContains", errorContains,
        "stuckBefore", stuckBefore,
        "headers", headers);
  }
}
