package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;

import io.millrace.api.Backoff;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.api.TableRow;
import io.millrace.api.UniqueKey;
import io.millrace.api.UpdateOptions;
import io.millrace.engine.StorePlace;
import io.millrace.internal.format.BroadcastKeys;
import io.millrace.internal.format.BroadcastRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.Sequences;
import io.millrace.internal.format.TableCatalog;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.WriteBatch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Rows of users' tables; jobs that transactions made and ended; jobs that wait for signals or were
 * told of them; signals that are kept, for jobs and for whoever comes; a broadcast that has not
 * reached all and a dropped table whose rows are not removed.
 */
final class GoldenWorkflows extends GoldenWork {

  static final QueueName STEPS = QueueName.of("steps");
  static final QueueName ACME = new QueueName("steps", "acme");
  static final QueueName LATER = QueueName.of("later");
  static final QueueName CROWD = QueueName.of("crowd");

  static final String STOCK = "stock";
  static final String NOTES = "notes";
  static final String ANEW = "anew";
  static final String EMPTY = "empty";
  static final String FADING = "fading";

  static final String ASKED = "asked";
  static final String OPENED = "opened";
  static final String GO = "go";
  static final String NEVER = "never";

  /** As long as the key of a row may be. */
  static final String LONGEST = "ü".repeat(127) + "k";

  private static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULT;
  private static final int CROWD_COUNT = 6;

  private final Table<String, Long> stock;
  private final Table<String, byte[]> notes;

  GoldenWorkflows(StorePlace place) {
    super(place);
    this.stock = engine.table(STOCK, Codec.TEXT, Codec.LONG);
    this.notes = engine.table(NOTES, Codec.TEXT, Codec.BYTES);
  }

  @Override
  void work() {
    tables();
    transactions();
    waits();
    signals();
    crowd();
    gone();
    lease();
  }

  private void tables() {
    stock.put("boots", 7L);
    stock.put("gloves", -1L);
    stock.put("sold", 1L);
    stock.delete("sold");
    notes.putAll(
        List.of(
            new TableRow<>("", Labels.payload("empty-key")),
            new TableRow<>(LONGEST, new byte[0]),
            new TableRow<>("large", Labels.payload("large-note"))));
    Table<String, byte[]> anew = engine.table(ANEW, Codec.TEXT, Codec.BYTES);
    anew.put("old", Labels.payload("old"));
    anew.drop();
    anew.put("new", Labels.payload("new"));
    Table<String, byte[]> empty = engine.table(EMPTY, Codec.TEXT, Codec.BYTES);
    empty.put("gone", Labels.payload("gone"));
    empty.delete("gone");
    Table<String, byte[]> fading = engine.table(FADING, Codec.TEXT, Codec.BYTES);
    List.of("a", "b", "c").forEach(key -> fading.put(key, Labels.payload(key)));
  }

  private void transactions() {
    clock.advanceMs(STEP_MS);
    engine
        .inTransaction(
            tx -> {
              JobId made = tx.enqueue(LATER, Labels.payload("made"));
              tx.put(notes, "made", made.toString().getBytes(UTF_8));
              tx.enqueue(LATER, Labels.payload("made-large"), PLAIN.priority(3));
              tx.enqueue(LATER, Labels.payload("made-delayed"), PLAIN.delay(ofHours(1)));
              tx.enqueue(STEPS, Labels.payload("made-unique"), PLAIN.unique("made"));
              JobId changed = tx.enqueue(LATER, Labels.payload("made-changed"));
              tx.update(changed, UpdateOptions.NOTHING.priority(-3).weight(2));
              tx.cancel(tx.enqueue(LATER, Labels.payload("made-cancelled")));
            })
        .orThrow();
    Lease first = next(STEPS, "first", PLAIN);
    Lease failed = next(STEPS, "failed", PLAIN.backoff(Backoff.fixed(ofHours(2))));
    Lease snoozed = next(STEPS, "snoozed", PLAIN);
    Lease dead = next(STEPS, "dead", PLAIN);
    clock.advanceMs(STEP_MS);
    engine
        .inTransaction(
            tx -> {
              long left = tx.get(stock, "boots").orElseThrow();
              tx.put(stock, "boots", left - 1);
              tx.delete(stock, "none");
              tx.enqueue(LATER, Labels.payload("second"), PLAIN.concurrencyKey("chain"));
              tx.enqueue(LATER, Labels.payload("blocked"), PLAIN.concurrencyKey("chain"));
              tx.complete(first, Labels.payload("result"));
              tx.fail(failed, "once");
              tx.snooze(snoozed, ofHours(3));
              tx.fail(dead, "for good", FailOptions.PERMANENT);
            })
        .orThrow();
  }

  private void waits() {
    next(STEPS, "waits", PLAIN).waitFor(NEVER).orThrow();
    next(STEPS, "waits-until", PLAIN).waitFor(ASKED, ofHours(4)).orThrow();
    next(STEPS, "waits-large", PLAIN.headers(Map.of("a", "b"))).waitFor(ASKED).orThrow();
    UniqueKey unique = UniqueKey.of("waits");
    next(STEPS, "waits-unique", PLAIN.unique(unique)).waitFor(LONGEST).orThrow();
    next(STEPS, "waits-keyed", PLAIN.concurrencyKey("k")).waitFor(ASKED).orThrow();
    add(STEPS, "has-its-slot", PLAIN.concurrencyKey("k"));
    next(STEPS, "timed-out", PLAIN).waitFor(ASKED, ofSeconds(1)).orThrow();
    next(ACME, "tenant", PLAIN).waitFor(ASKED, ofHours(5)).orThrow();
  }

  private void signals() {
    Lease woken = next(STEPS, "woken", PLAIN);
    woken.waitFor(ASKED).orThrow();
    signal(woken.jobId(), ASKED, "answer");
    EnqueueOptions hour = PLAIN.backoff(Backoff.fixed(ofHours(1)));
    Lease told = next(STEPS, "told", hour);
    told.waitFor(ASKED).orThrow();
    signal(told.jobId(), ASKED, "told-answer");
    claim(engine.queue(STEPS), "told").fail("did not understand").orThrow();
    JobId early = add(STEPS, "early", PLAIN);
    signal(early, ASKED, "early-1");
    signal(early, LONGEST, "early-other");
    signal(early, ASKED, "early-2");
    signal(add(STEPS, "early-delayed", PLAIN.delay(ofHours(2))), ASKED, "early-3");
    Lease dead = next(STEPS, "early-dead", PLAIN);
    dead.fail("for good", FailOptions.PERMANENT).orThrow();
    signal(dead.jobId(), ASKED, "early-4");
    clock.advanceMs(STEP_MS);
    engine.signals().broadcast(ACME, OPENED, Labels.payload("kept"), ofDays(10));
    engine.signals().broadcast(STEPS, OPENED, Labels.payload("kept-shortly"), ofSeconds(60));
  }

  /** Jobs that a broadcast is to reach, and one that it is not. */
  private void crowd() {
    for (int i = 0; i < CROWD_COUNT; i++) {
      Lease lease = next(CROWD, "crowd-" + i, PLAIN);
      (i % 2 == 0 ? lease.waitFor(GO) : lease.waitFor(GO, ofHours(1 + i))).orThrow();
    }
    next(CROWD, "crowd-not", PLAIN).waitFor(NEVER, ofHours(2)).orThrow();
  }

  /** In a queue whose deletion will have begun. */
  private void gone() {
    next(GoldenStores.GONE, "gone", PLAIN).waitFor(ASKED, ofHours(1)).orThrow();
    signal(add(GoldenStores.GONE, "gone-early", PLAIN), ASKED, "early-5");
    clock.advanceMs(STEP_MS);
    engine.signals().broadcast(GoldenStores.GONE, OPENED, Labels.payload("kept"));
  }

  /** Leases that are held when the store is left. */
  private void lease() {
    EnqueueOptions day = PLAIN.leaseDuration(ofDays(1));
    signal(next(STEPS, "leased", day).jobId(), ASKED, "early-6");
    Lease told = next(STEPS, "leased-told", day);
    told.waitFor(ASKED).orThrow();
    signal(told.jobId(), ASKED, "leased-answer");
    claim(engine.queue(STEPS), "leased-told");
    add(LATER, "last", PLAIN);
  }

  private void signal(JobId id, String name, String payload) {
    clock.advanceMs(STEP_MS);
    engine.signal(id, name, Labels.payload(payload)).orThrow();
  }

  /** Leaves a table and a broadcast as if an engine had begun with them and died. */
  static void leaveUnfinished(OrderedStore store) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    byte[] table = TableCatalog.key(FADING);
    try (ReadView view = store.read()) {
      long incarnation = TableCatalog.decodeOrNone(table, view.get(table));
      byte[] dropped = TableCatalog.droppedKey(FADING, incarnation);
      batch.delete(table);
      batch.put(dropped, TableCatalog.encodeDropped(dropped));
    }
    int queue = GoldenStores.numberOf(store, CROWD);
    byte[] name = Codec.TEXT.encode(GO);
    List<byte[]> waiting =
        GoldenStores.keys(
            store,
            Keyspace.WAITING,
            (key, value) ->
                WaitingKeys.queue(key) == queue && Arrays.equals(WaitingKeys.signal(key), name));
    // Nobody has this sequence: no engine was open in this epoch.
    byte[] key = BroadcastKeys.key(Sequences.first(store.epoch()));
    BroadcastRecord left =
        new BroadcastRecord(
            queue, name, Labels.payload("go-all"), WaitingKeys.birth(waiting.get(0)), 3);
    batch.put(key, left.encode(key));
    store.write(batch);
  }
}
