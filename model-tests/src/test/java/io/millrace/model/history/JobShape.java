package io.millrace.model.history;

import static java.time.Duration.ofSeconds;

import io.millrace.api.Backoff;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.RateLimit;
import io.millrace.api.UniqueKey;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a job of a history looks like, in plain numbers.
 *
 * @param seconds how far away it becomes visible, if later
 * @param leaseSeconds its own lease, 0 for none
 * @param liveSeconds its time to live, 0 for none
 * @param keepSeconds how long its result is kept, 0 for what the queue says
 * @param unique which of {@link #UNIQUE_KEYS} it has, 0 for none
 * @param key which concurrency key it has, 0 for none: first come the {@link #KEYS} of its queue,
 *     then the same of the engine, of which one job may be ready or leased, then two, then three
 */
public record JobShape(
    int priority,
    Visible visible,
    int seconds,
    int maxAttempts,
    int backoff,
    int leaseSeconds,
    int weight,
    int headers,
    int payloadBytes,
    int liveSeconds,
    int keepSeconds,
    int unique,
    int key) {

  /** When a job may first be claimed. */
  public enum Visible {
    NOW,
    AFTER_DELAY,
    AT_INSTANT,
    AT_PAST_INSTANT
  }

  /** Without jitter, for exact comparison. */
  public static final List<Backoff> BACKOFFS =
      List.of(
          Backoff.fixed(ofSeconds(5)),
          new Backoff.Exponential(ofSeconds(1), 2.0, ofSeconds(6), 0.0),
          new Backoff.Linear(ofSeconds(2), ofSeconds(3), ofSeconds(7), 0.0),
          Backoff.list(ofSeconds(1), ofSeconds(25), ofSeconds(5)),
          Backoff.fixed(Duration.ZERO));

  /** Two keys that jobs meet at, in all ways to hold and to ask for them, and the longest one. */
  public static final List<UniqueKey> UNIQUE_KEYS =
      List.of(
          UniqueKey.of("a"),
          UniqueKey.of("a").replace(),
          UniqueKey.of("a").untilStarted(),
          UniqueKey.of("a").within(ofSeconds(20)),
          UniqueKey.of("b").untilStarted().replace(),
          UniqueKey.of("b").within(ofSeconds(20)).replace(),
          UniqueKey.of("b"),
          UniqueKey.of("\u0000" + "ÿ".repeat(127)));

  /**
   * The longest that there may be, one whose bytes look like those of a number, and a plain one.
   */
  public static final List<String> KEYS = List.of("a", "\u0000\uD83D\uDE82", "k".repeat(255));

  /** Of all queues together. */
  private static final RateLimit RELAY = RateLimit.of(1, ofSeconds(2)).burst(3);

  /**
   * Three kinds: none, plain ones in an order that is not the alphabet's, and texts that break
   * careless encodings.
   */
  public static Map<String, String> headers(int kind) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (kind > 0) {
      headers.put("z", "last first");
      headers.put("a", "");
    }
    if (kind > 1) {
      headers.put("\u0000/ÿ", "線路\u0000\uD83D\uDE82");
      headers.put("long", "x".repeat(2_000));
    }
    return headers;
  }

  /** The same with another time to be visible, and another key. */
  JobShape with(Visible when, int uniqueKey) {
    return new JobShape(
        priority,
        when,
        seconds,
        maxAttempts,
        backoff,
        leaseSeconds,
        weight,
        headers,
        payloadBytes,
        liveSeconds,
        keepSeconds,
        uniqueKey,
        key);
  }

  /** The same as a job of a batch, which is known by its payload. */
  JobShape inBatch() {
    return withPayload(visible, liveSeconds, unique);
  }

  /** The same as a job that comes after a batch. */
  JobShape afterBatch() {
    return withPayload(Visible.NOW, 0, 0);
  }

  private JobShape withPayload(Visible when, int live, int uniqueKey) {
    return new JobShape(
        priority,
        when,
        seconds,
        maxAttempts,
        backoff,
        leaseSeconds,
        weight,
        headers,
        Math.max(8, payloadBytes),
        live,
        keepSeconds,
        uniqueKey,
        key);
  }

  /** The same with this concurrency key. */
  JobShape withKey(int concurrencyKey) {
    return new JobShape(
        priority,
        visible,
        seconds,
        maxAttempts,
        backoff,
        leaseSeconds,
        weight,
        headers,
        payloadBytes,
        liveSeconds,
        keepSeconds,
        unique,
        concurrencyKey);
  }

  /** As the other; jobs of one kind of headers are started at a rate over all queues. */
  EnqueueOptions limitedOptions(long wallMs) {
    EnqueueOptions options = options(wallMs);
    return headers == 1 ? options.engineRateLimit("relay", RELAY) : options;
  }

  public EnqueueOptions options(long wallMs) {
    EnqueueOptions options =
        EnqueueOptions.DEFAULT
            .priority(priority)
            .maxAttempts(maxAttempts)
            .backoff(BACKOFFS.get(backoff))
            .weight(weight)
            .headers(headers(headers));
    options = leaseOptions().map(options::leaseDuration).orElse(options);
    if (liveSeconds > 0) {
      options = options.timeToLive(ofSeconds(liveSeconds));
    }
    if (keepSeconds > 0) {
      options = options.resultRetention(ofSeconds(keepSeconds));
    }
    if (unique > 0) {
      options = options.unique(UNIQUE_KEYS.get(unique - 1));
    }
    if (key > KEYS.size()) {
      int ofEngine = key - 1 - KEYS.size();
      String text = KEYS.get(ofEngine % KEYS.size());
      options = options.engineConcurrencyKey(text, 1 + ofEngine / KEYS.size());
    } else if (key > 0) {
      options = options.concurrencyKey(KEYS.get(key - 1));
    }
    return switch (visible) {
      case NOW -> options;
      case AFTER_DELAY -> options.delay(ofSeconds(seconds));
      case AT_INSTANT -> options.visibleAt(Instant.ofEpochMilli(wallMs).plusSeconds(seconds));
      case AT_PAST_INSTANT -> options.visibleAt(Instant.ofEpochMilli(wallMs).minusSeconds(seconds));
    };
  }

  /** The job's own lease duration, if it has one. */
  public Optional<Duration> leaseOptions() {
    return leaseSeconds > 0 ? Optional.of(ofSeconds(leaseSeconds)) : Optional.empty();
  }

  /** The job's bytes: a number that no other job has, then filling. */
  public byte[] payload(int marker) {
    byte[] payload = new byte[payloadBytes];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) (i < 4 ? marker >>> (8 * i) : i * 31 + marker);
    }
    return payload;
  }
}
