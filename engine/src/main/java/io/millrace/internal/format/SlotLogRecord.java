package io.millrace.internal.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one batch made of the counts of many concurrency keys of a queue. It holds in place of the
 * keys' own rows, and of what rows of lower numbers log of them. On disk, never change.
 *
 * <pre>
 *  tag 1  for each key: its length, its bytes, holders, blocked; numbers as varints
 * </pre>
 */
public final class SlotLogRecord {

  private static final int CHANGES = 1;

  private final List<Change> changes;

  /** A key and its counts. */
  public interface Counted {

    /** Where the key has its own row, if it has one. */
    byte[] slotKey();

    /** Jobs that are ready or leased. */
    int holders();

    /** Jobs that are blocked. */
    long blocked();
  }

  /** The counts of a key as they were logged. */
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

  /** What a queue's log says of its keys, when all of its rows are read in their order. */
  public static Map<byte[], SlotRecord> logged(List<SlotLogRecord> rows) {
    Map<byte[], SlotRecord> logged = new TreeMap<>(Arrays::compareUnsigned);
    for (SlotLogRecord row : rows) {
      row.changes.forEach(change -> logged.put(change.slotKey(), change.counts()));
    }
    return logged;
  }

  /** The row at the key that logs these; of no other queue. */
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
