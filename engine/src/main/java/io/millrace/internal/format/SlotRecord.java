package io.millrace.internal.format;

/**
 * How many jobs of a concurrency key are ready or leased, and how many wait for that; there is no
 * row if none is or does. On disk, never change.
 *
 * <pre>
 *  tag 1  number  holders; 0 by default
 *      2  number  blocked; 0 by default
 *      3  flag    jobs may go on for which a batch had no room; of keys of the engine only
 * </pre>
 *
 * @param holders jobs that are ready or leased
 * @param blocked jobs that are blocked
 * @param isUnfinished whether jobs may go on for which a batch had no room
 */
public record SlotRecord(int holders, long blocked, boolean isUnfinished) {

  /** Of a key that nobody has: it has no row. */
  public static final SlotRecord NOBODY = new SlotRecord(0, 0);

  private static final SlotRecord ONE_HOLDER = new SlotRecord(1, 0);
  private static final SlotRecord ONE_BLOCKED = new SlotRecord(0, 1);

  private static final int HOLDERS = 1;
  private static final int BLOCKED = 2;
  private static final int UNFINISHED = 3;

  /** Of a key all of whose jobs that may go on have. */
  public SlotRecord(int holders, long blocked) {
    this(holders, blocked, false);
  }

  /** Answers what one job counts whose record is at the key and has a concurrency key. */
  public static SlotRecord ofOne(byte[] key) {
    return Keyspace.ofKey(key) == Keyspace.BLOCKED ? ONE_BLOCKED : ONE_HOLDER;
  }

  public SlotRecord plus(SlotRecord more) {
    return new SlotRecord(holders + more.holders, blocked + more.blocked, isUnfinished);
  }

  /** Tells whether as many jobs have the key, whatever is yet to be done about them. */
  public boolean countsAs(SlotRecord other) {
    return holders == other.holders && blocked == other.blocked;
  }

  public byte[] encode(byte[] key) {
    return RecordWriter.ofThread()
        .number(HOLDERS, holders, 0)
        .number(BLOCKED, blocked, 0)
        .flag(UNFINISHED, isUnfinished)
        .seal(key);
  }

  public static SlotRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.SLOT, key, value, SlotRecord::read);
  }

  private static SlotRecord read(RecordReader reader) {
    int holders = 0;
    long blocked = 0;
    boolean isUnfinished = false;
    while (reader.next()) {
      switch (reader.tag()) {
        case HOLDERS -> holders = reader.intNumber();
        case BLOCKED -> blocked = reader.number();
        case UNFINISHED -> isUnfinished = reader.flag();
        default -> {}
      }
    }
    return new SlotRecord(holders, blocked, isUnfinished);
  }
}
