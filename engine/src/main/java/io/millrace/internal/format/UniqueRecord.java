package io.millrace.internal.format;

import io.millrace.api.JobId;
import java.util.Objects;

/**
 * The holder of a unique key. On disk, never change.
 *
 * <pre>
 *  tag 1  bytes   job id: high and low half, 8 bytes each, big-endian; all zero by default
 *      2  number  scope: 1 UNTIL_STARTED, 2 UNTIL_FINISHED (default), 3 FOR
 *      3  number  expiry, epoch ms; 0 (none) by default
 * </pre>
 *
 * @param jobId the job that holds the key, and alone may free it
 * @param scope one of the codes above
 * @param expiryMs the steady time at which the key is free again under scope FOR; 0 for none
 */
public record UniqueRecord(JobId jobId, int scope, long expiryMs) {

  public static final int UNTIL_STARTED = 1;
  public static final int UNTIL_FINISHED = 2;
  public static final int FOR = 3;

  /**
   * The scope of a job whose scope was UNTIL_STARTED and which was started since; in a job's record
   * only, never in a row. The job does not hold its key, and takes it again when it is redriven.
   */
  public static final int STARTED = 4;

  private static final int JOB_ID = 1;
  private static final int SCOPE = 2;
  private static final int EXPIRY = 3;

  public UniqueRecord {
    Objects.requireNonNull(jobId, "jobId");
  }

  /** Returns the row of a job that holds its key. */
  public static UniqueRecord of(int queue, JobRecord job) {
    return new UniqueRecord(job.jobId(queue), job.uniqueScope(), job.uniqueUntilMs());
  }

  /** Tells whether the key is free by now, though its row is there. */
  public boolean isExpired(long steadyMs) {
    return scope == FOR && expiryMs <= steadyMs;
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    int start = writer.begin(JOB_ID);
    writer.addLong(jobId.high());
    writer.addLong(jobId.low());
    writer.end(start);
    return writer.number(SCOPE, scope, UNTIL_FINISHED).number(EXPIRY, expiryMs, 0).seal(key);
  }

  public static UniqueRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.UNIQUE, key, value, UniqueRecord::read);
  }

  private static UniqueRecord read(RecordReader reader) {
    JobId jobId = new JobId(0, 0);
    int scope = UNTIL_FINISHED;
    long expiryMs = 0;
    while (reader.next()) {
      switch (reader.tag()) {
        case JOB_ID -> jobId = new JobId(reader.takeLong(), reader.takeLong());
        case SCOPE -> scope = reader.intNumber();
        case EXPIRY -> expiryMs = reader.number();
        default -> {}
      }
    }
    return new UniqueRecord(jobId, scope, expiryMs);
  }
}
