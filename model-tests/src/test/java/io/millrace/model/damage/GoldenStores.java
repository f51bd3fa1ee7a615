package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadFilter;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.UpdateOptions;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.model.damage.Contents.Stop;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.fault.Machine;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;

/**
 * Makes the golden stores: one job of every kind that there is, under a clock that is set, so that
 * each run makes the same.
 *
 * <p>As a program it does one step of it and leaves the store, by a clean close or by its own
 * death: first everything that an engine does, then the beginning of a queue's deletion, which an
 * engine would go on with at once.
 */
final class GoldenStores {

  static final long START_MS = 1_700_000_000_000L;
  static final QueueName MAIL = QueueName.of("mail");
  static final QueueName ACME = new QueueName("mail", "acme");
  static final QueueName HOSTILE = QueueName.of("a/b\0ü");
  static final QueueName DRAINING = QueueName.of("draining");
  static final QueueName EMPTY = QueueName.of("empty");
  static final QueueName GONE = QueueName.of("gone");

  private static final long STEP_MS = 1_000;

  /** Higher than that of any job that waits, and one higher for each job that is worked on. */
  private static final int NEXT = 100;

  private final ManualClock clock = new ManualClock(START_MS, 0);
  private final StorePlace place;
  private JobEngine engine;
  private JobQueue mail;
  private int openings;
  private int priority = NEXT;

  private GoldenStores(StorePlace place) {
    this.place = place;
    this.engine = open();
    this.mail = engine.queue(MAIL);
  }

  /** Arguments: location of the store, {@link Stop}. */
  public static void main(String[] arguments) {
    StorePlace place = StorePlace.of(arguments[0]);
    Stop stop = Stop.valueOf(arguments[1]);
    if (arguments.length == 2) {
      work(place, stop);
    } else {
      OrderedStore store = place.factory().open(place.options());
      dropQueue(store);
      leave(stop, store::close);
    }
    Runtime.getRuntime().halt(0);
  }

  /** Has the store made by processes of their own, of which the last one leaves it. */
  static void make(String location, Stop stop) throws IOException {
    for (List<String> task : List.of(List.<String>of(), List.of("drop"))) {
      List<String> command = new ArrayList<>(Machine.java());
      command.addAll(List.of(GoldenStores.class.getName(), location, stop.name()));
      command.addAll(task);
      if (Machine.join(new ProcessBuilder(command).inheritIO().start()) != 0) {
        throw new IllegalStateException("golden store cannot be made: " + command);
      }
    }
  }

  private static void work(StorePlace place, Stop stop) {
    GoldenStores golden = new GoldenStores(place);
    golden.fill();
    golden.engine.close();
    golden.damageJob("rotten");
    golden.engine = golden.open();
    golden.mail = golden.engine.queue(MAIL);
    golden.meetDamage();
    golden.lease();
    leave(stop, golden.engine::close);
  }

  private static void leave(Stop stop, Runnable close) {
    if (stop == Stop.CLOSED) {
      close.run();
    }
  }

  /** Leaves a queue as if its deletion had begun and its rows were not removed yet. */
  private static void dropQueue(OrderedStore store) {
    int number = numberOf(store, GONE);
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    for (byte[] key :
        keys(store, Keyspace.AGENDA, (key, value) -> AgendaKeys.queue(key) == number)) {
      batch.delete(key);
    }
    batch.delete(QueueKeys.key(GONE));
    batch.delete(CounterKeys.key(number));
    byte[] name = QueueNameKeys.key(number);
    batch.put(name, new QueueNameRecord(GONE, QueueNameRecord.State.DROPPED).encode(name));
    batch.put(AgendaKeys.key(AgendaKeys.DROPPED_MS, number), new byte[0]);
    store.write(batch);
  }

  private JobEngine open() {
    EngineOptions options =
        Setup.DEFAULT.options(clock).processStart(Instant.ofEpochMilli(++openings));
    return JobEngine.open(place.factory(), place.options(), options);
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
    add(engine.queue(ACME), "tenant", EnqueueOptions.DEFAULT);
    JobQueue hostile = engine.queue(HOSTILE);
    add(hostile, "paused", EnqueueOptions.DEFAULT);
    hostile.pause();
    JobQueue draining = engine.queue(DRAINING);
    add(draining, "draining", EnqueueOptions.DEFAULT);
    draining.drain(Duration.ZERO);
    engine.queue(EMPTY).configure(settings -> settings.resultRetention(ofHours(1)));
    JobQueue gone = engine.queue(GONE);
    add(gone, "gone", EnqueueOptions.DEFAULT);
    add(gone, "gone-large", EnqueueOptions.DEFAULT);
    add(gone, "gone-delayed", EnqueueOptions.DEFAULT.delay(ofHours(1)));
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
            .visibleAt(Instant.ofEpochMilli(START_MS).plus(ofHours(2))));
    add("delayed-large", EnqueueOptions.DEFAULT.delay(ofHours(3)).timeToLive(ofHours(4)));
    add("rotten", EnqueueOptions.DEFAULT);
  }

  /** Jobs that are where they were not born, or are not as they were born. */
  private void moved() {
    Backoff linear = new Backoff.Linear(ofHours(5), ofMinutes(1), ofHours(6), 0);
    next("retried", EnqueueOptions.DEFAULT.backoff(linear)).fail("did not work\nat all");
    next("snoozed", EnqueueOptions.DEFAULT).snooze(ofHours(6));
    next("released", EnqueueOptions.DEFAULT).release();
    Lease checkpointed = next("checkpointed", EnqueueOptions.DEFAULT);
    checkpointed.checkpoint(Labels.payload("checkpoint-1"));
    checkpointed.checkpoint(Labels.payload("checkpoint-large-2"));
    checkpointed.release();
    JobId updated = add("updated", EnqueueOptions.DEFAULT.priority(-3));
    engine.update(
        updated, UpdateOptions.NOTHING.priority(3).payload(Labels.payload("update")).weight(2));
    JobId rescheduled = add("rescheduled", EnqueueOptions.DEFAULT);
    engine.reschedule(rescheduled, Instant.ofEpochMilli(START_MS).plus(ofHours(7)));
    next("redriven", EnqueueOptions.DEFAULT).fail("first life", FailOptions.PERMANENT);
    mail.deadLetters().redriveAll(DeadFilter.ALL);
  }

  private void ended() {
    next("completed", EnqueueOptions.DEFAULT).complete();
    engine.cancelIfWaiting(add("cancelled", EnqueueOptions.DEFAULT.delay(ofHours(1))));
    EnqueueOptions kept = EnqueueOptions.DEFAULT.resultRetention(ofDays(20));
    next("done", kept).complete(Labels.payload("result"));
    next("done-large", kept).complete();
    EnqueueOptions twice =
        EnqueueOptions.DEFAULT.maxAttempts(2).backoff(Backoff.list(ofSeconds(1), ofHours(1)));
    next("dead", twice).fail("first error");
    clock.advanceMs(2 * STEP_MS);
    claim("dead").fail("second error");
    next("dead-large", EnqueueOptions.DEFAULT).fail("for good", FailOptions.PERMANENT);
  }

  /** Leases that are held when the store is left. */
  private void lease() {
    EnqueueOptions once = EnqueueOptions.DEFAULT.maxAttempts(1);
    EnqueueOptions again = EnqueueOptions.DEFAULT.backoff(Backoff.fixed(ofHours(1)));
    next("leased", again.leaseDuration(ofDays(1)));
    next("leased-once-large", once);
    engine.cancel(next("leased-cancelled", again).jobId());
  }

  private JobId add(String name, EnqueueOptions options) {
    return add(mail, name, options);
  }

  private JobId add(JobQueue queue, String name, EnqueueOptions options) {
    clock.advanceMs(STEP_MS);
    return queue.enqueue(Labels.payload(name), options).jobId();
  }

  /** A lease on a job that is served before all others. */
  private Lease next(String name, EnqueueOptions options) {
    add(name, options.priority(priority));
    priority++;
    return claim(name);
  }

  private Lease claim(String name) {
    clock.advanceMs(STEP_MS);
    Lease lease = mail.claim(ClaimOptions.by("golden")).get(0);
    if (!Labels.name(lease.payload()).equals(name)) {
      throw new IllegalStateException("another job is served: " + Labels.name(lease.payload()));
    }
    return lease;
  }

  private void damageJob(String name) {
    try (OrderedStore store = place.factory().open(place.options())) {
      byte[] key =
          keys(
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
    add(engine.queue(ACME), "later", EnqueueOptions.DEFAULT);
  }

  private static int numberOf(OrderedStore store, QueueName name) {
    List<byte[]> names =
        keys(
            store,
            Keyspace.QUEUE_NAME,
            (key, value) -> QueueNameRecord.decode(key, value).name().equals(name));
    return QueueNameKeys.queue(names.get(0));
  }

  private static List<byte[]> keys(
      OrderedStore store, Keyspace keyspace, BiPredicate<byte[], byte[]> isWanted) {
    List<byte[]> keys = new ArrayList<>();
    try (ReadView view = store.read()) {
      view.scan(
          keyspace.start(),
          keyspace.end(),
          Integer.MAX_VALUE,
          (key, value) -> {
            if (isWanted.test(key, value)) {
              keys.add(key);
            }
            return true;
          });
    }
    return keys;
  }
}
