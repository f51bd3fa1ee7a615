package io.millrace.outbox.jdbc;

import io.millrace.api.Limits;
import io.millrace.api.Options;
import io.millrace.options.Checks;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Options of a relay. Immutable: start from {@link #DEFAULT}. */
public final class RelayOptions extends Options {

  /** The most rows that may be asked to be relayed in one commit. */
  public static final int BATCH_COUNT_MAX = 5_000;

  /** The shortest time between two looks at the table. */
  public static final Duration POLL_LEAST = Duration.ofMillis(10);

  /** The longest time between two looks at the table. */
  public static final Duration POLL_MAX = Duration.ofHours(1);

  /**
   * The default: a look at the table each 200 ms, 500 rows with 8 MiB in one commit, notes of
   * relayed rows for an hour, 30 s for an answer of the database.
   */
  public static final RelayOptions DEFAULT = new RelayOptions();

  private Duration pollEvery = Duration.ofMillis(200);
  private int batchCountMax = 500;
  private int batchBytesMax = 8 << 20;
  private Duration rememberFor = Duration.ofHours(1);
  private Duration databaseTimeout = Duration.ofSeconds(30);

  private RelayOptions() {}

  private RelayOptions(RelayOptions other) {
    super(other);
    pollEvery = other.pollEvery;
    batchCountMax = other.batchCountMax;
    batchBytesMax = other.batchBytesMax;
    rememberFor = other.rememberFor;
    databaseTimeout = other.databaseTimeout;
  }

  RelayOptions changed(UnaryOperator<RelayOptions> change) {
    return applied(new RelayOptions(this), change);
  }

  /**
   * Sets the time between two looks at a table in which nothing was found, 10 ms to an hour. {@link
   * OutboxRelay#relayNow()} shortens it.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public RelayOptions pollEvery(Duration value) {
    Checks.inRange("pollEvery", value, POLL_LEAST, POLL_MAX);
    RelayOptions changed = new RelayOptions(this);
    changed.pollEvery = value;
    return changed;
  }

  /**
   * Sets the most rows that are relayed in one commit, 1 to {@value #BATCH_COUNT_MAX}.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public RelayOptions batchCountMax(int value) {
    Checks.inRange("batchCountMax", value, 1, BATCH_COUNT_MAX);
    RelayOptions changed = new RelayOptions(this);
    changed.batchCountMax = value;
    return changed;
  }

  /**
   * Sets the most bytes of payloads that are relayed in one commit, 1 to {@value
   * Limits#PAYLOAD_BYTES_MAX}; one row is relayed in any case.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public RelayOptions batchBytesMax(int value) {
    Checks.inRange("batchBytesMax", value, 1, Limits.PAYLOAD_BYTES_MAX);
    RelayOptions changed = new RelayOptions(this);
    changed.batchBytesMax = value;
    return changed;
  }

  /**
   * Sets how long the engine remembers at least that a row was relayed, zero to {@link
   * Limits#DELAY_MAX}. It remembers in any case as long as the row is there. The time is for rows
   * that come back: deleted, and then there again, because the database lost its newest commits in
   * a failover, or was restored.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public RelayOptions rememberFor(Duration value) {
    Checks.upTo("rememberFor", value, Limits.DELAY_MAX);
    RelayOptions changed = new RelayOptions(this);
    changed.rememberFor = value;
    return changed;
  }

  /**
   * Sets how long the relay waits for an answer of the database before it gives up the connection,
   * 1 ms to an hour; zero to wait without end. Where the driver has no such limit ({@link
   * java.sql.Connection#setNetworkTimeout}), this has no effect.
   *
   * @throws IllegalArgumentException the value is out of this range
   */
  public RelayOptions databaseTimeout(Duration value) {
    Checks.upTo("databaseTimeout", value, POLL_MAX);
    RelayOptions changed = new RelayOptions(this);
    changed.databaseTimeout = value;
    return changed;
  }

  public Duration pollEvery() {
    return pollEvery;
  }

  public int batchCountMax() {
    return batchCountMax;
  }

  public int batchBytesMax() {
    return batchBytesMax;
  }

  public Duration rememberFor() {
    return rememberFor;
  }

  public Duration databaseTimeout() {
    return databaseTimeout;
  }

  @Override
  protected Map<String, Object> values() {
    return values(
        "pollEvery", pollEvery,
        "batchCountMax", batchCountMax,
        "batchBytesMax", batchBytesMax,
        "rememberFor", rememberFor,
        "databaseTimeout", databaseTimeout);
  }
}
