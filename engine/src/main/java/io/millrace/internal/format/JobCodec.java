package io.millrace.internal.format;

import io.millrace.api.Backoff;
import io.millrace.api.CorruptDataException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a job's record. On disk, never change.
 *
 * <pre>
 *  tag 1  number   birth sequence; by default the sequence in the key
 *      2  byte     keyspace of birth; READY by default
 *      3  byte     priority at birth; by default the priority
 *      4  byte     priority; 0 by default
 *      5  number   weight; 1 by default
 *      6  number   attempts; 0 by default
 *      7  number   maxAttempts; 3 by default
 *      8  backoff  kind byte, jitter 8 bytes, then 1 exponential: initial, max, multiplier 8 bytes;
 *                  2 linear: initial, step, max; 3 custom: every delay; durations are nanoseconds,
 *                  varint; 1 s doubling up to 10 min with jitter 0.2 by default
 *      9  number   lease duration, ms; 0 (the queue's) by default
 *     10  number   enqueued at, ms; 0 by default
 *     11  number   ready at, ms; by default enqueued at
 *     12  number   delay counts from, ms; 0 by default
 *     13  bytes    payload; none by default
 *     14  headers  name and value of each: varint length, UTF-8; none by default
 *     15  blob     version, payload length, length of headers (varints), the last one only if it is
 *                  not 0; in place of 13 and 14
 *     16  text     last error; null by default
 *     17  number   first started at, ms; 0 by default
 *     18  number   last started at, ms; 0 by default
 *     19  number   last ended at, ms; 0 by default
 *     20  text     last worker; null by default
 *     21  number   died at, ms; 0 by default
 *     22  number   attempts before the last redrive; 0 by default
 *     23  number   end of time to live, ms; 0 (none) by default
 *     24  number   result retention, ms; 0 by default
 *     25  bytes    unique key; null by default
 *     26  number   unique scope: 0 none (default), 1 UNTIL_STARTED, 2 UNTIL_FINISHED, 3 FOR
 *     27  number   unique until, ms; 0 by default
 *     28  bytes    concurrency key; null by default
 *     29  bytes    signal; null by default
 *     30  number   signal deadline, ms; 0 (none) by default
 *     31  bytes    signal payload; null by default
 *     32  number   wake reason: 0 FIRST (default), 1 RETRY, 2 SLEPT, 3 SIGNALLED, 4 TIMED_OUT
 *     33  bytes    result; null by default
 *     34  flag     cancel requested
 *     35  number   what the queue says in place of 7 and 8: 1 maxAttempts, 2 backoff, 3 both; 0 by
 *                  default
 *     36  text     type; null (the queue's name) by default
 *     37  bytes    state of the last checkpoint; null by default
 *     38  blob     the same in a BLOB row: version, length (varints); in place of 37
 *     39  number   fewer holders of 28, which is a key of the engine, let the job go on; 0 (28 is a
 *                  key of the queue) by default
 *     40  number   signals that are kept for the job, 1 also if there are more; 0 by default
 *     41  number   waits for a signal since, ms; 0 by default
 *     42  number   least sequence of a broadcast that it waits for; 0 (it does not wait) by default
 *     43  number   end of the wait for a signal in steady time, ms; 0 (none) by default
 *     44  number   slots of kept signals below this one are taken or were; 0 by default
 *     45  flag     holds a slot of 28 though it is delayed or waits for a signal
 *     46  rate     limit over all queues, as {@link EngineRate} says; none by default
 * </pre>
 *
 * <p>READY and BLOCKED keys carry a sequence and the priority: there the sequence is the birth
 * sequence unless the record says otherwise, and the priorities must agree. The other keys carry
 * the birth sequence itself.
 */
final class JobCodec {

  private static final int BIRTH = 1;
  private static final int BIRTH_KIND = 2;
  private static final int BIRTH_PRIORITY = 3;
  private static final int PRIORITY = 4;
  private static final int WEIGHT = 5;
  private static final int ATTEMPTS = 6;
  private static final int MAX_ATTEMPTS = 7;
  private static final int BACKOFF = 8;
  private static final int LEASE = 9;
  private static final int ENQUEUED_AT = 10;
  private static final int READY_AT = 11;
  private static final int DELAY_BASE = 12;
  private static final int PAYLOAD = 13;
  private static final int HEADERS = 14;
  private static final int BLOB = 15;
  private static final int LAST_ERROR = 16;
  private static final int FIRST_STARTED_AT = 17;
  private static final int LAST_STARTED_AT = 18;
  private static final int LAST_ENDED_AT = 19;
  private static final int LAST_WORKER = 20;
  private static final int DIED_AT = 21;
  private static final int EARLIER_ATTEMPTS = 22;
  private static final int EXPIRE_AT = 23;
  private static final int RESULT_RETENTION = 24;
  private static final int UNIQUE_KEY = 25;
  private static final int UNIQUE_SCOPE = 26;
  private static final int UNIQUE_UNTIL = 27;
  private static final int CONCURRENCY_KEY = 28;
  private static final int SIGNAL = 29;
  private static final int WAIT_TIMER = 30;
  private static final int SIGNAL_PAYLOAD = 31;
  private static final int WAKE_REASON = 32;
  private static final int RESULT = 33;
  private static final int CANCEL_REQUESTED = 34;
  private static final int OF_QUEUE = 35;
  private static final int TYPE = 36;
  private static final int STATE = 37;
  private static final int STATE_BLOB = 38;
  private static final int ENGINE_MOST = 39;
  private static final int INBOX_COUNT = 40;
  private static final int WAIT_SINCE = 41;
  private static final int WAIT_SEQUENCE = 42;
  private static final int WAIT_STEADY_END = 43;
  private static final int INBOX_SLOTS = 44;
  private static final int HOLDS_SLOT = 45;
  private static final int ENGINE_RATE = 46;

  /** Parts of OF_QUEUE. */
  private static final int MAX_ATTEMPTS_OF_QUEUE = 1;

  private static final int BACKOFF_OF_QUEUE = 2;

  /** No sequence is negative: a record's birth always differs from it. */
  private static final long NO_SEQUENCE = -1;

  private JobCodec() {}

  static byte[] encode(JobRecord job, byte[] key) {
    checkKey(job, key);
    return writer(job, carriedSequence(key)).seal(key);
  }

  /** Bytes that are the same for equal records only. */
  static byte[] canonical(JobRecord job) {
    return writer(job, NO_SEQUENCE).seal(new byte[0]);
  }

  static JobRecord decode(byte[] key, byte[] value) {
    return RecordReader.decodeJob(key, value, JobCodec::read);
  }

  private static RecordWriter writer(JobRecord job, long carriedSequence) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.number(BIRTH, job.birth(), carriedSequence);
    writer.signedByte(BIRTH_KIND, job.birthKind().code(), Keyspace.READY.code());
    writer.signedByte(BIRTH_PRIORITY, job.birthPriority(), job.priority());
    writer.signedByte(PRIORITY, job.priority(), 0);
    writer.number(WEIGHT, job.weight(), 1);
    writer.number(ATTEMPTS, job.attempts(), 0);
    writeRetry(writer, job);
    writer.number(LEASE, job.leaseMs(), 0);
    writer.number(ENQUEUED_AT, job.enqueuedAtMs(), 0);
    writer.number(READY_AT, job.readyAtMs(), job.enqueuedAtMs());
    writer.number(DELAY_BASE, job.delayBaseMs(), 0);
    writePayload(writer, job.payload());
    writer.text(LAST_ERROR, job.lastError());
    writer.number(FIRST_STARTED_AT, job.firstStartedAtMs(), 0);
    writer.number(LAST_STARTED_AT, job.lastStartedAtMs(), 0);
    writer.number(LAST_ENDED_AT, job.lastEndedAtMs(), 0);
    writer.text(LAST_WORKER, job.lastWorker());
    writer.number(DIED_AT, job.diedAtMs(), 0);
    writer.number(EARLIER_ATTEMPTS, job.earlierAttempts(), 0);
    writer.number(EXPIRE_AT, job.expireAtMs(), 0);
    writer.number(RESULT_RETENTION, job.resultRetentionMs(), 0);
    writer.bytes(UNIQUE_KEY, job.uniqueKey());
    writer.number(UNIQUE_SCOPE, job.uniqueScope(), 0);
    writer.number(UNIQUE_UNTIL, job.uniqueUntilMs(), 0);
    writer.bytes(CONCURRENCY_KEY, job.concurrencyKey());
    writer.bytes(SIGNAL, job.signal());
    writer.number(WAIT_TIMER, job.waitTimerMs(), 0);
    writer.bytes(SIGNAL_PAYLOAD, job.signalPayload());
    writer.number(WAKE_REASON, job.wakeReason(), 0);
    writer.bytes(RESULT, job.result());
    writer.flag(CANCEL_REQUESTED, job.cancelRequested());
    writer.number(OF_QUEUE, ofQueue(job), 0);
    writer.text(TYPE, job.type());
    writeState(writer, job.state());
    writer.number(ENGINE_MOST, job.engineMost(), 0);
    writer.number(INBOX_COUNT, job.inboxCount(), 0);
    writer.number(WAIT_SINCE, job.waitSinceMs(), 0);
    writer.number(WAIT_SEQUENCE, job.waitSequence(), 0);
    writer.number(WAIT_STEADY_END, job.waitSteadyEndMs(), 0);
    writer.number(INBOX_SLOTS, job.inboxSlots(), 0);
    writer.flag(HOLDS_SLOT, job.holdsSlot());
    EngineRate rate = job.engineRate();
    if (rate != null) {
      rate.write(writer, ENGINE_RATE);
    }
    return writer;
  }

  private static void writeRetry(RecordWriter writer, JobRecord job) {
    if (job.ownMaxAttempts() != JobRecord.OF_QUEUE) {
      writer.number(MAX_ATTEMPTS, job.ownMaxAttempts(), JobFields.MAX_ATTEMPTS_STORED);
    }
    Backoff backoff = job.ownBackoff();
    if (backoff != null) {
      StoredParts.writeBackoff(writer, BACKOFF, backoff);
    }
  }

  private static int ofQueue(JobRecord job) {
    return (job.ownMaxAttempts() == JobRecord.OF_QUEUE ? MAX_ATTEMPTS_OF_QUEUE : 0)
        + (job.ownBackoff() == null ? BACKOFF_OF_QUEUE : 0);
  }

  private static void writeState(RecordWriter writer, @Nullable Payload state) {
    if (state instanceof Payload.Inline inline) {
      writer.bytes(STATE, inline.payload());
    } else if (state instanceof Payload.InBlob blob) {
      writeBlob(writer, STATE_BLOB, blob);
    }
  }

  private static void writeBlob(RecordWriter writer, int tag, Payload.InBlob blob) {
    int start = writer.begin(tag);
    writer.addVarint(blob.version());
    writer.addVarint(blob.lengthBytes());
    if (blob.headersBytes() != 0) {
      writer.addVarint(blob.headersBytes());
    }
    writer.end(start);
  }

  static long salvageTimerMs(byte[] key, byte[] value) {
    int tag = Keyspace.ofKey(key) == Keyspace.WAITING ? WAIT_TIMER : EXPIRE_AT;
    try {
      RecordReader reader = RecordReader.unchecked(key, value);
      while (reader.next()) {
        if (reader.tag() == tag) {
          return reader.number();
        }
      }
    } catch (CorruptDataException e) {
      return 0;
    }
    return 0;
  }

  private static JobRecord read(RecordReader reader) {
    JobRecordBuilder job = JobRecord.builder().birth(carriedSequence(reader.key()));
    ReadPayload payload = new ReadPayload();
    while (reader.next()) {
      if (reader.tag() <= BACKOFF) {
        readRules(reader, job);
      } else if (reader.tag() <= BLOB) {
        readTimesAndPayload(reader, job, payload);
      } else if (reader.tag() <= EARLIER_ATTEMPTS) {
        readPast(reader, job);
      } else {
        readOptions(reader, job);
      }
    }
    JobRecord record = job.payload(payload.take(reader)).build();
    checkKey(record, reader.key());
    return record;
  }

  private static void readRules(RecordReader reader, JobRecordBuilder job) {
    switch (reader.tag()) {
      case BIRTH -> job.birth(reader.number());
      case BIRTH_KIND -> job.birthKind(Keyspace.of(reader.signedByte()));
      case BIRTH_PRIORITY -> job.birthPriority(reader.signedByte());
      case PRIORITY -> job.priority(reader.signedByte());
      case WEIGHT -> job.weight(reader.intNumber());
      case ATTEMPTS -> job.attempts(reader.intNumber());
      case MAX_ATTEMPTS -> job.maxAttempts(reader.intNumber());
      case BACKOFF -> job.backoff(StoredParts.readBackoff(reader));
      default -> {}
    }
  }

  private static void readTimesAndPayload(
      RecordReader reader, JobRecordBuilder job, ReadPayload payload) {
    switch (reader.tag()) {
      case LEASE -> job.leaseMs(reader.number());
      case ENQUEUED_AT -> job.enqueuedAtMs(reader.number());
      case READY_AT -> job.readyAtMs(reader.number());
      case DELAY_BASE -> job.delayBaseMs(reader.number());
      case PAYLOAD -> payload.inline = reader.bytes();
      case HEADERS -> payload.headers = StoredParts.readHeaders(reader);
      case BLOB -> payload.inBlob = readBlob(reader);
      default -> {}
    }
  }

  private static Payload.InBlob readBlob(RecordReader reader) {
    int version = reader.takeInt();
    int lengthBytes = reader.takeInt();
    return new Payload.InBlob(version, lengthBytes, reader.hasMore() ? reader.takeInt() : 0);
  }

  private static void readPast(RecordReader reader, JobRecordBuilder job) {
    switch (reader.tag()) {
      case LAST_ERROR -> job.lastError(reader.text());
      case FIRST_STARTED_AT -> job.firstStartedAtMs(reader.number());
      case LAST_STARTED_AT -> job.lastStartedAtMs(reader.number());
      case LAST_ENDED_AT -> job.lastEndedAtMs(reader.number());
      case LAST_WORKER -> job.lastWorker(reader.text());
      case DIED_AT -> job.diedAtMs(reader.number());
      case EARLIER_ATTEMPTS -> job.earlierAttempts(reader.intNumber());
      default -> {}
    }
  }

  private static void readOptions(RecordReader reader, JobRecordBuilder job) {
    switch (reader.tag()) {
      case EXPIRE_AT -> job.expireAtMs(reader.number());
      case RESULT_RETENTION -> job.resultRetentionMs(reader.number());
      case UNIQUE_KEY -> job.uniqueKey(reader.bytes());
      case UNIQUE_SCOPE -> job.uniqueScope(reader.intNumber());
      case UNIQUE_UNTIL -> job.uniqueUntilMs(reader.number());
      case CONCURRENCY_KEY -> job.concurrencyKey(reader.bytes());
      case SIGNAL -> job.signal(reader.bytes());
      case WAIT_TIMER -> job.waitTimerMs(reader.number());
      case SIGNAL_PAYLOAD -> job.signalPayload(reader.bytes());
      case WAKE_REASON -> job.wakeReason(reader.intNumber());
      case RESULT -> job.result(reader.bytes());
      case CANCEL_REQUESTED -> job.cancelRequested(reader.flag());
      case OF_QUEUE -> readOfQueue(reader.intNumber(), job);
      case TYPE -> job.type(reader.text());
      case STATE -> job.state(new Payload.Inline(reader.bytes(), Map.of()));
      case STATE_BLOB -> job.state(readBlob(reader));
      case ENGINE_MOST -> job.engineMost(reader.intNumber());
      case INBOX_COUNT -> job.inboxCount(reader.intNumber());
      case INBOX_SLOTS -> job.inboxSlots(reader.intNumber());
      case HOLDS_SLOT -> job.holdsSlot(reader.flag());
      case ENGINE_RATE -> job.engineRate(EngineRate.read(reader));
      case WAIT_SINCE -> job.waitSinceMs(reader.number());
      case WAIT_SEQUENCE -> job.waitSequence(reader.number());
      case WAIT_STEADY_END -> job.waitSteadyEndMs(reader.number());
      default -> {}
    }
  }

  private static void readOfQueue(int parts, JobRecordBuilder job) {
    if ((parts & MAX_ATTEMPTS_OF_QUEUE) != 0) {
      job.maxAttempts(JobRecord.OF_QUEUE);
    }
    if ((parts & BACKOFF_OF_QUEUE) != 0) {
      job.backoff(null);
    }
  }

  private static void writePayload(RecordWriter writer, Payload payload) {
    if (payload instanceof Payload.Inline inline) {
      writer.bytes(PAYLOAD, inline.payload().length == 0 ? null : inline.payload());
      StoredParts.writeHeaders(writer, HEADERS, inline.headers());
    } else if (payload instanceof Payload.InBlob blob) {
      writeBlob(writer, BLOB, blob);
    }
  }

  /**
   * The sequence in the key: the birth sequence, but in READY and BLOCKED only as long as the
   * record does not differ.
   */
  private static long carriedSequence(byte[] key) {
    return switch (Keyspace.ofKey(key)) {
      case READY -> ReadyKeys.sequence(key);
      case BLOCKED -> BlockedKeys.sequence(key);
      case DELAYED -> DelayedKeys.birth(key);
      case WAITING -> WaitingKeys.birth(key);
      case DEAD -> DeadKeys.birth(key);
      case DONE -> DoneKeys.birth(key);
      default ->
          throw new IllegalArgumentException("not a key of a job's record: key=" + Bytes.hex(key));
    };
  }

  /**
   * On both sides of the disk: a record under a key that says something else would be another job.
   */
  private static void checkKey(JobRecord job, byte[] key) {
    boolean agrees =
        switch (Keyspace.ofKey(key)) {
          case READY -> ReadyKeys.priority(key) == job.priority();
          case BLOCKED -> BlockedKeys.priority(key) == job.priority();
          default -> carriedSequence(key) == job.birth();
        };
    if (!agrees) {
      throw new IllegalArgumentException("record and key do not agree: record=" + job);
    }
  }

  /** What was read of the payload, until it is known which kind it is. */
  private static final class ReadPayload {

    private byte @Nullable [] inline;
    private @Nullable Map<String, String> headers;
    private Payload.@Nullable InBlob inBlob;

    private Payload take(RecordReader reader) {
      if (inBlob != null) {
        if (inline != null || headers != null) {
          throw reader.corrupt("payload is both in the record and in a blob");
        }
        return inBlob;
      }
      if (inline == null && headers == null) {
        return Payload.EMPTY;
      }
      return new Payload.Inline(
          inline == null ? new byte[0] : inline, headers == null ? Map.of() : headers);
    }
  }
}
