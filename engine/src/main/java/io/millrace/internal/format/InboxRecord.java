package io.millrace.internal.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Signals that are kept for a job until it waits for them, in the order in which they came. On
 * disk, never change.
 *
 * <pre>
 *  tag 1  each: name, payload; each of them length (varint), bytes
 * </pre>
 */
public record InboxRecord(List<Kept> signals) {

  /** Of a job that has none. */
  public static final InboxRecord EMPTY = new InboxRecord(List.of());

  private static final int SIGNALS = 1;

  /** What a signal takes beside its name and payload: their lengths. */
  public static final int EACH_BYTES = 6;

  public InboxRecord {
    signals = List.copyOf(signals);
  }

  /**
   * One signal.
   *
   * @param name its name in UTF-8; shared, nobody may change it
   * @param payload its bytes; shared, nobody may change them
   */
  public record Kept(byte[] name, byte[] payload) {

    @Override
    public boolean equals(Object other) {
      return other instanceof Kept that
          && Arrays.equals(name, that.name)
          && Arrays.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(name) + Arrays.hashCode(payload);
    }
  }

  /** The first of this name; null if there is none. */
  public @Nullable Kept first(byte[] name) {
    for (Kept signal : signals) {
      if (Arrays.equals(signal.name(), name)) {
        return signal;
      }
    }
    return null;
  }

  /** The others, in their order. */
  public InboxRecord without(Kept taken) {
    List<Kept> rest = new ArrayList<>(signals);
    rest.remove(taken);
    return new InboxRecord(rest);
  }

  /** These, and behind them one more. */
  public InboxRecord with(Kept added) {
    List<Kept> all = new ArrayList<>(signals);
    all.add(added);
    return new InboxRecord(all);
  }

  /** Whether the job's record knows of it: of how many there are, or, as 1, of some. */
  public boolean isKnownTo(JobRecord job) {
    return job.inboxCount() == signals.size() || job.inboxCount() == 1;
  }

  /** About how long the row is, key and value. */
  public long bytes() {
    long bytes = 2L * RowBytes.KEY;
    for (Kept signal : signals) {
      bytes += EACH_BYTES + signal.name().length + signal.payload().length;
    }
    return bytes;
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    if (!signals.isEmpty()) {
      int start = writer.begin(SIGNALS);
      for (Kept signal : signals) {
        writer.addBytes(signal.name());
        writer.addBytes(signal.payload());
      }
      writer.end(start);
    }
    return writer.seal(key);
  }

  public static InboxRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.SIGNAL, key, value, InboxRecord::read);
  }

  private static InboxRecord read(RecordReader reader) {
    List<Kept> signals = new ArrayList<>();
    while (reader.next()) {
      if (reader.tag() == SIGNALS) {
        while (reader.hasMore()) {
          signals.add(new Kept(reader.takeBytes(), reader.takeBytes()));
        }
      }
    }
    return new InboxRecord(signals);
  }
}
