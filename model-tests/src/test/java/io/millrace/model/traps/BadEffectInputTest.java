package io.millrace.model.traps;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.DeadLetters;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobAdmin;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobSignals;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.Transaction;
import io.millrace.api.UpdateOptions;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tables, transactions and signals refuse what is null, out of range or too long at the border, by
 * name, value and limit, and nothing has changed.
 */
class BadEffectInputTest extends TrapTest {

  private static final QueueName SHIP = QueueName.of("ship");
  private static final byte[] KEY = {1};
  private static final byte[] LONG_KEY = new byte[Limits.KEY_BYTES_MAX + 1];
  private static final byte[] LONG_VALUE = new byte[Limits.TABLE_VALUE_BYTES_MAX + 1];
  private static final byte[] LONG_SIGNAL = new byte[Limits.SIGNAL_BYTES_MAX + 1];
  private static final String LONG_NAME = "s".repeat(Limits.KEY_BYTES_MAX + 1);
  private static final Duration TOO_LONG = Limits.DELAY_MAX.plusMillis(1);

  private static final String KEY_IS_LONG =
      "key length in bytes is out of range: value=256, least=0, most=255";
  private static final String VALUE_IS_LONG =
      "value length in bytes is out of range: value=1048577, least=0, most=1048576";
  private static final String NO_SIGNAL =
      "signal has a length out of range: value=\"\", UTF-8 bytes=0, least=1, most=255";
  private static final String SIGNAL_IS_LONG = "UTF-8 bytes=256, least=1, most=255";
  private static final String PAYLOAD_IS_LONG =
      "signal payload length in bytes is out of range: value=4097, least=0, most=4096";

  /** An act of a caller that must be refused. */
  private interface Act {
    void on(World world);
  }

  /** What the caller has. */
  private record World(JobQueues queues, Table<byte[], byte[]> table, Lease lease) {

    JobId job() {
      return lease.jobId();
    }
  }

  private static Arguments bad(String message, Act act) {
    return Arguments.of(message, act);
  }

  private static Arguments table(String message, BiConsumer<Table<byte[], byte[]>, byte[]> act) {
    return bad(message, world -> act.accept(world.table(), KEY));
  }

  private static Arguments signals(String message, BiConsumer<JobSignals, JobId> act) {
    return bad(message, world -> act.accept(world.queues().signals(), world.job()));
  }

  private static Arguments admin(String message, BiConsumer<JobAdmin, JobId> act) {
    return bad(message, world -> act.accept(world.queues().admin(), world.job()));
  }

  private static Arguments inside(String message, BiConsumer<Transaction, World> act) {
    return bad(
        message,
        world -> Dropped.result(world.queues().inTransaction(tx -> act.accept(tx, world))));
  }

  static List<Arguments> tables() {
    TableRow<byte[], byte[]> half = new TableRow<>(KEY, new byte[Limits.TABLE_VALUE_BYTES_MAX]);
    TableRow<byte[], byte[]> small = new TableRow<>(KEY, KEY);
    return List.of(
        bad("table has a length out of range", world -> open(world, "")),
        bad("most=200", world -> open(world, "t".repeat(201))),
        bad("millrace.own", world -> open(world, "millrace.own")),
        table(KEY_IS_LONG, (table, key) -> table.put(LONG_KEY, key)),
        table(VALUE_IS_LONG, (table, key) -> table.put(key, LONG_VALUE)),
        table(KEY_IS_LONG, (table, key) -> Dropped.result(table.putAsync(LONG_KEY, key))),
        table(KEY_IS_LONG, (table, key) -> table.putAll(List.of(new TableRow<>(LONG_KEY, KEY)))),
        table(
            VALUE_IS_LONG, (table, key) -> table.putAll(List.of(new TableRow<>(KEY, LONG_VALUE)))),
        table(
            "number of rows is out of range: value=10001, least=0, most=10000",
            (table, key) -> table.putAll(Collections.nCopies(10_001, small))),
        table(
            "length of all rows in bytes is out of range: value=33554464, least=0, most=33554432",
            (table, key) -> table.putAll(Collections.nCopies(32, half))),
        table(KEY_IS_LONG, (table, key) -> table.delete(LONG_KEY)),
        table(KEY_IS_LONG, (table, key) -> table.deleteAll(List.of(LONG_KEY))),
        table(
            "number of rows is out of range: value=10001, least=0, most=10000",
            (table, key) -> table.deleteAll(Collections.nCopies(10_001, key))),
        table(KEY_IS_LONG, (table, key) -> table.putIfAbsent(LONG_KEY, key).isDone()),
        table(VALUE_IS_LONG, (table, key) -> table.putIfAbsent(key, LONG_VALUE).isDone()),
        table(KEY_IS_LONG, (table, key) -> table.replace(LONG_KEY, key, key).isDone()),
        table(VALUE_IS_LONG, (table, key) -> table.replace(key, key, LONG_VALUE).isDone()),
        table(KEY_IS_LONG, (table, key) -> table.deleteIf(LONG_KEY, key).isDone()),
        table(KEY_IS_LONG, (table, key) -> table.get(LONG_KEY)),
        table(KEY_IS_LONG, (table, key) -> table.getAll(List.of(LONG_KEY))),
        table(
            "value=10001, least=0, most=10000",
            (table, key) -> table.getAll(Collections.nCopies(10_001, key))),
        table(KEY_IS_LONG, (table, key) -> table.count(TableRange.from(LONG_KEY))),
        table(KEY_IS_LONG, (table, key) -> table.count(TableRange.before(LONG_KEY))),
        table(
            KEY_IS_LONG,
            (table, key) -> table.scan(TableRange.between(KEY, LONG_KEY), PageRequest.first(1))),
        table(
            KEY_IS_LONG,
            (table, key) -> table.scan(TableRange.prefix(LONG_KEY), PageRequest.first(1))),
        table(
            "cursor",
            (table, key) -> table.scan(TableRange.all(), PageRequest.after("nonsense", 1))));
  }

  private static void open(World world, String name) {
    world.queues().table(name, Codec.BYTES, Codec.BYTES);
  }

  static List<Arguments> transactions() {
    return List.of(
        inside(KEY_IS_LONG, (tx, world) -> tx.get(world.table(), LONG_KEY)),
        inside(KEY_IS_LONG, (tx, world) -> tx.put(world.table(), LONG_KEY, KEY)),
        inside(VALUE_IS_LONG, (tx, world) -> tx.put(world.table(), KEY, LONG_VALUE)),
        inside(KEY_IS_LONG, (tx, world) -> tx.delete(world.table(), LONG_KEY)),
        inside(KEY_IS_LONG, (tx, world) -> tx.scan(world.table(), TableRange.prefix(LONG_KEY), 1)),
        inside(
            "limit is out of range: value=1001, least=1, most=1000",
            (tx, world) -> tx.scan(world.table(), TableRange.all(), 1_001)),
        inside(
            "number of rows read in the transaction is out of range: value=10001",
            (tx, world) -> {
              for (long i = 0; i <= Limits.CALL_ROW_COUNT_MAX; i++) {
                tx.get(world.table(), Codec.LONG.encode(i));
              }
            }),
        inside(
            "payload length in bytes is out of range: value=16777217",
            (tx, world) -> tx.enqueue(SHIP, new byte[Limits.PAYLOAD_BYTES_MAX + 1])),
        inside(
            "priority is out of range: value=128",
            (tx, world) -> tx.enqueue(SHIP, KEY, EnqueueOptions.DEFAULT.priority(128))),
        inside(
            "result length in bytes is out of range: value=1048577, least=0, most=1048576",
            (tx, world) -> tx.complete(world.lease(), LONG_VALUE)),
        inside(
            "state length in bytes is out of range: value=16777217, least=0, most=16777216",
            (tx, world) -> tx.checkpoint(world.lease(), new byte[Limits.CHECKPOINT_BYTES_MAX + 1])),
        inside(
            "length of all payloads, headers, results, states and rows in the transaction in bytes"
                + " is out of range: value=50331648, least=0, most=33554432",
            (tx, world) -> {
              for (int i = 0; i < 3; i++) {
                tx.checkpoint(world.lease(), new byte[Limits.CHECKPOINT_BYTES_MAX]);
              }
            }),
        inside(
            "delay is out of range: value=PT87600H0.001S, least=PT0S, most=PT87600H",
            (tx, world) -> tx.snooze(world.lease(), TOO_LONG)),
        inside(
            "until is out of range: value=1969-12-31T23:59:59.999Z",
            (tx, world) -> tx.snooze(world.lease(), Instant.ofEpochMilli(-1))),
        inside(
            "delay is out of range",
            (tx, world) -> tx.fail(world.lease(), "x", FailOptions.RETRY.delay(TOO_LONG))),
        inside(
            "visibleAt is out of range: value=1969-12-31T23:59:59.999Z",
            (tx, world) -> tx.reschedule(world.job(), Instant.ofEpochMilli(-1))));
  }

  static List<Arguments> signals() {
    List<JobId> many = Collections.nCopies(10_001, new JobId(1, 2));
    return List.of(
        signals(NO_SIGNAL, (signals, id) -> signals.signal(id, "", KEY).isDone()),
        signals(SIGNAL_IS_LONG, (signals, id) -> signals.signal(id, LONG_NAME, KEY).isDone()),
        signals("surrogate", (signals, id) -> signals.signal(id, "a\ud800", KEY).isDone()),
        signals(PAYLOAD_IS_LONG, (signals, id) -> signals.signal(id, "go", LONG_SIGNAL).isDone()),
        signals(NO_SIGNAL, (signals, id) -> signals.signalAsync(id, "", KEY).isDone()),
        signals(
            NO_SIGNAL,
            (signals, id) ->
                signals.signalAll(List.of(id), "", KEY).forEach(SignalResult::orThrow)),
        signals(
            PAYLOAD_IS_LONG,
            (signals, id) ->
                signals.signalAll(List.of(id), "go", LONG_SIGNAL).forEach(SignalResult::orThrow)),
        signals(
            "number of jobs is out of range: value=10001, least=0, most=10000",
            (signals, id) -> signals.signalAll(many, "go", KEY).forEach(SignalResult::orThrow)),
        signals(NO_SIGNAL, (signals, id) -> signals.broadcast(SHIP, "", KEY)),
        signals(SIGNAL_IS_LONG, (signals, id) -> signals.broadcast(SHIP, LONG_NAME, KEY)),
        signals(PAYLOAD_IS_LONG, (signals, id) -> signals.broadcast(SHIP, "go", LONG_SIGNAL)),
        signals(
            "kept is out of range: value=PT-0.001S, least=PT0S, most=PT87600H",
            (signals, id) -> signals.broadcast(SHIP, "go", KEY, ofMillis(-1))),
        signals(
            "kept is out of range: value=PT87600H0.001S",
            (signals, id) -> signals.broadcast(SHIP, "go", KEY, TOO_LONG)),
        bad(NO_SIGNAL, world -> world.lease().waitFor("").isDone()),
        bad(SIGNAL_IS_LONG, world -> world.lease().waitFor(LONG_NAME).isDone()),
        bad(NO_SIGNAL, world -> world.lease().waitForAsync("").isDone()),
        bad(
            "most is out of range: value=PT-0.001S, least=PT0S, most=PT87600H",
            world -> world.lease().waitFor("go", ofMillis(-1)).isDone()),
        bad(
            "most is out of range: value=PT87600H0.001S",
            world -> world.lease().waitForAsync("go", TOO_LONG).isDone()),
        bad(
            "deadline is out of range: value=1969-12-31T23:59:59.999Z",
            world -> world.lease().waitFor("go", Instant.ofEpochMilli(-1)).isDone()));
  }

  @ParameterizedTest
  @MethodSource({"tables", "transactions", "signals"})
  void anyCall_argumentOutOfRange_isRefusedByNameValueAndLimitAndNothingChanges(
      String message, Act act) {
    EngineHarness harness = start(StoreKind.MEMORY);
    World world = world(harness);
    long commit = harness.store().lastCommit();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> act.on(world))
        .withMessageContaining(message);

    assertUnchanged(harness, commit);
    assertThat(world.lease().remaining()).isEqualTo(ofSeconds(30));
  }

  static List<Arguments> nulls() {
    return List.of(
        bad("keys", world -> world.queues().table("t", codec(), Codec.BYTES)),
        bad("values", world -> world.queues().table("t", Codec.BYTES, codec())),
        bad("table", world -> world.queues().table(nothing(), Codec.BYTES, Codec.BYTES)),
        table("key", (table, key) -> table.put(nothing(), key)),
        table("value", (table, key) -> table.put(key, nothing())),
        table("rows", (table, key) -> table.putAll(nothing())),
        table("row", (table, key) -> table.putAll(Collections.singletonList(nothing()))),
        table("key", (table, key) -> table.delete(nothing())),
        table("rows", (table, key) -> table.deleteAll(nothing())),
        table("value", (table, key) -> table.putIfAbsent(key, nothing()).isDone()),
        table("expected", (table, key) -> table.replace(key, nothing(), key).isDone()),
        table("value", (table, key) -> table.replace(key, key, nothing()).isDone()),
        table("expected", (table, key) -> table.deleteIf(key, nothing()).isDone()),
        table("key", (table, key) -> table.get(nothing())),
        table("keys", (table, key) -> table.getAll(nothing())),
        table("range", (table, key) -> table.scan(nothing(), PageRequest.first(1))),
        table("page", (table, key) -> table.scan(TableRange.all(), nothing())),
        table("range", (table, key) -> table.count(nothing())),
        table("durability", (table, key) -> table.with(nothing())),
        table("from", (table, key) -> TableRange.from(nothing())),
        table("to", (table, key) -> TableRange.before(nothing())),
        table("prefix", (table, key) -> TableRange.prefix(nothing())));
  }

  static List<Arguments> nullsInTransactions() {
    return List.of(
        bad(
            "work",
            world ->
                Dropped.result(
                    world
                        .queues()
                        .transact(BadEffectInputTest.<Function<Transaction, Integer>>nothing()))),
        inside(
            "table",
            (tx, world) -> tx.get(BadEffectInputTest.<Table<byte[], byte[]>>nothing(), KEY)),
        inside("key", (tx, world) -> tx.get(world.table(), nothing())),
        inside("value", (tx, world) -> tx.put(world.table(), KEY, nothing())),
        inside("key", (tx, world) -> tx.delete(world.table(), nothing())),
        inside("range", (tx, world) -> tx.scan(world.table(), nothing(), 1)),
        inside("queue", (tx, world) -> tx.enqueue((QueueName) nothing(), KEY)),
        inside("payload", (tx, world) -> tx.enqueue(SHIP, nothing())),
        inside("options", (tx, world) -> tx.enqueue(SHIP, KEY, (EnqueueOptions) nothing())),
        inside("lease", (tx, world) -> tx.complete(nothing())),
        inside("result", (tx, world) -> tx.complete(world.lease(), nothing())),
        inside("error", (tx, world) -> tx.fail(world.lease(), nothing())),
        inside("options", (tx, world) -> tx.fail(world.lease(), "x", nothing())),
        inside("lease", (tx, world) -> tx.release((Lease) nothing())),
        inside("id", (tx, world) -> tx.release((JobId) nothing())),
        inside("lease", (tx, world) -> tx.checkpoint(nothing(), KEY)),
        inside("state", (tx, world) -> tx.checkpoint(world.lease(), nothing())),
        inside("delay", (tx, world) -> tx.snooze(world.lease(), (Duration) nothing())),
        inside("until", (tx, world) -> tx.snooze(world.lease(), (Instant) nothing())),
        inside("id", (tx, world) -> tx.cancel(nothing())),
        inside("id", (tx, world) -> tx.cancelIfWaiting(nothing())),
        inside("id", (tx, world) -> tx.reschedule(nothing(), Instant.EPOCH)),
        inside("visibleAt", (tx, world) -> tx.reschedule(world.job(), nothing())),
        inside("id", (tx, world) -> tx.update(nothing(), UpdateOptions.NOTHING)),
        inside("changes", (tx, world) -> tx.update(world.job(), nothing())),
        inside("id", (tx, world) -> tx.redrive(nothing())),
        inside(
            "checkpointed",
            (tx, world) -> tx.redrive(world.job(), (DeadLetters.Checkpointed) nothing())));
  }

  static List<Arguments> nullsOfSignals() {
    return List.of(
        signals("job", (signals, id) -> signals.signal(nothing(), "go", KEY).isDone()),
        signals("signal", (signals, id) -> signals.signal(id, nothing(), KEY).isDone()),
        signals("payload", (signals, id) -> signals.signal(id, "go", nothing()).isDone()),
        signals(
            "jobs",
            (signals, id) ->
                signals.signalAll(nothing(), "go", KEY).forEach(SignalResult::orThrow)),
        signals(
            "job",
            (signals, id) ->
                signals
                    .signalAll(Collections.singletonList(nothing()), "go", KEY)
                    .forEach(SignalResult::orThrow)),
        signals("queue", (signals, id) -> signals.broadcast(nothing(), "go", KEY)),
        signals("signal", (signals, id) -> signals.broadcast(SHIP, nothing(), KEY)),
        signals("payload", (signals, id) -> signals.broadcast(SHIP, "go", nothing())),
        signals("kept", (signals, id) -> signals.broadcast(SHIP, "go", KEY, nothing())),
        admin("id", (admin, id) -> admin.failStuck(nothing(), "x").isDone()),
        admin("error", (admin, id) -> admin.failStuck(id, nothing()).isDone()),
        admin("id", (admin, id) -> admin.release(nothing()).isDone()),
        admin("queue", (admin, id) -> admin.endQueueLease(nothing())),
        admin("queueName", (admin, id) -> admin.configure(nothing(), settings -> settings)),
        admin("change", (admin, id) -> admin.configure("mail", nothing())),
        bad("stuckBefore", world -> JobFilter.ALL.stuckBefore(nothing())),
        bad("signal", world -> world.lease().waitFor((String) nothing()).isDone()),
        bad("batch", world -> world.lease().waitFor((BatchId) nothing()).isDone()),
        bad("most", world -> world.lease().waitFor("go", (Duration) nothing()).isDone()),
        bad("deadline", world -> world.lease().waitFor("go", (Instant) nothing()).isDone()));
  }

  private static Codec<byte[]> codec() {
    return nothing();
  }

  /** A null of any type, where the compiler believes that there is none. */
  @SuppressWarnings("unchecked") // Nothing is of every type.
  private static <T> T nothing() {
    @Nullable Object[] none = new Object[1];
    return (T) none[0];
  }

  @ParameterizedTest
  @MethodSource({"nulls", "nullsInTransactions", "nullsOfSignals"})
  void anyCall_null_isRefusedByNameAndNothingChanges(String name, Act act) {
    EngineHarness harness = start(StoreKind.MEMORY);
    World world = world(harness);
    long commit = harness.store().lastCommit();

    assertThatNullPointerException().isThrownBy(() -> act.on(world)).withMessage(name);

    assertUnchanged(harness, commit);
  }

  private static World world(EngineHarness harness) {
    enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    // The lease has its row with this commit.
    enqueue(mail(harness), "flush");
    return new World(
        harness.queues(), harness.queues().table("t", Codec.BYTES, Codec.BYTES), lease);
  }

  private static void assertUnchanged(EngineHarness harness, long commit) {
    harness.poke();
    assertThat(harness.store().lastCommit()).isEqualTo(commit);
    assertThat(harness.queues().tables(PageRequest.first(1)).items()).isEmpty();
  }
}
