package io.millrace.internal.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The new counts that one batch gave many concurrency keys of a queue. They replace the keys' own
 * rows and the counts of these keys in log rows of lower numbers. On disk, never change.
 *
 * <pre>
 *  tag 1  for each key: its length, its bytes, holders, blocked; numbers as varints
 * </pre>
 */
public final class SlotLogRecord {

  private static final int CHANGES = 1;

  private final List<Change> changes;

  /** A concurrency key and its counts. */
  public interface Counted {

    /** Returns the key of the concurrency key's own row, whether or not that exists. */
    byte[] slotKey();

    /** Returns the number of jobs that hold a slot. */
    int holders();

    /** Returns the number of blocked jobs. */
    long blocked();
  }

  /** The logged counts of a concurrency key. */
  public record Change(byte[] slotKey, SlotRecord counts) implements Counted {

    @Override
    public int holders() {
      return counts.holders();
    }

    @Override
    public long blocked() {
      return counts.blocked();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Change that
          && Arrays.equals(slotKey, that.slotKey)
          && counts.equals(that.counts);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(slotKey);
    }
  }

  public SlotLogRecord(List<Change> changes) {
    this.changes = List.copyOf(changes);
  }

  public List<Change> changes() {
    return changes;
  }

  /**
   * Returns the counts of all logged keys of a queue.
   *
   * @param rows all rows of the queue's log, in their order
   */
  public static Map<byte[], SlotRecord> logged(List<SlotLogRecord> rows) {
    Map<byte[], SlotRecord> logged = new TreeMap<>(Arrays::compareUnsigned);
    for (SlotLogRecord row : rows) {
      row.changes.forEach(change -> logged.put(change.slotKey(), change.counts()));
    }
    return logged;
  }

  /** Returns the row that logs these counts at the key; all must be of the key's queue. */
  public static byte[] encode(byte[] key, List<? extends Counted> slots) {
    RecordWriter writer = RecordWriter.ofThread();
    int start = writer.begin(CHANGES);
    for (Counted slot : slots) {
      writer.addBytes(SlotKeys.concurrencyKey(slot.slotKey()));
      writer.addVarint(slot.holders());
      writer.addVarint(slot.blocked());
    }
    return writer.end(start).seal(key);
  }

  public static SlotLogRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(
        Keyspace.SLOT, key, value, reader -> read(SlotLogKeys.queue(key), reader));
  }

  private static SlotLogRecord read(int queue, RecordReader reader) {
    List<Change> changes = new ArrayList<>();
    while (reader.next()) {
      while (reader.tag() == CHANGES && reader.hasMore()) {
        byte[] slotKey = SlotKeys.key(queue, reader.takeBytes());
        changes.add(new Change(slotKey, new SlotRecord(reader.takeInt(), reader.takeVarint())));
      }
    }
    return new SlotLogRecord(changes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SlotLogRecord that && changes.equals(that.changes);
  }

  @Override
  public int hashCode() {
    return changes.hashCode();
  }

  @Override
  public String toString() {
    return "SlotLogRecord" + changes;
  }
}
