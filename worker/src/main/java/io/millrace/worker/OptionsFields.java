package io.millrace.worker;

import io.millrace.api.Backoff;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.RateLimit;
import io.millrace.api.UniqueKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of {@link EnqueueOptions}, all but an instant, which options of recurring jobs do not
 * have. A value that is as in the default has no field. Durations are in nanoseconds. On disk,
 * never change.
 *
 * <pre>
 *  32  priority            38  header's value, after each name   44  concurrency key
 *  33  delay               39  type                              45  concurrency key of the engine
 *  34  attempts            40  time to live                      46  of how many
 *  35  lease duration      41  retention of the result           47  backoff, as fields below
 *  36  weight              42  unique key                        48  rate key of the engine
 *  37  header's name       43  its scope, window and what        49  its limit, as a text
 *                              happens on conflict, as numbers
 *
 *  of a backoff   1  kind: 1 exponential, 2 linear, 3 a list   2  initial   3  multiplier   4  step
 *                 5  longest   6  jitter   7  wait of a list, each
 *  of unique (43) 1  scope: 1 until started, 2 until finished, 3 for a time   2  window
 *                 3  on conflict: 1 keep, 2 replace
 * </pre>
 */
final class OptionsFields {

  /** The least tag; all are from this one to {@link #TAG_MOST}. */
  static final int TAG_LEAST = 32;

  static final int TAG_MOST = 63;

  private static final int PRIORITY = 32;
  private static final int DELAY = 33;
  private static final int ATTEMPTS = 34;
  private static final int LEASE = 35;
  private static final int WEIGHT = 36;
  private static final int HEADER_NAME = 37;
  private static final int HEADER_VALUE = 38;
  private static final int TYPE = 39;
  private static final int TIME_TO_LIVE = 40;
  private static final int RETENTION = 41;
  private static final int UNIQUE = 42;
  private static final int UNIQUE_RULES = 43;
  private static final int KEY = 44;
  private static final int ENGINE_KEY = 45;
  private static final int ENGINE_KEY_MOST = 46;
  private static final int BACKOFF = 47;
  private static final int ENGINE_RATE_KEY = 48;
  private static final int ENGINE_RATE = 49;

  private static final int KIND = 1;
  private static final int INITIAL = 2;
  private static final int MULTIPLIER = 3;
  private static final int STEP = 4;
  private static final int LONGEST = 5;
  private static final int JITTER = 6;
  private static final int WAIT = 7;
  private static final int EXPONENTIAL = 1;
  private static final int LINEAR = 2;
  private static final int LIST = 3;

  private static final int SCOPE = 1;
  private static final int WINDOW = 2;
  private static final int CONFLICT = 3;

  private EnqueueOptions options = EnqueueOptions.DEFAULT;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private @Nullable String headerName;
  private @Nullable String key;
  private @Nullable String engineKey;
  private @Nullable String engineRateKey;

  static void write(FieldWriter out, EnqueueOptions options) {
    if (options.priority() != 0) {
      out.number(PRIORITY, options.priority());
    }
    if (!options.delay().isZero()) {
      out.number(DELAY, options.delay().toNanos());
    }
    options.maxAttempts().ifPresent(value -> out.number(ATTEMPTS, value));
    options.leaseDuration().ifPresent(value -> out.number(LEASE, value.toNanos()));
    if (options.weight() != 1) {
      out.number(WEIGHT, options.weight());
    }
    options
        .headers()
        .forEach(
            (name, value) -> {
              out.text(HEADER_NAME, name);
              out.text(HEADER_VALUE, value);
            });
    options.type().ifPresent(value -> out.text(TYPE, value));
    options.timeToLive().ifPresent(value -> out.number(TIME_TO_LIVE, value.toNanos()));
    options.resultRetention().ifPresent(value -> out.number(RETENTION, value.toNanos()));
    options.unique().ifPresent(value -> write(out, value));
    options.concurrencyKey().ifPresent(value -> out.text(KEY, value));
    options.engineConcurrencyKey().ifPresent(value -> out.text(ENGINE_KEY, value));
    options.engineConcurrencyMost().ifPresent(value -> out.number(ENGINE_KEY_MOST, value));
    options.backoff().ifPresent(value -> out.bytes(BACKOFF, bytes(value)));
    options.engineRateKey().ifPresent(value -> out.text(ENGINE_RATE_KEY, value));
    options.engineRateLimit().ifPresent(value -> out.text(ENGINE_RATE, value.text()));
  }

  private static void write(FieldWriter out, UniqueKey unique) {
    FieldWriter rules = new FieldWriter();
    rules.number(
        SCOPE,
        switch (unique.scope()) {
          case UNTIL_STARTED -> 1;
          case UNTIL_FINISHED -> 2;
          case FOR -> 3;
        });
    rules.number(WINDOW, unique.window().toNanos());
    rules.number(CONFLICT, unique.onConflict() == UniqueKey.OnConflict.KEEP_EXISTING ? 1 : 2);
    out.text(UNIQUE, unique.key());
    out.bytes(UNIQUE_RULES, rules.toBytes());
  }

  private static byte[] bytes(Backoff backoff) {
    FieldWriter out = new FieldWriter();
    if (backoff instanceof Backoff.Exponential it) {
      out.number(KIND, EXPONENTIAL);
      out.number(INITIAL, it.initial().toNanos());
      out.number(MULTIPLIER, Double.doubleToLongBits(it.multiplier()));
      out.number(LONGEST, it.max().toNanos());
    } else if (backoff instanceof Backoff.Linear it) {
      out.number(KIND, LINEAR);
      out.number(INITIAL, it.initial().toNanos());
      out.number(STEP, it.step().toNanos());
      out.number(LONGEST, it.max().toNanos());
    } else {
      out.number(KIND, LIST);
      ((Backoff.Custom) backoff).delays().forEach(delay -> out.number(WAIT, delay.toNanos()));
    }
    out.number(JITTER, Double.doubleToLongBits(backoff.jitter()));
    return out.toBytes();
  }

  /** Reads the field that the reader is at. */
  void read(FieldReader in) {
    switch (in.tag()) {
      case PRIORITY -> options = options.priority(in.small());
      case DELAY -> options = options.delay(duration(in));
      case ATTEMPTS -> options = options.maxAttempts(in.small());
      case LEASE -> options = options.leaseDuration(duration(in));
      case WEIGHT -> options = options.weight(in.small());
      case HEADER_NAME -> headerName = in.text();
      case HEADER_VALUE -> headers.put(before(in, headerName), in.text());
      case TYPE -> options = options.type(in.text());
      case TIME_TO_LIVE -> options = options.timeToLive(duration(in));
      case RETENTION -> options = options.resultRetention(duration(in));
      case UNIQUE -> key = in.text();
      case UNIQUE_RULES -> options = options.unique(unique(before(in, key), in.bytes()));
      case KEY -> options = options.concurrencyKey(in.text());
      case ENGINE_KEY -> engineKey = in.text();
      case ENGINE_KEY_MOST ->
          options = options.engineConcurrencyKey(before(in, engineKey), in.small());
      case BACKOFF -> options = options.backoff(backoff(in.bytes()));
      case ENGINE_RATE_KEY -> engineRateKey = in.text();
      case ENGINE_RATE ->
          options = options.engineRateLimit(before(in, engineRateKey), RateLimit.parse(in.text()));
      default -> throw in.unknown();
    }
  }

  /** Returns the options that the fields read so far make up. */
  EnqueueOptions options() {
    return options.headers(headers);
  }

  private static String before(FieldReader in, @Nullable String text) {
    if (text == null) {
      throw in.flaw("a field is missing before this one");
    }
    return text;
  }

  private static Duration duration(FieldReader in) {
    return Duration.ofNanos(in.number());
  }

  private static UniqueKey unique(String key, byte[] rules) {
    UniqueKey unique = UniqueKey.of(key);
    UniqueKey.Scope scope = unique.scope();
    Duration window = Duration.ZERO;
    UniqueKey.OnConflict conflict = unique.onConflict();
    FieldReader in = new FieldReader(rules);
    while (in.next()) {
      switch (in.tag()) {
        case SCOPE ->
            scope =
                switch (in.small()) {
                  case 1 -> UniqueKey.Scope.UNTIL_STARTED;
                  case 2 -> UniqueKey.Scope.UNTIL_FINISHED;
                  case 3 -> UniqueKey.Scope.FOR;
                  default -> throw in.flaw("there is no such scope of a unique key");
                };
        case WINDOW -> window = duration(in);
        case CONFLICT ->
            conflict =
                switch (in.small()) {
                  case 1 -> UniqueKey.OnConflict.KEEP_EXISTING;
                  case 2 -> UniqueKey.OnConflict.REPLACE;
                  default -> throw in.flaw("there is no such answer to a held unique key");
                };
        default -> throw in.unknown();
      }
    }
    return new UniqueKey(key, scope, window, conflict);
  }

  private static Backoff backoff(byte[] bytes) {
    int kind = 0;
    Duration initial = Duration.ZERO;
    Duration step = Duration.ZERO;
    Duration longest = Duration.ZERO;
    double multiplier = 1;
    double jitter = 0;
    List<Duration> waits = new ArrayList<>();
    FieldReader in = new FieldReader(bytes);
    while (in.next()) {
      switch (in.tag()) {
        case KIND -> kind = in.small();
        case INITIAL -> initial = duration(in);
        case MULTIPLIER -> multiplier = Double.longBitsToDouble(in.number());
        case STEP -> step = duration(in);
        case LONGEST -> longest = duration(in);
        case JITTER -> jitter = Double.longBitsToDouble(in.number());
        case WAIT -> waits.add(duration(in));
        default -> throw in.unknown();
      }
    }
    return switch (kind) {
      case EXPONENTIAL -> new Backoff.Exponential(initial, multiplier, longest, jitter);
      case LINEAR -> new Backoff.Linear(initial, step, longest, jitter);
      case LIST -> new Backoff.Custom(waits, jitter);
      default -> throw in.flaw("there is no such kind of backoff: " + kind);
    };
  }
}
