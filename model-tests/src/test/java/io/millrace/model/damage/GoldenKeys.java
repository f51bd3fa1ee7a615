package io.millrace.model.damage;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueName;
import io.millrace.api.RateLimit;
import io.millrace.api.Result;
import io.millrace.api.UniqueKey;
import io.millrace.engine.StorePlace;
import java.util.List;
import java.util.stream.Stream;

/**
 * Unique keys in every scope, held and free; concurrency keys of queues and of the engine with jobs
 * that hold them and jobs that are blocked, also across a queue whose deletion has begun; counts in
 * a log; rate limits and shares in settings, of a queue and of a name.
 *
 * <p>A unique key is named as the job that holds it, or had it last.
 */
final class GoldenKeys extends GoldenWork {

  static final QueueName MAIL = QueueName.of("mail");
  static final QueueName ACME = new QueueName("mail", "acme");
  static final QueueName CALLS = QueueName.of("calls");
  static final QueueName LOGGED = QueueName.of("logged");
  static final QueueName SMS = QueueName.of("sms");
  static final QueueName WEB = QueueName.of("web");
  static final QueueName LIMITED = QueueName.of("limited");
  static final QueueName SHARED = new QueueName("shared", "one");

  /** As long as a key may be. */
  static final String LONGEST = "ü".repeat(127) + "k";

  /** Unique keys that are held, whether the job waits, is leased or is tried again. */
  static final List<String> HELD =
      List.of(
          "finished", "unstarted", "within", "delayed", "retried", "replacing", "taker", LONGEST);

  /** A unique key that is held for a time by a job that is gone. */
  static final String HELD_BY_NOBODY = "within-completed";

  /** Unique keys that nobody holds any more. */
  static final List<String> FREE = List.of("started", "completed", "within-over", "leased-started");

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;

  GoldenKeys(StorePlace place) {
    super(place);
  }

  @Override
  void work() {
    uniqueKeys();
    keysOfQueues();
    keysOfTheEngine();
    limits();
    lease();
  }

  private void uniqueKeys() {
    unique("finished", PLAIN.unique("finished"));
    unique("unstarted", PLAIN.unique(UniqueKey.of("unstarted").untilStarted()));
    unique("within", PLAIN.unique(UniqueKey.of("within").within(ofDays(1))));
    unique("within-over", PLAIN.unique(UniqueKey.of("within-over").within(ofMinutes(2))));
    unique("delayed", PLAIN.unique("delayed").delay(ofHours(2)));
    unique(LONGEST, PLAIN.unique(LONGEST));
    unique("replaced", PLAIN.unique("replacing"));
    unique("replacing", PLAIN.unique(UniqueKey.of("replacing").replace()));
    next(MAIL, "started", PLAIN.unique(UniqueKey.of("started").untilStarted())).release().orThrow();
    next(MAIL, "retried", PLAIN.unique("retried").backoff(Backoff.fixed(ofHours(1))))
        .fail("once")
        .orThrow();
    next(MAIL, "completed", PLAIN.unique("completed")).complete().orThrow();
    UniqueKey window = UniqueKey.of(HELD_BY_NOBODY).within(ofDays(1));
    next(MAIL, HELD_BY_NOBODY, PLAIN.unique(window)).complete().orThrow();
    next(MAIL, "dead", PLAIN.unique("taker")).fail("for good", FailOptions.PERMANENT).orThrow();
    unique("taker", PLAIN.unique("taker"));
  }

  private void unique(String name, EnqueueOptions options) {
    add(MAIL, name, options);
  }

  /** Of the text "a" there is one key in each queue. */
  private void keysOfQueues() {
    engine.queue(CALLS).configure(settings -> settings.perKey(2));
    next(CALLS, "call-dead", PLAIN.concurrencyKey("dead"))
        .fail("no", FailOptions.PERMANENT)
        .orThrow();
    EnqueueOptions key = PLAIN.concurrencyKey("a");
    add(CALLS, "call-1", key);
    add(CALLS, "call-2", key.maxAttempts(5));
    add(CALLS, "call-3", key);
    add(CALLS, "call-4-large", key.priority(5));
    add(CALLS, "call-delayed", key.delay(ofHours(1)));
    add(CALLS, "call-longest", PLAIN.concurrencyKey(LONGEST));
    add(ACME, "tenant-1", key);
    add(ACME, "tenant-2", key.unique("finished"));
    log();
  }

  /** Calls that change more keys at once than have their own rows written. */
  private void log() {
    clock.advanceMs(STEP_MS);
    List<NewJob> jobs =
        Stream.of("1", "2", "3", "4", "5", "1", "6", "1")
            .map(key -> new NewJob(Labels.payload("log-of-" + key), PLAIN.concurrencyKey(key)))
            .toList();
    engine.queue(LOGGED).enqueueAll(jobs);
    clock.advanceMs(STEP_MS);
    List<Lease> leases = engine.queue(LOGGED).claim(ClaimOptions.by("golden").max(3));
    engine.completeAll(leases).forEach(Result::orThrow);
  }

  /** Jobs of several queues in one line; each says how many may be ready or leased. */
  private void keysOfTheEngine() {
    EnqueueOptions two = PLAIN.engineConcurrencyKey("host", 2);
    add(SMS, "host-1", two);
    add(WEB, "host-2", two);
    add(WEB, "host-3", PLAIN.engineConcurrencyKey("host", 3));
    add(SMS, "host-4", two.priority(3));
    add(GoldenStores.GONE, "gone-blocked", two.priority(4));
    EnqueueOptions alone = PLAIN.engineConcurrencyKey("alone", 1);
    add(GoldenStores.GONE, "gone-holder", alone.unique("gone"));
    add(SMS, "behind-gone", alone);
    add(WEB, "longest-host", PLAIN.engineConcurrencyKey(LONGEST, 1));
    add(WEB, "delayed-host", alone.delay(ofHours(2)));
  }

  private void limits() {
    engine
        .queue(LIMITED)
        .configure(
            settings ->
                settings
                    .perKey(100)
                    .rateLimit(RateLimit.of(2, ofMinutes(1)).burst(3))
                    .rateLimitPerKey(RateLimit.of(1, ofMinutes(5))));
    EnqueueOptions key = PLAIN.concurrencyKey("k");
    add(LIMITED, "limited-1", key);
    add(LIMITED, "limited-2", key);
    add(LIMITED, "limited-3", PLAIN);
    engine
        .admin()
        .configure(
            SHARED.name(),
            settings -> settings.perKey(2).share(3).rateLimit(RateLimit.of(5, ofSeconds(1))));
    add(SHARED, "shared-1", key);
    add(SHARED, "shared-2", key);
    add(SHARED, "shared-3", key);
  }

  /** Leases that are held when the store is left. */
  private void lease() {
    EnqueueOptions day = PLAIN.leaseDuration(ofDays(1));
    next(MAIL, "leased", day.unique("leased"));
    next(MAIL, "leased-started", day.unique(UniqueKey.of("leased-started").untilStarted()));
    claim(engine.queue(CALLS), "call-1");
    QueueLease sms = engine.leaseQueue(SMS, "golden", ofDays(1)).orThrow();
    named(sms.claim(ClaimOptions.by("golden")).orThrow().get(0), "host-1");
    add(MAIL, "last", PLAIN);
  }
}
