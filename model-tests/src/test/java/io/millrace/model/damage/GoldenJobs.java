package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.millrace.api.Backoff;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.UpdateOptions;
import io.millrace.engine.StorePlace;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.Dropped;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.WriteBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/**
 * One job of every kind that there is, but for those of {@link GoldenKeys} and {@link
 * GoldenWorkflows}.
 */
final class GoldenJobs extends GoldenWork {

  static final QueueName MAIL = QueueName.of("mail");
  static final QueueName ACME = new QueueName("mail", "acme");
  static final QueueName HOSTILE = QueueName.of("a/b\0ü");
  static final QueueName DRAINING = QueueName.of("draining");
  static final QueueName EMPTY = QueueName.of("empty");

  private JobQueue mail;

  GoldenJobs(StorePlace place) {
    super(place);
    this.mail = engine.queue(MAIL);
  }

  @Override
  void work() {
    fill();
    engine.close();
    damageJob("rotten");
    engine = open();
    mail = engine.queue(MAIL);
    meetDamage();
    lease();
  }

  private void fill() {
    mail.configure(
        settings ->
            settings
                .leaseDuration(ofSeconds(45))
                .depthMax(1_000)
                .expiry(QueueSettings.Expiry.BACKOFF)
                .deadRetention(ofDays(30)));
    waiting();
    moved();
    ended();
    add(ACME, "tenant", EnqueueOptions.DEFAULT);
    JobQueue hostile = engine.queue(HOSTILE);
    add(HOSTILE, "paused", EnqueueOptions.DEFAULT);
    hostile.pause();
    JobQueue draining = engine.queue(DRAINING);
    add(DRAINING, "draining", EnqueueOptions.DEFAULT);
    Dropped.result(draining.drain(Duration.ZERO));
    engine.queue(EMPTY).configure(settings -> settings.resultRetention(ofHours(1)));
    add(GoldenStores.GONE, "gone", EnqueueOptions.DEFAULT);
    add(GoldenStores.GONE, "gone-large", EnqueueOptions.DEFAULT);
    add(GoldenStores.GONE, "gone-delayed", EnqueueOptions.DEFAULT.delay(ofHours(1)));
  }

  private void waiting() {
    add("plain", EnqueueOptions.DEFAULT);
    add(
        "full",
        EnqueueOptions.DEFAULT
            .priority(7)
            .weight(3)
            .headers(Map.of("content-type", "text/plain", "ü", ""))
            .maxAttempts(9)
            .backoff(new Backoff.Exponential(ofSeconds(2), 3.5, ofHours(1), 0.125))
            .leaseDuration(ofSeconds(5))
            .timeToLive(ofDays(10)));
    add("large", EnqueueOptions.DEFAULT.priority(-1).headers(Map.of("a", "b")));
    add("delayed", EnqueueOptions.DEFAULT.priority(-128).delay(ofHours(1)));
    add(
        "delayed-until",
        EnqueueOptions.DEFAULT
            .priority(127)
            .visibleAt(Instant.ofEpochMilli(GoldenStores.START_MS).plus(ofHours(2))));
    add("delayed-large", EnqueueOptions.DEFAULT.delay(ofHours(3)).timeToLive(ofHours(4)));
    add("rotten", EnqueueOptions.DEFAULT);
  }

  /** Jobs that are where they were not born, or are not as they were born. */
  private void moved() {
    Backoff linear = new Backoff.Linear(ofHours(5), ofMinutes(1), ofHours(6), 0);
    next("retried", EnqueueOptions.DEFAULT.backoff(linear)).fail("did not work\nat all").orThrow();
    next("snoozed", EnqueueOptions.DEFAULT).snooze(ofHours(6)).orThrow();
    next("released", EnqueueOptions.DEFAULT).release().orThrow();
    Lease checkpointed = next("checkpointed", EnqueueOptions.DEFAULT);
    checkpointed.checkpoint(Labels.payload("checkpoint-1")).orThrow();
    checkpointed.checkpoint(Labels.payload("checkpoint-large-2")).orThrow();
    checkpointed.release().orThrow();
    JobId updated = add("updated", EnqueueOptions.DEFAULT.priority(-3));
    engine
        .update(
            updated, UpdateOptions.NOTHING.priority(3).payload(Labels.payload("update")).weight(2))
        .orThrow();
    JobId rescheduled = add("rescheduled", EnqueueOptions.DEFAULT);
    engine
        .reschedule(rescheduled, Instant.ofEpochMilli(GoldenStores.START_MS).plus(ofHours(7)))
        .orThrow();
    next("redriven", EnqueueOptions.DEFAULT).fail("first life", FailOptions.PERMANENT).orThrow();
    mail.deadLetters().redriveAll(DeadFilter.ALL);
  }

  private void ended() {
    next("completed", EnqueueOptions.DEFAULT).complete().orThrow();
    engine.cancelIfWaiting(add("cancelled", EnqueueOptions.DEFAULT.delay(ofHours(1)))).orThrow();
    EnqueueOptions kept = EnqueueOptions.DEFAULT.resultRetention(ofDays(20));
    next("done", kept).complete(Labels.payload("result")).orThrow();
    next("done-large", kept).complete().orThrow();
    EnqueueOptions twice =
        EnqueueOptions.DEFAULT.maxAttempts(2).backoff(Backoff.list(ofSeconds(1), ofHours(1)));
    next("dead", twice).fail("first error").orThrow();
    clock.advanceMs(2 * STEP_MS);
    claim(mail, "dead").fail("second error").orThrow();
    next("dead-large", EnqueueOptions.DEFAULT).fail("for good", FailOptions.PERMANENT).orThrow();
  }

  /** Leases that are held when the store is left. */
  private void lease() {
    EnqueueOptions once = EnqueueOptions.DEFAULT.maxAttempts(1);
    EnqueueOptions again = EnqueueOptions.DEFAULT.backoff(Backoff.fixed(ofHours(1)));
    next("leased", again.leaseDuration(ofDays(1)));
    next("leased-once-large", once);
    engine.cancel(next("leased-cancelled", again).jobId()).orThrow();
  }

  private JobId add(String name, EnqueueOptions options) {
    return add(MAIL, name, options);
  }

  private Lease next(String name, EnqueueOptions options) {
    return next(MAIL, name, options);
  }

  private void damageJob(String name) {
    try (OrderedStore store = place.factory().open(place.options())) {
      byte[] key =
          GoldenStores.keys(
                  store,
                  Keyspace.READY,
                  (found, value) -> new String(value, UTF_8).contains(name + "|"))
              .get(0);
      WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
      try (ReadView view = store.read()) {
        byte[] value = Objects.requireNonNull(view.get(key));
        value[value.length - 1] ^= 1;
        batch.put(key, value);
      }
      store.write(batch);
    }
  }

  /** Whoever meets a damaged row is told, and it is set aside. */
  private void meetDamage() {
    clock.advanceMs(STEP_MS);
    engine.verify();
    add(ACME, "later", EnqueueOptions.DEFAULT);
  }
}
