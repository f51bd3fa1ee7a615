package io.millrace.internal.format;

/**
 * The turn of a job that waits for a slot of a concurrency key of the engine: the facts that are
 * needed when the turn comes. On disk, never change.
 *
 * <pre>
 *  tag 1  number  number of the job's queue; 0 by default
 *      2  number  fewer holders than this let the job go on; 0 by default
 * </pre>
 *
 * @param queue the number of the job's queue
 * @param most the number of holders below which the job may go on
 */
public record TurnRecord(int queue, int most) {

  private static final int QUEUE = 1;
  private static final int MOST = 2;

  /** Returns the turn of the blocked job whose record is at the key. */
  public static TurnRecord of(byte[] blockedKey, JobRecord job) {
    return new TurnRecord(BlockedKeys.queue(blockedKey), job.engineMost());
  }

  public byte[] encode(byte[] key) {
    return RecordWriter.ofThread().number(QUEUE, queue, 0).number(MOST, most, 0).seal(key);
  }

  public static TurnRecord decode(byte[] key, byte[] value) {
    return RecordReader.decode(Keyspace.SLOT, key, value, TurnRecord::read);
  }

  private static TurnRecord read(RecordReader reader) {
    int queue = 0;
    int most = 0;
    while (reader.next()) {
      switch (reader.tag()) {
        case QUEUE -> queue = reader.intNumber();
        case MOST -> most = reader.intNumber();
        default -> {}
      }
    }
    return new TurnRecord(queue, most);
  }
}
