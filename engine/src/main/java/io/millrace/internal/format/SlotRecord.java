package io.millrace.internal.format;

/**
 * How many jobs of a concurrency key are ready or leased; there is no row for none. On disk, never
 * change.
 *
 * <pre>
 *  tag 1  number  holders; 0 by default
 * </pre>
 */
public record SlotRecord(int holders) {

  private static final int HOLDERS = 1;

  public byte[] encode(byte[] key) {
    return RecordWriter.ofThread().number(HOLDERS, holders, 0).seal(key);
  }

  public static SlotRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.SLOT, key, value, SlotRecord::read);
  }

  private static SlotRecord read(RecordReader reader) {
    int holders = 0;
    while (reader.next()) {
      if (reader.tag() == HOLDERS) {
        holders = reader.intNumber();
      }
    }
    return new SlotRecord(holders);
  }
}
