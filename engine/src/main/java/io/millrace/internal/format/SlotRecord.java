package io.millrace.internal.format;

/**
 * The counts of a concurrency key: its holders and its blocked jobs. There is no row if both are 0.
 * On disk, never change.
 *
 * <pre>
 *  tag 1  number  holders; 0 by default
 *      2  number  blocked; 0 by default
 *      3  flag    jobs may go on for which a batch had no room; of keys of the engine only
 * </pre>
 *
 * @param holders the number of jobs that are ready or leased, or keep their slot while delayed or
 *     waiting
 * @param blocked the number of blocked jobs
 * @param isUnfinished true if jobs may go on for which a batch had no room
 */
public record SlotRecord(int holders, long blocked, boolean isUnfinished) {

  /** The counts of a key that no job has. It has no row. */
  public static final SlotRecord NOBODY = new SlotRecord(0, 0);

  private static final SlotRecord ONE_HOLDER = new SlotRecord(1, 0);
  private static final SlotRecord ONE_BLOCKED = new SlotRecord(0, 1);

  private static final int HOLDERS = 1;
  private static final int BLOCKED = 2;
  private static final int UNFINISHED = 3;

  /** Creates the counts of a key all of whose jobs that may go on have done so. */
  public SlotRecord(int holders, long blocked) {
    this(holders, blocked, false);
  }

  /** Returns the counts of one job with a concurrency key, whose record is at the given key. */
  public static SlotRecord ofOne(byte[] key) {
    return Keyspace.ofKey(key) == Keyspace.BLOCKED ? ONE_BLOCKED : ONE_HOLDER;
  }

  public SlotRecord plus(SlotRecord more) {
    return new SlotRecord(holders + more.holders, blocked + more.blocked, isUnfinished);
  }

  /** Tells whether both counts are the same, whatever is still to be done for blocked jobs. */
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
