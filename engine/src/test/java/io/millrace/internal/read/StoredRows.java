package io.millrace.internal.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.CountersRecord;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.HistoryRecord;
import io.millrace.internal.format.Incarnation;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.LeaseRecord;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.Sequences;
import io.millrace.internal.format.SignalKeys;
import io.millrace.internal.format.SignalRecord;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.TimerRecord;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A store in memory whose rows are written by hand: the queue {@link #MAIL} agrees with itself
 * until a test writes something that does not. For one thread.
 */
final class StoredRows implements AutoCloseable {

  static final int QUEUE = 7;
  static final QueueName MAIL = QueueName.of("mail");

  /** When all timers are due. */
  static final long TIMER_MS = 9_000;

  static final byte[] COUNTERS = CounterKeys.key(QUEUE);

  /** The concurrency, unique and signal key of rows that have one. */
  static final byte[] PART = "key".getBytes(UTF_8);

  /** Least sequence and token that the store's own epoch gives. */
  static final long FIRST = Sequences.first(1);

  private final OrderedStore store;
  private final long[] states = new long[JobState.values().length];
  private final long[] totals = new long[QueueStats.Total.values().length];
  private final Map<Integer, CountersRecord.ReadyRow> ready = new TreeMap<>();
  private static final long FIRST_AGENDA_MS = 1_000;

  private long agendaAtMs = CountersRecord.NONE;
  private long nextDelayedAtMs = CountersRecord.NONE;

  StoredRows() {
    Path name = Path.of("read-" + UUID.randomUUID());
    store =
        ServiceLoader.load(StoreFactory.class)
            .findFirst()
            .orElseThrow()
            .open(StoreOptions.of(name));
    put(MetaKeys.FORMAT, MetaRecords.Format.NEW.encode());
    put(MetaKeys.QUEUE_NUMBERS, new MetaRecords.QueueNumbers(100).encode());
    putQueue(MAIL, QueueRecord.selfMade(QUEUE, 1));
  }

  OrderedStore store() {
    return store;
  }

  @Override
  public void close() {
    store.close();
  }

  void put(byte[] key, byte[] value) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    batch.put(key, value);
    store.write(batch);
  }

  void delete(byte[] key) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    batch.delete(key);
    store.write(batch);
  }

  /** Flips a bit of a row's last byte. */
  void damage(byte[] key) {
    try (var view = store.read()) {
      byte[] value = view.get(key).clone();
      value[value.length - 1] ^= 1;
      put(key, value);
    }
  }

  void putQueue(QueueName name, QueueRecord queue) {
    byte[] key = QueueKeys.key(name);
    put(key, queue.encode(key));
    putName(queue.number(), name, QueueNameRecord.State.LIVE);
  }

  void putName(int number, QueueName name, QueueNameRecord.State state) {
    byte[] key = QueueNameKeys.key(number);
    put(key, new QueueNameRecord(name, state).encode(key));
  }

  void putRecord(byte[] key, JobRecord record) {
    put(key, record.encode(key));
  }

  void putMoved(long birth, byte[] to) {
    byte[] key = MovedKeys.key(QUEUE, birth);
    put(key, new MovedRecord(to).encode(key));
  }

  static JobRecordBuilder job(long birth) {
    byte[] payload = ("payload " + birth).getBytes(UTF_8);
    return JobRecord.builder()
        .birth(birth)
        .payload(new Payload.Inline(payload, Map.of()))
        .enqueuedAtMs(birth % 1_000_000);
  }

  static LeaseRecord lease(int priority, long readySequence, long token) {
    return new LeaseRecord(
        token, "worker", new Incarnation(11, 12), 30_000, 5_000, 1, priority, readySequence, false);
  }

  /** A job that is where it was born. */
  JobId ready(int priority, long birth) {
    return ready(job(birth).priority(priority).build());
  }

  JobId ready(JobRecord record) {
    putRecord(ReadyKeys.key(QUEUE, record.priority(), record.birth()), record);
    countReady(record.priority(), record.birth());
    return record.jobId(QUEUE);
  }

  /** A job that was born elsewhere and entered READY later. */
  JobId readyAgain(int priority, long birth, long sequence) {
    JobRecord record = job(birth).birthKind(Keyspace.DELAYED).priority(priority).build();
    byte[] key = ReadyKeys.key(QUEUE, priority, sequence);
    putRecord(key, record);
    putMoved(birth, key);
    countReady(priority, sequence);
    return record.jobId(QUEUE);
  }

  /** A leased job that is where it was born, behind the head. */
  JobId leased(int priority, long birth, long token) {
    JobRecord record = job(birth).priority(priority).build();
    putRecord(ReadyKeys.key(QUEUE, priority, birth), record);
    byte[] key = LeaseKeys.key(QUEUE, birth);
    put(key, lease(priority, birth, token).encode(key));
    count(JobState.LEASED);
    return record.jobId(QUEUE);
  }

  JobId delayed(long visibleAtMs, long birth) {
    nextDelayedAtMs = Math.min(nextDelayedAtMs, visibleAtMs);
    return moved(
        JobState.DELAYED,
        DelayedKeys.key(QUEUE, visibleAtMs, birth),
        job(birth).birthKind(Keyspace.DELAYED).build());
  }

  JobId blocked(String concurrencyKey, long birth) {
    byte[] part = concurrencyKey.getBytes(UTF_8);
    return moved(
        JobState.BLOCKED,
        BlockedKeys.key(QUEUE, part, 0, birth),
        job(birth).birthKind(Keyspace.BLOCKED).set(JobField.CONCURRENCY_KEY, part).build());
  }

  JobId waiting(String signal, long birth) {
    byte[] part = signal.getBytes(UTF_8);
    return moved(
        JobState.WAITING,
        WaitingKeys.key(QUEUE, part, birth),
        job(birth).set(JobField.SIGNAL, part).build());
  }

  JobId dead(long diedAtMs, long birth, String error) {
    JobRecord record =
        job(birth)
            .set(JobField.ATTEMPTS, 3)
            .set(JobField.LAST_ERROR, error)
            .set(JobField.DIED_AT_MS, diedAtMs)
            .build();
    return moved(JobState.DEAD, DeadKeys.key(QUEUE, diedAtMs, birth), record);
  }

  /** A dead job that has finished three attempts and has a retention. */
  JobId deadUntil(long endMs, long diedAtMs, long birth) {
    JobRecord record =
        job(birth)
            .set(JobField.ATTEMPTS, 3)
            .set(JobField.DIED_AT_MS, diedAtMs)
            .set(JobField.EXPIRE_AT_MS, endMs)
            .build();
    return moved(JobState.DEAD, DeadKeys.key(QUEUE, diedAtMs, birth), record);
  }

  /** A completed job that has a retention. */
  JobId doneUntil(long endMs, long doneAtMs, long birth) {
    JobRecord record =
        job(birth).set(JobField.ATTEMPTS, 1).set(JobField.EXPIRE_AT_MS, endMs).build();
    return moved(JobState.DONE, DoneKeys.key(QUEUE, doneAtMs, birth), record);
  }

  JobId done(long doneAtMs, long birth) {
    return moved(JobState.DONE, DoneKeys.key(QUEUE, doneAtMs, birth), job(birth).build());
  }

  /** A record with a MOVED row that leads to it. */
  JobId moved(JobState state, byte[] key, JobRecord record) {
    putRecord(key, record);
    putMoved(record.birth(), key);
    count(state);
    return record.jobId(QUEUE);
  }

  /** A ready job whose payload is in a row of its own. */
  JobId readyWithBlob(long birth, byte[] payload) {
    return readyWithBlob(birth, payload, Map.of("kind", "large"));
  }

  JobId readyWithBlob(long birth, byte[] payload, Map<String, String> headers) {
    byte[] key = BlobKeys.key(QUEUE, birth, 1);
    BlobRecord blob = new BlobRecord(payload, headers);
    put(key, blob.encode(key));
    return ready(job(birth).payload(blob.asVersion(1)).build());
  }

  void putLease(long birth, long token) {
    byte[] key = LeaseKeys.key(QUEUE, birth);
    put(key, lease(0, birth, token).encode(key));
  }

  void putBlob(long birth, int version, int lengthBytes) {
    byte[] key = BlobKeys.key(QUEUE, birth, version);
    put(key, new BlobRecord(new byte[lengthBytes], Map.of()).encode(key));
  }

  void putHistory(long birth, int attempt) {
    byte[] key = HistoryKeys.key(QUEUE, birth, attempt);
    put(key, new HistoryRecord(attempt, 1, 2, "worker", "x").encode(key));
  }

  void putSlot(int holders, int blocked) {
    byte[] key = SlotKeys.key(QUEUE, PART);
    put(key, new SlotRecord(holders, blocked).encode(key));
  }

  void putSignal() {
    byte[] key = SignalKeys.key(QUEUE, PART);
    put(key, new SignalRecord(PART, TIMER_MS).encode(key));
  }

  /** Under the scope FOR the key is free when the timers of these rows are due. */
  void putUnique(JobId job, int scope) {
    byte[] key = UniqueKeys.key(QUEUE, PART);
    long expiryMs = scope == UniqueRecord.FOR ? TIMER_MS : 0;
    put(key, new UniqueRecord(job, scope, expiryMs).encode(key));
  }

  void putTimer(TimerKeys.Kind kind, long birthOrHash, byte[] owner) {
    byte[] key = TimerKeys.key(TIMER_MS, QUEUE, kind, birthOrHash);
    put(key, new TimerRecord(owner).encode(key));
  }

  /** Moves the queue's agenda row. */
  void agenda(long timeMs) {
    if (agendaAtMs != CountersRecord.NONE) {
      delete(AgendaKeys.key(agendaAtMs, QUEUE));
    }
    agendaAtMs = timeMs;
    put(AgendaKeys.key(timeMs, QUEUE), new byte[0]);
    putCounters(counters());
  }

  /** Removes the queue's agenda row as if it had never been. */
  void noAgenda() {
    delete(AgendaKeys.key(agendaAtMs, QUEUE));
    agendaAtMs = CountersRecord.NONE;
    putCounters(counters());
  }

  void total(QueueStats.Total total, long count) {
    totals[total.ordinal()] = count;
    putCounters(counters());
  }

  CountersRecord counters() {
    return new CountersRecord(
        states.clone(),
        totals.clone(),
        ready.values().toArray(new CountersRecord.ReadyRow[0]),
        agendaAtMs,
        nextDelayedAtMs,
        0,
        0);
  }

  void putCounters(CountersRecord counters) {
    put(COUNTERS, counters.encode(COUNTERS));
  }

  private void countReady(int priority, long sequence) {
    CountersRecord.ReadyRow before =
        ready.getOrDefault(priority, new CountersRecord.ReadyRow(priority, 0, CountersRecord.NONE));
    ready.put(
        priority,
        new CountersRecord.ReadyRow(
            priority, before.readyCount() + 1, Math.min(before.headSequence(), sequence)));
    count(JobState.READY);
  }

  private void count(JobState state) {
    states[state.ordinal()]++;
    boolean isServed = state == JobState.READY || state == JobState.DELAYED;
    if (isServed && agendaAtMs == CountersRecord.NONE) {
      agenda(FIRST_AGENDA_MS);
    }
    putCounters(counters());
  }
}
