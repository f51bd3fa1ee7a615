package io.millrace.internal.format;

import io.millrace.api.Backoff;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueSettings.Setting;
import io.millrace.api.RateLimit;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A queue's number and settings. On disk, never change.
 *
 * <pre>
 *  tag 1  number  queue number; 0 by default
 *      2  number  origin: 0 SELF_MADE (default), 1 CONFIGURED
 *      3  flag    paused
 *      4  number  lease duration, nanoseconds; 30 s by default
 *      5  number  most jobs that may wait; 0 (no limit) by default
 *      6  number  expiry: 0 READY_AT_ONCE (default), 1 BACKOFF
 *      7  number  creation, epoch ms; 0 by default
 *      8  flag    draining
 *      9  number  most holders of one concurrency key; 1 by default
 *     10  number  starts that the rate limit allows per period; 0 (no limit) by default
 *     11  number  its period, ms; 0 by default
 *     12  number  its burst; 0 by default
 *     13  number  how long results are kept, ms; 0 (not) by default
 *     14  number  how long dead letters are kept, ms; 0 (for ever) by default
 *     15  number  settings that are set though they are the defaults: 1 lease duration,
 *                 2 most jobs, 4 expiry, 8 results, 16 dead letters, 32 holders, 64 rate limit,
 *                 128 rate limit of keys, 256 order of keys; 0 by default. Others are set if they
 *                 are no defaults
 *     16  number  most starts of a job that does not set it; 0 (not set) by default
 *     17  backoff of a job that sets none, as in a job's record; set with 16
 *     18  number  as 10, of each concurrency key
 *     19  number  as 11
 *     20  number  as 12
 *     21  number  jobs of one turn among the tenants of the name; 0 (not set) by default
 *     22  number  order of the jobs of a key: 0 PASSING (default), 1 STRICT
 * </pre>
 */
public record QueueRecord(
    int number,
    Origin origin,
    boolean paused,
    QueueSettings settings,
    long createdAtMs,
    boolean draining) {

  private static final int NUMBER = 1;
  private static final int ORIGIN = 2;
  private static final int PAUSED = 3;
  private static final int LEASE_NANOS = 4;
  private static final int DEPTH_MAX = 5;
  private static final int EXPIRY = 6;
  private static final int CREATED_AT = 7;
  private static final int DRAINING = 8;
  private static final int PER_KEY = 9;
  private static final int RATE_COUNT = 10;
  private static final int RATE_PER = 11;
  private static final int RATE_BURST = 12;
  private static final int DONE_RETENTION = 13;
  private static final int DEAD_RETENTION = 14;
  private static final int SET_DEFAULTS = 15;
  private static final int MAX_ATTEMPTS = 16;
  private static final int BACKOFF = 17;
  private static final int KEY_RATE_COUNT = 18;
  private static final int KEY_RATE_PER = 19;
  private static final int KEY_RATE_BURST = 20;
  private static final int SHARE = 21;
  private static final int KEY_ORDER = 22;
  private static final long LEASE_NANOS_DEFAULT = 30_000_000_000L;

  /** The settings in the order of their bits in SET_DEFAULTS. */
  private static final List<Setting> SETTINGS =
      List.of(
          Setting.LEASE_DURATION,
          Setting.DEPTH_MAX,
          Setting.EXPIRY,
          Setting.RESULT_RETENTION,
          Setting.DEAD_RETENTION,
          Setting.PER_KEY,
          Setting.RATE_LIMIT,
          Setting.RATE_LIMIT_PER_KEY,
          Setting.KEY_ORDER);

  /** The ways in which a queue comes to be. */
  public enum Origin {
    /** The queue came with its first job. It may go again when it has been empty for long. */
    SELF_MADE,
    /** The queue came by a setting, and stays. */
    CONFIGURED
  }

  public QueueRecord {
    KeyLayout.checkQueue(number);
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(settings, "settings");
  }

  /** Returns the record of a queue that comes with its first job, with the default settings. */
  public static QueueRecord selfMade(int number, long createdAtMs) {
    return new QueueRecord(
        number, Origin.SELF_MADE, false, QueueSettings.DEFAULT, createdAtMs, false);
  }

  public QueueRecord withOrigin(Origin value) {
    return new QueueRecord(number, value, paused, settings, createdAtMs, draining);
  }

  public QueueRecord withPaused(boolean value) {
    return new QueueRecord(number, origin, value, settings, createdAtMs, draining);
  }

  public QueueRecord withSettings(QueueSettings value) {
    return new QueueRecord(number, origin, paused, value, createdAtMs, draining);
  }

  public QueueRecord withDraining(boolean value) {
    return new QueueRecord(number, origin, paused, settings, createdAtMs, value);
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.number(NUMBER, number, 0);
    writer.number(ORIGIN, code(origin), 0);
    writer.flag(PAUSED, paused);
    writer.number(LEASE_NANOS, settings.leaseDuration().toNanos(), LEASE_NANOS_DEFAULT);
    writer.number(DEPTH_MAX, settings.depthMax().orElse(0), 0);
    writer.number(EXPIRY, code(settings.expiry()), 0);
    writer.number(CREATED_AT, createdAtMs, 0);
    writer.flag(DRAINING, draining);
    writer.number(PER_KEY, settings.perKey(), 1);
    settings.rateLimit().ifPresent(limit -> write(writer, RATE_COUNT, limit));
    writer.number(DONE_RETENTION, ms(settings.resultRetention()), 0);
    writer.number(DEAD_RETENTION, ms(settings.deadRetention()), 0);
    writer.number(SET_DEFAULTS, setDefaults(settings), 0);
    if (settings.setHere().contains(Setting.RETRY)) {
      writer.number(MAX_ATTEMPTS, settings.maxAttempts(), 0);
      StoredParts.writeBackoff(writer, BACKOFF, settings.backoff());
    }
    settings.rateLimitPerKey().ifPresent(limit -> write(writer, KEY_RATE_COUNT, limit));
    writer.number(SHARE, settings.setHere().contains(Setting.SHARE) ? settings.share() : 0, 0);
    writer.number(KEY_ORDER, code(settings.keyOrder()), 0);
    return writer.seal(key);
  }

  /** Writes the three parts of a rate limit, in tags that follow each other. */
  private static void write(RecordWriter writer, int countTag, RateLimit limit) {
    writer.number(countTag, limit.count(), 0);
    writer.number(countTag + 1, limit.per().toMillis(), 0);
    writer.number(countTag + 2, limit.burst(), 0);
  }

  /**
   * Returns the bits of settings that are set though they are the defaults. Their other fields
   * cannot tell that.
   */
  private static int setDefaults(QueueSettings settings) {
    int bits = 0;
    for (Setting setting : settings.setHere()) {
      boolean isDefault =
          SETTINGS.contains(setting)
              && settings.with(setting, QueueSettings.DEFAULT).equals(settings);
      bits |= isDefault ? 1 << SETTINGS.indexOf(setting) : 0;
    }
    return bits;
  }

  public static QueueRecord decode(byte[] key, byte[] value) {
    return decode(Keyspace.QUEUE, key, value);
  }

  /** Returns a queue record that is a part of a row of another keyspace. */
  static QueueRecord decode(Keyspace keyspace, byte[] key, byte[] value) {
    return RecordReader.decode(keyspace, key, value, QueueRecord::read);
  }

  private static QueueRecord read(RecordReader reader) {
    int number = 0;
    Origin origin = Origin.SELF_MADE;
    boolean isPaused = false;
    long createdAtMs = 0;
    boolean isDraining = false;
    ReadSettings settings = new ReadSettings();
    while (reader.next()) {
      switch (reader.tag()) {
        case NUMBER -> number = reader.intNumber();
        case ORIGIN -> origin = origin(reader);
        case PAUSED -> isPaused = reader.flag();
        case CREATED_AT -> createdAtMs = reader.number();
        case DRAINING -> isDraining = reader.flag();
        default -> settings.read(reader);
      }
    }
    return new QueueRecord(number, origin, isPaused, settings.settings(), createdAtMs, isDraining);
  }

  /** The settings that have been read so far. */
  private static final class ReadSettings {

    private QueueSettings settings = QueueSettings.DEFAULT;
    private int maxAttempts;
    private Backoff backoff = StoredParts.BACKOFF_DEFAULT;
    private final ReadRate rate = new ReadRate();
    private final ReadRate keyRate = new ReadRate();

    private void read(RecordReader reader) {
      switch (reader.tag()) {
        case LEASE_NANOS -> settings = settings.leaseDuration(Duration.ofNanos(reader.number()));
        case DEPTH_MAX -> settings = settings.depthMax(reader.number());
        case EXPIRY -> settings = settings.expiry(expiry(reader));
        case DONE_RETENTION ->
            settings = settings.resultRetention(Duration.ofMillis(reader.number()));
        case DEAD_RETENTION ->
            settings = settings.deadRetention(Duration.ofMillis(reader.number()));
        case PER_KEY -> settings = settings.perKey(reader.intNumber());
        case SHARE -> settings = settings.share(reader.intNumber());
        case KEY_ORDER -> settings = settings.keyOrder(keyOrder(reader));
        case SET_DEFAULTS -> readSetDefaults(reader.intNumber());
        case MAX_ATTEMPTS -> maxAttempts = reader.intNumber();
        case BACKOFF -> backoff = StoredParts.readBackoff(reader);
        case RATE_COUNT -> rate.count = reader.intNumber();
        case RATE_PER -> rate.perMs = reader.number();
        case RATE_BURST -> rate.burst = reader.intNumber();
        case KEY_RATE_COUNT -> keyRate.count = reader.intNumber();
        case KEY_RATE_PER -> keyRate.perMs = reader.number();
        case KEY_RATE_BURST -> keyRate.burst = reader.intNumber();
        default -> {}
      }
    }

    private void readSetDefaults(int bits) {
      for (int i = 0; i < SETTINGS.size(); i++) {
        if ((bits & 1 << i) != 0) {
          settings = settings.with(SETTINGS.get(i), QueueSettings.DEFAULT);
        }
      }
    }

    private QueueSettings settings() {
      QueueSettings read = maxAttempts == 0 ? settings : settings.retry(maxAttempts, backoff);
      read = rate.count == 0 ? read : read.rateLimit(rate.limit());
      return keyRate.count == 0 ? read : read.rateLimitPerKey(keyRate.limit());
    }
  }

  /** The parts of a rate limit that have been read so far. */
  private static final class ReadRate {
    private int count;
    private long perMs;
    private int burst;

    private RateLimit limit() {
      return new RateLimit(count, Duration.ofMillis(perMs), burst);
    }
  }

  private static long ms(Optional<Duration> retention) {
    return retention.map(Duration::toMillis).orElse(0L);
  }

  private static int code(Origin origin) {
    return switch (origin) {
      case SELF_MADE -> 0;
      case CONFIGURED -> 1;
    };
  }

  private static Origin origin(RecordReader reader) {
    return reader.flag() ? Origin.CONFIGURED : Origin.SELF_MADE;
  }

  private static int code(QueueSettings.Expiry expiry) {
    return switch (expiry) {
      case READY_AT_ONCE -> 0;
      case BACKOFF -> 1;
    };
  }

  private static int code(QueueSettings.KeyOrder order) {
    return switch (order) {
      case PASSING -> 0;
      case STRICT -> 1;
    };
  }

  private static QueueSettings.KeyOrder keyOrder(RecordReader reader) {
    return reader.flag() ? QueueSettings.KeyOrder.STRICT : QueueSettings.KeyOrder.PASSING;
  }

  private static QueueSettings.Expiry expiry(RecordReader reader) {
    return reader.flag() ? QueueSettings.Expiry.BACKOFF : QueueSettings.Expiry.READY_AT_ONCE;
  }
}
