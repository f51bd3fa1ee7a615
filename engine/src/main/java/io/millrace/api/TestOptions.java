package io.millrace.api;

import io.millrace.options.Checks;
import io.millrace.options.Option;
import io.millrace.options.OptionTable;
import io.millrace.options.OptionValues;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * The options of an engine that only tests have reasons to set: {@link EngineOptions#forTests}.
 * Immutable: start from {@link #DEFAULT} and change what differs.
 */
public final class TestOptions extends Options {

  private static final OptionTable TABLE = new OptionTable();

  private static final Option<Long, OptionalLong> RANDOM_SEED =
      TABLE.add("randomSeed", OptionalLong.empty(), (name, value) -> OptionalLong.of(value));
  private static final Option<Boolean, Boolean> SPREAD_BACKOFFS = TABLE.add("spreadBackoffs", true);
  private static final Option<Instant, Optional<Instant>> PROCESS_START =
      TABLE.optional("processStart", Checks::instant);

  /** The default options: spread backoffs without a seed, in the process that the system knows. */
  public static final TestOptions DEFAULT = new TestOptions();

  private final OptionValues values;

  private TestOptions() {
    values = OptionValues.of(TABLE);
  }

  private TestOptions(TestOptions other, OptionValues values) {
    super(other);
    this.values = values;
  }

  private <S> TestOptions with(Option<S, ?> option, S value) {
    return new TestOptions(this, values.with(option, value));
  }

  /**
   * Returns the options that the function makes of these. The function's result must contain all
   * changes that it made.
   *
   * @throws IllegalArgumentException the result lacks some of these changes
   */
  public TestOptions changed(UnaryOperator<TestOptions> change) {
    return applied(new TestOptions(this, values), change);
  }

  /** Sets the seed of the jitter of backoffs, which makes it repeatable. */
  public TestOptions randomSeed(long value) {
    return with(RANDOM_SEED, value);
  }

  /** Sets whether backoffs are spread by their jitter. They are, unless a test wants no jitter. */
  public TestOptions spreadBackoffs(boolean value) {
    return with(SPREAD_BACKOFFS, value);
  }

  /**
   * Sets when this process began, for tests that play several processes in one. By default the
   * system is asked.
   *
   * @throws IllegalArgumentException the instant is not from 1970 to 9999
   */
  public TestOptions processStart(Instant value) {
    return with(PROCESS_START, value);
  }

  public OptionalLong randomSeed() {
    return values.get(RANDOM_SEED);
  }

  public boolean spreadBackoffs() {
    return values.get(SPREAD_BACKOFFS);
  }

  public Optional<Instant> processStart() {
    return values.get(PROCESS_START);
  }

  @Override
  protected Map<String, Object> values() {
    return values.byName();
  }
}
