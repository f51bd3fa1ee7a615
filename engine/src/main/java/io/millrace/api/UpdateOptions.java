package io.millrace.api;

import io.millrace.options.Checks;
import io.millrace.options.Option;
import io.millrace.options.OptionTable;
import io.millrace.options.OptionValues;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * The changes to a job that nobody works on. Immutable: start from {@link #NOTHING} and add what
 * changes; the rest stays.
 *
 * <pre>{@code
 * engine.update(id, UpdateOptions.NOTHING.priority(100).maxAttempts(10));
 * }</pre>
 */
public final class UpdateOptions extends Options {

  private static final OptionTable TABLE = new OptionTable();
  private static final TextFields<UpdateOptions> TEXTS = new TextFields<>("change", List.of());

  private static final Option<Integer, OptionalInt> PRIORITY = number("priority", -128, 127);
  private static final Option<Integer, OptionalInt> WEIGHT = number("weight", 1, Limits.WEIGHT_MAX);
  private static final Option<byte[], Optional<byte[]>> PAYLOAD =
      TABLE.optional(
          "payload",
          (name, value) -> Checks.bytes("payload", value, Limits.PAYLOAD_BYTES_MAX).clone());
  private static final Option<Map<String, String>, Optional<Map<String, String>>> HEADERS =
      TABLE.optional("headers", (name, value) -> EnqueueOptions.DEFAULT.headers(value).headers());
  private static final Option<Integer, OptionalInt> MAX_ATTEMPTS =
      number("maxAttempts", 1, Limits.MAX_ATTEMPTS_MAX);
  private static final Option<Backoff, Optional<Backoff>> BACKOFF =
      text("backoff", TextKind.BACKOFF);
  private static final Option<Duration, Optional<Duration>> LEASE_DURATION =
      text("leaseDuration", TextKind.LEASE);

  /** The empty set of changes. */
  public static final UpdateOptions NOTHING = new UpdateOptions();

  private final OptionValues values;

  private UpdateOptions() {
    values = OptionValues.of(TABLE);
  }

  private UpdateOptions(UpdateOptions other, OptionValues values) {
    super(other);
    this.values = values;
  }

  private static Option<Integer, OptionalInt> number(String name, int least, int most) {
    TextKind<Integer, Integer> kind = TextKind.number("a number", least, most);
    return text(TABLE.optionalInt(name, kind.check()), kind);
  }

  private static <T> Option<T, Optional<T>> text(String name, TextKind<T, T> kind) {
    return text(TABLE.optional(name, kind.check()), kind);
  }

  /** Adds the texts of the option's values. */
  private static <S, T> Option<S, T> text(Option<S, T> option, TextKind<S, ?> kind) {
    TEXTS.add(
        new TextFields.Field<>(
            option.name(),
            kind.allowed(),
            changes ->
                Optional.of(changes.values.get(option))
                    .filter(value -> !value.equals(option.otherwise()))
                    .map(TextKind::text),
            (changes, text) -> changes.with(option, kind.value().apply(text))));
    return option;
  }

  private <S> UpdateOptions with(Option<S, ?> option, S value) {
    return new UpdateOptions(this, values.with(option, value));
  }

  /**
   * Returns the changes that the function makes of these. The function's result must contain all
   * changes that it made.
   *
   * @throws IllegalArgumentException the result lacks some of these changes
   */
  public UpdateOptions changed(UnaryOperator<UpdateOptions> change) {
    return applied(new UpdateOptions(this, values), change);
  }

  /**
   * Sets the priority, -128 to 127. Higher priorities are served first. A ready job goes to the
   * back of a priority that is new to it.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public UpdateOptions priority(int value) {
    return with(PRIORITY, value);
  }

  /**
   * Sets the job's weight: the part of a worker's capacity that it takes, 1 to {@value
   * Limits#WEIGHT_MAX}.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public UpdateOptions weight(int value) {
    return with(WEIGHT, value);
  }

  /**
   * Sets the payload, which is copied; at most {@value Limits#PAYLOAD_BYTES_MAX} bytes.
   *
   * @throws IllegalArgumentException the payload is longer
   */
  public UpdateOptions payload(byte[] value) {
    return with(PAYLOAD, value);
  }

  /**
   * Sets the headers, small texts that travel with the payload, in place of all existing ones.
   *
   * @throws IllegalArgumentException as {@link EnqueueOptions#headers(Map)}
   */
  public UpdateOptions headers(Map<String, String> value) {
    return with(HEADERS, value);
  }

  /**
   * Sets the most starts of the job before it is dead, 1 to {@value Limits#MAX_ATTEMPTS_MAX}. A job
   * that was started as often already is served once more.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public UpdateOptions maxAttempts(int value) {
    return with(MAX_ATTEMPTS, value);
  }

  /** Sets how long the job waits after each failure. A wait that has begun stays as it is. */
  public UpdateOptions backoff(Backoff value) {
    return with(BACKOFF, value);
  }

  /**
   * Sets how long the job is leased by a claim that names no duration.
   *
   * @throws IllegalArgumentException the value is out of its range, {@link Limits#LEASE_LEAST} to
   *     {@link Limits#LEASE_MAX}
   */
  public UpdateOptions leaseDuration(Duration value) {
    return with(LEASE_DURATION, value);
  }

  /**
   * Returns these changes with further ones, given as texts by key, for operators and other
   * processes: {@code priority}, {@code weight}, {@code maxAttempts}, {@code backoff} (as in {@link
   * Backoff#text}) and {@code leaseDuration} (as in {@link Duration#parse}). The payload and the
   * headers have no texts.
   *
   * @throws IllegalArgumentException a key or a value is wrong; the message says what is allowed
   */
  public UpdateOptions with(Map<String, String> texts) {
    return TEXTS.with(this, Objects.requireNonNull(texts, "texts"));
  }

  /**
   * Returns the changes other than those of the payload and the headers, as texts by key, as {@link
   * #with(Map)} takes them.
   */
  public Map<String, String> texts() {
    return TEXTS.all(this);
  }

  public OptionalInt priority() {
    return values.get(PRIORITY);
  }

  public OptionalInt weight() {
    return values.get(WEIGHT);
  }

  /** Returns the new payload. The caller's own copy. */
  public Optional<byte[]> payload() {
    return values.get(PAYLOAD).map(byte[]::clone);
  }

  public Optional<Map<String, String>> headers() {
    return values.get(HEADERS);
  }

  public OptionalInt maxAttempts() {
    return values.get(MAX_ATTEMPTS);
  }

  public Optional<Backoff> backoff() {
    return values.get(BACKOFF);
  }

  public Optional<Duration> leaseDuration() {
    return values.get(LEASE_DURATION);
  }

  @Override
  protected Map<String, Object> values() {
    Map<String, Object> byName = values.byName();
    byName.put(PAYLOAD.name(), values.get(PAYLOAD).map(ByteBuffer::wrap));
    return byName;
  }
}
