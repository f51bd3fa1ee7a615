package io.millrace.internal.format;

import io.millrace.api.JobId;
import java.util.Arrays;
import java.util.Objects;

/**
 * The result of a job that a tally keeps. On disk, never change.
 *
 * <pre>
 *  tag 1  bytes  the job's id, as {@link JobAddress}
 *       2  bytes  the result; empty by default
 * </pre>
 *
 * @param job the job's id
 * @param result shared, nobody may change it
 */
public record TallyResult(JobId job, byte[] result) {

  private static final int JOB = 1;
  private static final int RESULT = 2;

  public TallyResult {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(result, "result");
  }

  public byte[] encode(byte[] key) {
    byte[] id = new byte[2 * Long.BYTES];
    Bytes.putLong(id, 0, job.high());
    Bytes.putLong(id, Long.BYTES, job.low());
    RecordWriter writer = RecordWriter.ofThread();
    writer.bytes(JOB, id).bytes(RESULT, result.length == 0 ? null : result);
    return new TableRecord(writer.seal(key)).encode(key);
  }

  /**
   * Returns the result of the row.
   *
   * @throws io.millrace.api.CorruptDataException the row is damaged
   */
  public static TallyResult decode(byte[] key, byte[] value) {
    byte[] content = TableRecord.decode(key, value).bytes();
    return RecordReader.decode(Keyspace.TABLE, key, content, TallyResult::read);
  }

  private static TallyResult read(RecordReader reader) {
    byte[] id = new byte[2 * Long.BYTES];
    byte[] result = new byte[0];
    while (reader.next()) {
      switch (reader.tag()) {
        case JOB -> id = Arrays.copyOf(reader.bytes(), id.length);
        case RESULT -> result = reader.bytes();
        default -> {}
      }
    }
    return new TallyResult(new JobId(Bytes.getLong(id, 0), Bytes.getLong(id, Long.BYTES)), result);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TallyResult that
        && job.equals(that.job)
        && Arrays.equals(result, that.result);
  }

  @Override
  public int hashCode() {
    return 31 * job.hashCode() + Arrays.hashCode(result);
  }
}
