package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;
import java.util.Map;

/**
 * The layout of a job's record. The tags are those of {@code docs/FORMAT.md}; most fields have
 * theirs in {@link JobField}. On disk, never change.
 *
 * <p>READY and BLOCKED keys carry a sequence and the priority. The sequence is the birth sequence
 * unless the record says otherwise, and the priorities must agree. The other keys carry the birth
 * sequence itself.
 */
final class JobCodec {

  private static final int BIRTH = 1;
  private static final int BIRTH_KIND = 2;
  private static final int BIRTH_PRIORITY = 3;
  private static final int PRIORITY = 4;
  private static final int WEIGHT = 5;
  private static final int MAX_ATTEMPTS = 7;
  private static final int BACKOFF = 8;
  private static final int ENQUEUED_AT = 10;
  private static final int READY_AT = 11;
  private static final int PAYLOAD = 13;
  private static final int HEADERS = 14;
  private static final int BLOB = 15;
  private static final int OF_QUEUE = 35;

  /** The bits of OF_QUEUE, one for each part that the queue's settings say. */
  private static final int MAX_ATTEMPTS_OF_QUEUE = 1;

  private static final int BACKOFF_OF_QUEUE = 2;

  /**
   * A number that no sequence has: with it in place of the key's, a record always contains its
   * birth.
   */
  private static final long NO_SEQUENCE = -1;

  private JobCodec() {}

  static byte[] encode(JobFields job, byte[] key) {
    checkKey(job, key);
    return writer(job, carriedSequence(key)).seal(key);
  }

  /** Returns bytes that are the same for equal records only. */
  static byte[] canonical(JobFields job) {
    return writer(job, NO_SEQUENCE).seal(new byte[0]);
  }

  static JobRecord decode(byte[] key, byte[] value) {
    return RecordReader.decodeJob(key, value, JobCodec::read);
  }

  private static RecordWriter writer(JobFields job, long carriedSequence) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.number(BIRTH, job.birth, carriedSequence);
    writer.signedByte(BIRTH_KIND, job.birthKind.code(), Keyspace.READY.code());
    writer.signedByte(BIRTH_PRIORITY, job.birthPriority, job.priority);
    writer.signedByte(PRIORITY, job.priority, 0);
    writer.number(WEIGHT, job.weight, 1);
    job.write(writer, WEIGHT, MAX_ATTEMPTS);
    if (job.maxAttempts != JobRecord.OF_QUEUE) {
      writer.number(MAX_ATTEMPTS, job.maxAttempts, JobFields.MAX_ATTEMPTS_STORED);
    }
    if (job.backoff != null) {
      StoredParts.writeBackoff(writer, BACKOFF, job.backoff);
    }
    job.write(writer, BACKOFF, ENQUEUED_AT);
    writer.number(ENQUEUED_AT, job.enqueuedAtMs, 0);
    writer.number(READY_AT, job.readyAtMs, job.enqueuedAtMs);
    job.write(writer, READY_AT, PAYLOAD);
    writePayload(writer, job.payload);
    job.write(writer, BLOB, OF_QUEUE);
    writer.number(OF_QUEUE, ofQueue(job), 0);
    job.write(writer, OF_QUEUE, Long.SIZE);
    return writer;
  }

  private static int ofQueue(JobFields job) {
    return (job.maxAttempts == JobRecord.OF_QUEUE ? MAX_ATTEMPTS_OF_QUEUE : 0)
        + (job.backoff == null ? BACKOFF_OF_QUEUE : 0);
  }

  private static void writePayload(RecordWriter writer, Payload payload) {
    if (payload instanceof Payload.Inline inline) {
      writer.bytes(PAYLOAD, inline.payload().length == 0 ? null : inline.payload());
      StoredParts.writeHeaders(writer, HEADERS, inline.headers());
    } else if (payload instanceof Payload.InBlob blob) {
      blob.write(writer, BLOB);
    }
  }

  static long salvageTimerMs(byte[] key, byte[] value) {
    TimerKeys.Kind timer = StateTraits.at(key).timer();
    JobField<Long> time = timer == null ? null : timer.timeOfJob();
    if (time == null) {
      return 0;
    }
    try {
      RecordReader reader = RecordReader.unchecked(key, value);
      while (reader.next()) {
        if (reader.tag() == time.tag()) {
          return time.read(reader);
        }
      }
    } catch (CorruptDataException e) {
      return 0;
    }
    return 0;
  }

  private static JobRecord read(RecordReader reader) {
    JobFields job = new JobFields();
    job.birth = carriedSequence(reader.key());
    while (reader.next()) {
      switch (reader.tag()) {
        case BIRTH -> job.birth = reader.number();
        case BIRTH_KIND -> job.birthKind = Keyspace.of(reader.signedByte());
        case BIRTH_PRIORITY -> job.birthPriority = reader.signedByte();
        case PRIORITY -> job.priority = reader.signedByte();
        case WEIGHT -> job.weight = reader.intNumber();
        case MAX_ATTEMPTS -> job.maxAttempts = reader.intNumber();
        case BACKOFF -> job.backoff = StoredParts.readBackoff(reader);
        case ENQUEUED_AT -> job.enqueuedAtMs = reader.number();
        case READY_AT -> job.readyAtMs = reader.number();
        case PAYLOAD -> job.payload = new Payload.Inline(reader.bytes(), Map.of());
        case HEADERS -> job.payload = withHeaders(job.payload, StoredParts.readHeaders(reader));
        case BLOB -> job.payload = inBlob(reader, job.payload);
        case OF_QUEUE -> readOfQueue(reader.intNumber(), job);
        default -> job.read(reader);
      }
    }
    JobRecord record = job.build();
    checkKey(job, reader.key());
    return record;
  }

  /** Returns payload and headers. The payload has been read before, as its tag is lower. */
  private static Payload withHeaders(Payload payload, Map<String, String> headers) {
    return new Payload.Inline(((Payload.Inline) payload).payload(), headers);
  }

  private static Payload inBlob(RecordReader reader, Payload inRecord) {
    if (inRecord != Payload.EMPTY) {
      throw reader.corrupt("payload is both in the record and in a blob");
    }
    return Payload.InBlob.read(reader);
  }

  private static void readOfQueue(int parts, JobFields job) {
    if ((parts & MAX_ATTEMPTS_OF_QUEUE) != 0) {
      job.maxAttempts = JobRecord.OF_QUEUE;
    }
    if ((parts & BACKOFF_OF_QUEUE) != 0) {
      job.backoff = null;
    }
  }

  /**
   * Returns the sequence in the key. It is the birth sequence, but in READY and BLOCKED only as
   * long as the record does not say otherwise.
   */
  private static long carriedSequence(byte[] key) {
    Keyspace keyspace = Keyspace.ofKey(key);
    if (!keyspace.isOfJobs()) {
      throw new IllegalArgumentException("not a key of a job's record: key=" + Bytes.hex(key));
    }
    return StateTraits.in(keyspace).sequence(key);
  }

  /**
   * Throws if record and key do not agree. Called before a write and after a read: under a key that
   * says something else the record would be another job.
   */
  private static void checkKey(JobFields job, byte[] key) {
    StateTraits state = StateTraits.at(key);
    boolean agrees =
        state.isKeyOfBirth()
            ? state.sequence(key) == job.birth
            : state.priority(key) == job.priority;
    if (!agrees) {
      throw new IllegalArgumentException(
          "record and key do not agree: record=" + new JobRecord(job));
    }
  }
}
