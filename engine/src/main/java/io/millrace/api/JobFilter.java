package io.millrace.api;

import io.millrace.options.Checks;
import io.millrace.options.Option;
import io.millrace.options.OptionTable;
import io.millrace.options.OptionValues;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A filter of jobs: a job matches if it meets every condition given. Immutable: start from {@link
 * #ALL} and add conditions.
 *
 * <pre>{@code
 * JobFilter old = JobFilter.ALL.states(Set.of(READY, DELAYED)).enqueuedBefore(yesterday);
 * }</pre>
 */
public final class JobFilter extends Options {

  private static final OptionTable TABLE = new OptionTable();

  private static final Option<Set<JobState>, Set<JobState>> STATES =
      TABLE.add(
          "states",
          Collections.unmodifiableSet(EnumSet.allOf(JobState.class)),
          JobFilter::someStates);
  private static final Option<String, Optional<String>> QUEUE_NAME =
      TABLE.optional("queueName", Checks.text(Limits.NAME_BYTES_MAX));
  private static final Option<String, Optional<String>> TENANT =
      TABLE.optional("tenant", JobFilter::anyTenant);
  private static final Option<String, Optional<String>> TYPE =
      TABLE.optional("type", Checks.text(Limits.NAME_BYTES_MAX));
  private static final Option<String, Optional<String>> UNIQUE_KEY =
      TABLE.optional("uniqueKey", Checks.text(Limits.KEY_BYTES_MAX));
  private static final Option<String, Optional<String>> CONCURRENCY_KEY =
      TABLE.optional("concurrencyKey", Checks.text(Limits.KEY_BYTES_MAX));
  private static final Option<Integer, Integer> PRIORITY_LEAST =
      TABLE.add("priorityLeast", (int) Byte.MIN_VALUE);
  private static final Option<Integer, Integer> PRIORITY_MOST =
      TABLE.add("priorityMost", (int) Byte.MAX_VALUE);
  private static final Option<Integer, Integer> ATTEMPTS_LEAST = TABLE.add("attemptsLeast", 0);
  private static final Option<Integer, Integer> ATTEMPTS_MOST =
      TABLE.add("attemptsMost", Integer.MAX_VALUE);
  private static final Option<Instant, Optional<Instant>> ENQUEUED_SINCE =
      TABLE.optional("enqueuedSince", Checks::instant);
  private static final Option<Instant, Optional<Instant>> ENQUEUED_BEFORE =
      TABLE.optional("enqueuedBefore", Checks::instant);
  private static final Option<String, Optional<String>> ERROR_CONTAINS =
      TABLE.optional("errorContains", Checks.text(Limits.ERROR_BYTES_MAX));
  private static final Option<BatchId, Optional<BatchId>> BATCH =
      TABLE.optional("batch", (name, value) -> value);
  private static final Option<Instant, Optional<Instant>> STUCK_BEFORE =
      TABLE.optional("stuckBefore", Checks::instant);
  private static final Option<Map<String, String>, Map<String, String>> HEADERS =
      TABLE.add("headers", Map.of());

  /** A filter that matches every job of every queue. */
  public static final JobFilter ALL = new JobFilter(OptionValues.of(TABLE));

  private final OptionValues values;

  private JobFilter(OptionValues values) {
    this.values = values;
  }

  private <S> JobFilter with(Option<S, ?> option, S value) {
    return new JobFilter(values.with(option, value));
  }

  /**
   * Asks for jobs in one of these states. At least one state must be given.
   *
   * @throws IllegalArgumentException the set is empty
   */
  public JobFilter states(Set<JobState> value) {
    return with(STATES, value);
  }

  /** Asks for jobs in this state. */
  public JobFilter state(JobState value) {
    return states(EnumSet.of(Objects.requireNonNull(value, "state")));
  }

  /** Asks for jobs in this queue. */
  public JobFilter queue(QueueName value) {
    Objects.requireNonNull(value, "queue");
    return queueName(value.name()).tenant(value.tenant());
  }

  /**
   * Asks for jobs in queues of this name, whatever the tenant.
   *
   * @throws IllegalArgumentException the text has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public JobFilter queueName(String value) {
    return with(QUEUE_NAME, value);
  }

  /**
   * Asks for jobs in queues of this tenant, whatever the name. The empty text is the default
   * tenant.
   *
   * @throws IllegalArgumentException the text has more than {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public JobFilter tenant(String value) {
    return with(TENANT, value);
  }

  /**
   * Asks for jobs whose priority is in this range, both ends inclusive.
   *
   * @throws IllegalArgumentException an end is not from -128 to 127, or the range is empty
   */
  public JobFilter priority(int least, int most) {
    Checks.inRange("priority least", least, Byte.MIN_VALUE, Byte.MAX_VALUE);
    Checks.inRange("priority most", most, least, Byte.MAX_VALUE);
    return with(PRIORITY_LEAST, least).with(PRIORITY_MOST, most);
  }

  /**
   * Asks for jobs whose number of starts is in this range, the running attempt included; both ends
   * inclusive.
   *
   * @throws IllegalArgumentException an end is negative, or the range is empty
   */
  public JobFilter attempts(int least, int most) {
    Checks.inRange("attempts least", least, 0, Integer.MAX_VALUE);
    Checks.inRange("attempts most", most, least, Integer.MAX_VALUE);
    return with(ATTEMPTS_LEAST, least).with(ATTEMPTS_MOST, most);
  }

  /**
   * Asks for jobs enqueued at this instant or later.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999
   */
  public JobFilter enqueuedSince(Instant value) {
    return with(ENQUEUED_SINCE, value);
  }

  /**
   * Asks for jobs enqueued earlier than this instant. It is not an age, so that all pages match the
   * same jobs.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999
   */
  public JobFilter enqueuedBefore(Instant value) {
    return with(ENQUEUED_BEFORE, value);
  }

  /**
   * Asks for jobs with a last error that contains this text, in the same case.
   *
   * @throws IllegalArgumentException the text has not 1 to {@value Limits#ERROR_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public JobFilter errorContains(String value) {
    return with(ERROR_CONTAINS, value);
  }

  /**
   * Asks for jobs of this type. A job without a type has its queue's name as type.
   *
   * @throws IllegalArgumentException the text has not 1 to {@value Limits#NAME_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public JobFilter type(String value) {
    return with(TYPE, value);
  }

  /**
   * Asks for jobs enqueued with this unique key, whether they still hold it or not.
   *
   * @throws IllegalArgumentException the text has not 1 to {@value Limits#KEY_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public JobFilter uniqueKey(String value) {
    return with(UNIQUE_KEY, value);
  }

  /**
   * Asks for jobs in any state with this concurrency key, whether it is a key of their queue or of
   * the engine.
   *
   * @throws IllegalArgumentException the text has not 1 to {@value Limits#KEY_BYTES_MAX} bytes of
   *     UTF-8, or is not valid Unicode
   */
  public JobFilter concurrencyKey(String value) {
    return with(CONCURRENCY_KEY, value);
  }

  /**
   * Asks for jobs of this batch. There is no index of batches: the jobs that meet the other
   * conditions are looked at one by one, a page at a time.
   */
  public JobFilter batch(BatchId value) {
    return with(BATCH, value);
  }

  /**
   * Asks for jobs that have waited for a signal without a deadline since before this instant:
   * nothing but the signal wakes them. {@link JobAdmin#failStuck} gives one up.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999
   */
  public JobFilter stuckBefore(Instant value) {
    return with(STUCK_BEFORE, value);
  }

  /**
   * Asks for jobs that have this header with this value. Headers named before must be there as
   * well. There is no index of headers: the jobs that meet the other conditions are looked at one
   * by one, a page at a time, and long payloads are read for it.
   *
   * @throws IllegalArgumentException there are more than {@value Limits#HEADER_COUNT_MAX} headers,
   *     the name is empty, or a text has more than {@value Limits#HEADER_BYTES_MAX} bytes of UTF-8
   *     or is not valid Unicode
   */
  public JobFilter header(String name, String value) {
    Checks.text("header name", name, 1, Limits.HEADER_BYTES_MAX);
    Checks.text("header " + name, value, 0, Limits.HEADER_BYTES_MAX);
    Map<String, String> more = new LinkedHashMap<>(headers());
    more.put(name, value);
    Checks.inRange("number of headers", more.size(), 0, Limits.HEADER_COUNT_MAX);
    return with(HEADERS, Collections.unmodifiableMap(more));
  }

  /**
   * Returns this filter with further conditions, given as texts by key, for operators and other
   * processes: {@code states} (names with commas between them), {@code queueName}, {@code tenant},
   * {@code type}, {@code uniqueKey}, {@code concurrencyKey}, {@code batch}, {@code priority} and
   * {@code attempts} ({@code 3}, or {@code 0..10} with both ends inclusive), {@code enqueuedSince},
   * {@code enqueuedBefore}, {@code stuckBefore} (as in {@link Instant#parse}), {@code
   * errorContains}, and for each header {@code header.NAME}.
   *
   * @throws IllegalArgumentException a key or a value is wrong; the message says what is allowed
   */
  public JobFilter with(Map<String, String> texts) {
    return FilterText.change(this, Objects.requireNonNull(texts, "texts"));
  }

  /**
   * Returns the conditions as texts by key, as {@link #with(Map)} takes them; none for {@link
   * #ALL}.
   */
  public Map<String, String> texts() {
    return FilterText.all(this);
  }

  private static Set<JobState> someStates(String name, Set<JobState> value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("states is empty: name at least one, or leave it out");
    }
    return Collections.unmodifiableSet(EnumSet.copyOf(value));
  }

  private static String anyTenant(String name, String value) {
    return Checks.text(name, value, 0, Limits.NAME_BYTES_MAX);
  }

  public Set<JobState> states() {
    return values.get(STATES);
  }

  public Optional<String> queueName() {
    return values.get(QUEUE_NAME);
  }

  public Optional<String> tenant() {
    return values.get(TENANT);
  }

  public int priorityLeast() {
    return values.get(PRIORITY_LEAST);
  }

  public int priorityMost() {
    return values.get(PRIORITY_MOST);
  }

  public int attemptsLeast() {
    return values.get(ATTEMPTS_LEAST);
  }

  public int attemptsMost() {
    return values.get(ATTEMPTS_MOST);
  }

  public Optional<Instant> enqueuedSince() {
    return values.get(ENQUEUED_SINCE);
  }

  public Optional<Instant> enqueuedBefore() {
    return values.get(ENQUEUED_BEFORE);
  }

  public Optional<String> errorContains() {
    return values.get(ERROR_CONTAINS);
  }

  public Optional<String> type() {
    return values.get(TYPE);
  }

  public Optional<String> uniqueKey() {
    return values.get(UNIQUE_KEY);
  }

  public Optional<String> concurrencyKey() {
    return values.get(CONCURRENCY_KEY);
  }

  public Optional<BatchId> batch() {
    return values.get(BATCH);
  }

  public Optional<Instant> stuckBefore() {
    return values.get(STUCK_BEFORE);
  }

  /** Returns the headers that jobs must have, by name. */
  public Map<String, String> headers() {
    return values.get(HEADERS);
  }

  @Override
  protected Map<String, Object> values() {
    return values.byName();
  }
}
