package io.millrace.model.damage;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.engine.StorePlace;
import java.time.Duration;

/**
 * Batches that are open, under way, over with a dead letter, over for good, cancelled and within
 * each other, with jobs in all states and jobs that come after them; one that is due to be removed,
 * and one with jobs in a queue whose deletion has begun.
 */
final class GoldenBatches extends GoldenWork {

  static final QueueName PARTS = QueueName.of("parts");
  static final QueueName ACME = new QueueName("parts", "acme");
  static final QueueName AFTER = QueueName.of("after");

  static final String ASKED = "asked";

  /** A job that never comes: it would if another had died. */
  static final String NEVER = "way-any";

  /** How long batches are kept. */
  static final Duration KEPT = ofDays(30);

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;

  GoldenBatches(StorePlace place) {
    super(place);
  }

  @Override
  void work() {
    over();
    BatchId open = leftOpen();
    underWay();
    nested(open);
    cancelled();
    gone();
    lease();
  }

  private Batch batch(String name) {
    clock.advanceMs(STEP_MS);
    return Batch.of(name).retention(KEPT);
  }

  private NewJob first(String name) {
    return new NewJob(Labels.payload(name), next(PLAIN));
  }

  private static NewJob job(String name, EnqueueOptions options) {
    return new NewJob(Labels.payload(name), options);
  }

  private static NewJob job(String name) {
    return job(name, PLAIN);
  }

  private Lease work(String name) {
    return claim(engine.queue(PARTS), name);
  }

  private void over() {
    batch("died")
        .add(PARTS, first("died-ok"))
        .whenDone(AFTER, job("died-done"))
        .whenAllSucceeded(AFTER, job("died-all-large"))
        .whenAnyDied(AFTER, job("died-any"))
        .add(ACME, job("died-dead", next(PLAIN)))
        .start(engine);
    work("died-ok").complete().orThrow();
    claim(engine.queue(ACME), "died-dead").fail("for good", FailOptions.PERMANENT).orThrow();
    batch("final")
        .add(PARTS, job("final-kept", next(PLAIN.resultRetention(ofDays(10)))))
        .whenDone(AFTER, job("final-done"))
        .whenAllSucceeded(AFTER, job("final-all"))
        .whenAnyDied(AFTER, job("final-any"))
        .start(engine);
    work("final-kept").complete(Labels.payload("result")).orThrow();
    batch("due").retention(ofMinutes(5)).add(PARTS, first("due-ok")).start(engine);
    work("due-ok").complete().orThrow();
    batch("empty").whenAllSucceeded(AFTER, job("empty-all")).start(engine);
  }

  private BatchId leftOpen() {
    BatchId open =
        batch("open").add(PARTS, job("open-1")).whenDone(AFTER, job("open-done")).open(engine);
    add(ACME, "open-added", PLAIN.batch(open).delay(ofHours(1)));
    return open;
  }

  private void underWay() {
    batch("way")
        .add(PARTS, first("way-waits"))
        .add(PARTS, job("way-blocked", PLAIN.concurrencyKey("k")))
        .add(PARTS, job("way-large", PLAIN.concurrencyKey("k").priority(1)))
        .add(PARTS, job("way-expires", PLAIN.timeToLive(ofDays(1)).delay(ofDays(2))))
        .whenDone(AFTER, job("way-done", PLAIN.concurrencyKey("k")))
        .whenAnyDied(AFTER, job(NEVER))
        .start(engine);
    work("way-waits").waitFor(ASKED).orThrow();
  }

  private void nested(BatchId open) {
    BatchId outer =
        batch("outer")
            .add(PARTS, job("outer-1"))
            .whenAllSucceeded(AFTER, job("outer-all"))
            .open(engine);
    batch("inner")
        .within(outer)
        .add(PARTS, job("inner-1"))
        .whenDone(AFTER, job("inner-done", PLAIN.batch(open)))
        .start(engine);
    batch("inner-dead").within(outer).add(PARTS, first("inner-dead")).start(engine);
    work("inner-dead").fail("for good", FailOptions.PERMANENT).orThrow();
    batch("inner-over").within(outer).add(PARTS, first("inner-over")).start(engine);
    work("inner-over").complete().orThrow();
    engine.batches().seal(outer);
  }

  private void cancelled() {
    BatchId id =
        batch("cancelled")
            .add(PARTS, job("cancelled-1"))
            .whenDone(AFTER, job("cancelled-done"))
            .start(engine);
    clock.advanceMs(STEP_MS);
    engine.batches().cancel(id).forEach((result, count) -> result.orThrow());
  }

  /** In a queue whose deletion will have begun. */
  private void gone() {
    batch("gone")
        .add(GoldenStores.GONE, job("gone-1"))
        .add(GoldenStores.GONE, job("gone-large"))
        .whenDone(AFTER, job("gone-done"))
        .start(engine);
  }

  /** A lease that is held when the store is left. */
  private void lease() {
    batch("leased")
        .add(PARTS, job("leased", next(PLAIN.leaseDuration(ofDays(1)))))
        .whenAllSucceeded(AFTER, job("leased-all"))
        .start(engine);
    work("leased");
    add(PARTS, "last", PLAIN);
  }
}
