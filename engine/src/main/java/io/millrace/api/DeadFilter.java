package io.millrace.api;

import io.millrace.options.Option;
import io.millrace.options.OptionTable;
import io.millrace.options.OptionValues;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Which dead jobs are meant: those that meet every condition given. Immutable: start from {@link
 * #ALL} and add conditions.
 */
public final class DeadFilter extends Options {

  private static final OptionTable TABLE = new OptionTable();

  private static final Option<String, Optional<String>> ERROR_CONTAINS =
      TABLE.optional("errorContains", Limits.text(Limits.ERROR_BYTES_MAX));
  private static final Option<Instant, Optional<Instant>> DIED_BEFORE =
      TABLE.optional("diedBefore", Limits::instant);
  private static final Option<Instant, Optional<Instant>> DIED_SINCE =
      TABLE.optional("diedSince", Limits::instant);

  /** All dead jobs. */
  public static final DeadFilter ALL = new DeadFilter(OptionValues.of(TABLE));

  private final OptionValues values;

  private DeadFilter(OptionValues values) {
    this.values = values;
  }

  private <S> DeadFilter with(Option<S, ?> option, S value) {
    return new DeadFilter(values.with(option, value));
  }

  /** Only those whose last error contains the text, in the same case. */
  public DeadFilter errorContains(String text) {
    return with(ERROR_CONTAINS, text);
  }

  /** Only those that died earlier than this. */
  public DeadFilter diedBefore(Instant value) {
    return with(DIED_BEFORE, value);
  }

  /** Only those that died at this instant or later. */
  public DeadFilter diedSince(Instant value) {
    return with(DIED_SINCE, value);
  }

  public Optional<String> errorContains() {
    return values.get(ERROR_CONTAINS);
  }

  public Optional<Instant> diedBefore() {
    return values.get(DIED_BEFORE);
  }

  public Optional<Instant> diedSince() {
    return values.get(DIED_SINCE);
  }

  @Override
  protected Map<String, Object> values() {
    return values.byName();
  }
}
