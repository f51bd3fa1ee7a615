package io.millrace.internal.format;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A finished attempt of a job. On disk, never change.
 *
 * <pre>
 *  tag 1  number  attempt since enqueue or redrive; 0 by default
 *      2  number  start, epoch ms; 0 by default
 *      3  number  end, epoch ms; 0 by default
 *      4  text    worker; empty by default
 *      5  text    error; none by default
 * </pre>
 */
public record HistoryRecord(
    int attempt, long startedAtMs, long endedAtMs, String worker, @Nullable String error) {

  private static final int ATTEMPT = 1;
  private static final int STARTED_AT = 2;
  private static final int ENDED_AT = 3;
  private static final int WORKER = 4;
  private static final int ERROR = 5;

  public HistoryRecord {
    Objects.requireNonNull(worker, "worker");
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    writer.number(ATTEMPT, attempt, 0);
    writer.number(STARTED_AT, startedAtMs, 0);
    writer.number(ENDED_AT, endedAtMs, 0);
    writer.text(WORKER, worker.isEmpty() ? null : worker);
    writer.text(ERROR, error);
    return writer.seal(key);
  }

  public static HistoryRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.HISTORY, key, value, HistoryRecord::read);
  }

  private static HistoryRecord read(RecordReader reader) {
    int attempt = 0;
    long startedAtMs = 0;
    long endedAtMs = 0;
    String worker = "";
    String error = null;
    while (reader.next()) {
      switch (reader.tag()) {
        case ATTEMPT -> attempt = reader.intNumber();
        case STARTED_AT -> startedAtMs = reader.number();
        case ENDED_AT -> endedAtMs = reader.number();
        case WORKER -> worker = reader.text();
        case ERROR -> error = reader.text();
        default -> {}
      }
    }
    return new HistoryRecord(attempt, startedAtMs, endedAtMs, worker, error);
  }
}
