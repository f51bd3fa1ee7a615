package io.millrace.describe;

import io.millrace.api.Backoff;
import io.millrace.api.BatchId;
import io.millrace.api.JobId;
import io.millrace.api.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of single values: how they are sent to another process, and how they are told to people
 * and programs.
 *
 * @param sent the class of the values as they are sent, one of the JDK's
 * @param send turns a value into what is sent
 * @param receive turns what was sent into the value
 * @param tell turns a value into what is told: a text, a number, a boolean, bytes, a list of texts,
 *     or a map of texts or numbers by name; null leaves it out
 * @param sentUnit the unit that is in the names of what is sent; empty for none
 * @param toldUnit the unit that is in the names of what is told; empty for none
 */
public record Kind<V>(
    Class<?> sent,
    Function<V, Object> send,
    Function<Object, V> receive,
    Function<V, @Nullable Object> tell,
    String sentUnit,
    String toldUnit)
    implements Form<V> {

  public static final Kind<String> TEXT = same(String.class);

  /** A text that is not told if it is empty. */
  public static final Kind<String> REMARK = TEXT.told(text -> text.isEmpty() ? null : text);

  public static final Kind<Integer> INT = same(Integer.class);
  public static final Kind<Long> LONG = same(Long.class);
  public static final Kind<Double> DOUBLE = same(Double.class);

  public static final Kind<Boolean> BOOLEAN = same(Boolean.class);

  /** A boolean that is told only if it is true. */
  public static final Kind<Boolean> MARK = BOOLEAN.told(is -> is ? is : null);

  public static final Kind<byte[]> BYTES = same(byte[].class);

  public static final Kind<Instant> INSTANT =
      of(Long.class, Instant::toEpochMilli, Instant::ofEpochMilli)
          .told(Instant::toString)
          .units("Ms", "");

  public static final Kind<Duration> DURATION =
      of(Long.class, Duration::toMillis, Duration::ofMillis).units("Ms", "Ms");

  public static final Kind<JobId> JOB_ID = text(JobId::toString, JobId::parse);

  public static final Kind<BatchId> BATCH_ID = text(BatchId::toString, BatchId::parse);

  public static final Kind<RateLimit> RATE_LIMIT = text(RateLimit::text, RateLimit::parse);

  public static final Kind<Backoff> BACKOFF = text(Backoff::text, Backoff::parse);

  public static final Kind<List<String>> TEXTS = texts(text -> text, text -> text);

  public static final Kind<List<JobId>> JOB_IDS = texts(JobId::toString, JobId::parse);

  public static final Kind<List<Long>> LONGS =
      new Kind<>(
          long[].class,
          numbers -> numbers.stream().mapToLong(Long::longValue).toArray(),
          numbers -> Arrays.stream((long[]) numbers).boxed().toList(),
          numbers -> numbers,
          "",
          "");

  /** Texts that are not told if there are none. */
  public static final Kind<List<String>> TEXTS_IF_ANY =
      TEXTS.told(texts -> texts.isEmpty() ? null : texts);

  /** A map of texts by name. */
  @SuppressWarnings("unchecked") // what is received of a map is what was sent
  public static final Kind<Map<String, String>> NAMED_TEXTS =
      new Kind<>(
          Map.class, texts -> texts, texts -> (Map<String, String>) texts, texts -> texts, "", "");

  /** Returns the kind of values that a text says whole. */
  public static <V> Kind<V> text(Function<V, String> text, Function<String, V> parse) {
    return of(String.class, text, parse);
  }

  /** Returns the kind of lists of values each of which a text says whole. */
  private static <V> Kind<List<V>> texts(Function<V, String> text, Function<String, V> parse) {
    return new Kind<>(
        String[].class,
        values -> values.stream().map(text).toArray(String[]::new),
        texts -> Arrays.stream((String[]) texts).map(parse).toList(),
        values -> values.stream().map(text).toList(),
        "",
        "");
  }

  /** Returns the kind of an enum's constants: their names are sent, and told in lower case. */
  public static <E extends Enum<E>> Kind<E> constant(Class<E> type) {
    return of(String.class, E::name, name -> named(type, name)).told(Kind::word);
  }

  /** Returns the kind of an enum's constants that are told by their names as they are. */
  public static <E extends Enum<E>> Kind<E> constantAsItIs(Class<E> type) {
    return constant(type).told(E::name);
  }

  /** Returns the kind of counts by an enum's constants, in the order of these. */
  public static <E extends Enum<E>> Kind<Map<E, Long>> counts(Class<E> type) {
    return new Kind<>(
        Map.class,
        counts -> byName(counts, E::name),
        counts -> byConstant(type, (Map<?, ?>) counts),
        counts -> byName(counts, Kind::word),
        "",
        "");
  }

  /** Returns a constant as it is told: in lower case. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static <V> Kind<V> same(Class<V> type) {
    return of(type, value -> value, value -> value);
  }

  private static <V, S> Kind<V> of(Class<S> sent, Function<V, S> send, Function<S, V> receive) {
    return new Kind<>(
        sent, send::apply, value -> receive.apply(sent.cast(value)), send::apply, "", "");
  }

  private Kind<V> told(Function<V, @Nullable Object> as) {
    return new Kind<>(sent, send, receive, as, sentUnit, toldUnit);
  }

  private Kind<V> units(String ofSent, String ofTold) {
    return new Kind<>(sent, send, receive, tell, ofSent, ofTold);
  }

  private static <E extends Enum<E>> E named(Class<E> type, String name) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> constant.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new UnknownValueException(type.getSimpleName() + "=" + name));
  }

  private static <E extends Enum<E>> Map<String, Long> byName(
      Map<E, Long> counts, Function<E, String> name) {
    Map<String, Long> named = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> named.put(name.apply(entry.getKey()), entry.getValue()));
    return named;
  }

  private static <E extends Enum<E>> Map<E, Long> byConstant(Class<E> type, Map<?, ?> counts) {
    Map<E, Long> byConstant = new EnumMap<>(type);
    counts.forEach((name, count) -> byConstant.put(named(type, (String) name), (Long) count));
    return byConstant;
  }
}
