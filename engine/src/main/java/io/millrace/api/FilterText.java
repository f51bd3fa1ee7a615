package io.millrace.api;

import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** The text form of a filter's conditions, by key, for operators and other processes. */
final class FilterText {

  private static final String TO = "..";
  private static final String HEADER = "header.";
  private static final String NAME = "a text of 1 to " + Limits.NAME_BYTES_MAX + " bytes";
  private static final String KEY = "a text of 1 to " + Limits.KEY_BYTES_MAX + " bytes";
  private static final String INSTANT = "an instant such as 2030-01-31T12:00:00Z";

  private static final TextFields<JobFilter> CONDITIONS =
      new TextFields<>(
          "condition",
          List.of(
              field(
                  "states",
                  "some of " + Arrays.toString(JobState.values()) + ", with commas between them",
                  FilterText::states,
                  FilterText::withStates),
              field("queueName", NAME, JobFilter::queueName, JobFilter::queueName),
              field(
                  "tenant",
                  "a tenant, empty for the default one",
                  JobFilter::tenant,
                  JobFilter::tenant),
              field("type", NAME, JobFilter::type, JobFilter::type),
              field("uniqueKey", KEY, JobFilter::uniqueKey, JobFilter::uniqueKey),
              field("concurrencyKey", KEY, JobFilter::concurrencyKey, JobFilter::concurrencyKey),
              field(
                  "batch",
                  "the id of a batch, 16 hexadecimal digits",
                  filter -> filter.batch().map(BatchId::toString),
                  (filter, text) -> filter.batch(BatchId.parse(text))),
              field(
                  "priority",
                  "a number from -128 to 127, or two such as 0..10",
                  filter -> range(filter, JobFilter::priorityLeast, JobFilter::priorityMost),
                  (filter, text) -> filter.priority(least(text), most(text))),
              field(
                  "attempts",
                  "a number from 0, or two such as 1..3",
                  filter -> range(filter, JobFilter::attemptsLeast, JobFilter::attemptsMost),
                  (filter, text) -> filter.attempts(least(text), most(text))),
              field(
                  "enqueuedSince",
                  INSTANT,
                  filter -> filter.enqueuedSince().map(Instant::toString),
                  (filter, text) -> filter.enqueuedSince(Instant.parse(text))),
              field(
                  "enqueuedBefore",
                  INSTANT,
                  filter -> filter.enqueuedBefore().map(Instant::toString),
                  (filter, text) -> filter.enqueuedBefore(Instant.parse(text))),
              field(
                  "stuckBefore",
                  INSTANT,
                  filter -> filter.stuckBefore().map(Instant::toString),
                  (filter, text) -> filter.stuckBefore(Instant.parse(text))),
              field("errorContains", "a text", JobFilter::errorContains, JobFilter::errorContains),
              header("NAME")));

  private FilterText() {}

  /** Returns the condition on the header of this name. */
  private static TextFields.Field<JobFilter> header(String name) {
    return field(
        HEADER + name,
        "a text of up to " + Limits.HEADER_BYTES_MAX + " bytes, of a header with a name",
        filter -> Optional.ofNullable(filter.headers().get(name)),
        (filter, text) -> filter.header(name, text));
  }

  private static TextFields.Field<JobFilter> field(
      String key,
      String allowed,
      Function<JobFilter, Optional<String>> text,
      BiFunction<JobFilter, String, JobFilter> with) {
    return new TextFields.Field<>(key, allowed, text, with);
  }

  /** Returns all conditions of the filter as texts by key. */
  static Map<String, String> all(JobFilter filter) {
    Map<String, String> texts = CONDITIONS.all(filter);
    filter.headers().forEach((name, value) -> texts.put(HEADER + name, value));
    return texts;
  }

  static JobFilter change(JobFilter filter, Map<String, String> texts) {
    JobFilter changed = filter;
    for (Map.Entry<String, String> text : texts.entrySet()) {
      String value = Objects.requireNonNull(text.getValue(), text.getKey());
      changed = CONDITIONS.with(changed, field(text.getKey()), value);
    }
    return changed;
  }

  private static TextFields.Field<JobFilter> field(String key) {
    return key.startsWith(HEADER) ? header(key.substring(HEADER.length())) : CONDITIONS.of(key);
  }

  private static Optional<String> states(JobFilter filter) {
    return filter.states().equals(JobFilter.ALL.states())
        ? Optional.empty()
        : Optional.of(
            filter.states().stream().map(JobState::name).collect(Collectors.joining(",")));
  }

  private static JobFilter withStates(JobFilter filter, String names) {
    Set<JobState> states = EnumSet.noneOf(JobState.class);
    for (String name : names.split(",", -1)) {
      states.add(JobState.valueOf(name.strip().toUpperCase(Locale.ROOT)));
    }
    return filter.states(states);
  }

  /**
   * Returns the text of a range of numbers, such as {@code 1..3}, or {@code 3} if both ends are
   * equal; empty if the filter does not restrict the range.
   */
  private static Optional<String> range(
      JobFilter filter, ToIntFunction<JobFilter> ofLeast, ToIntFunction<JobFilter> ofMost) {
    int least = ofLeast.applyAsInt(filter);
    int most = ofMost.applyAsInt(filter);
    boolean isAll =
        least == ofLeast.applyAsInt(JobFilter.ALL) && most == ofMost.applyAsInt(JobFilter.ALL);
    if (isAll) {
      return Optional.empty();
    }
    return Optional.of(least == most ? Integer.toString(least) : least + TO + most);
  }

  private static int least(String range) {
    int at = range.indexOf(TO);
    return Integer.parseInt(at < 0 ? range : range.substring(0, at));
  }

  private static int most(String range) {
    int at = range.indexOf(TO);
    return Integer.parseInt(at < 0 ? range : range.substring(at + TO.length()));
  }
}
