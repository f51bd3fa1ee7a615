package io.millrace.internal.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The signals that are kept for a job until it waits for them, in the order in which they came. The
 * whole record is written anew for each signal, so a long payload is in a row of its own. On disk,
 * never change.
 *
 * <pre>
 *  tag 1  each: name, payload; each of them length (varint), bytes
 *      2  each: slot of its payload's row + 1 (varint), or 0 if the payload is in tag 1; not there
 *         if all are
 * </pre>
 */
public record InboxRecord(List<Kept> signals) {

  /** The record of a job for which no signals are kept. */
  public static final InboxRecord EMPTY = new InboxRecord(List.of());

  /** The slot of a payload that has no row of its own. */
  public static final int NO_SLOT = -1;

  /** The longest payload, in bytes, that is stored in this record. */
  public static final int INSIDE_BYTES_MAX = 64;

  private static final int SIGNALS = 1;
  private static final int SLOTS = 2;

  /** The room for the lengths of a name and a payload, and for a slot, in bytes. */
  private static final int EACH_BYTES = 7;

  private static final byte[] NONE = {};

  public InboxRecord {
    signals = List.copyOf(signals);
  }

  /**
   * A kept signal.
   *
   * @param name the signal's name in UTF-8; shared, nobody may change it
   * @param payload the signal's bytes; shared, nobody may change them; null if they are in a row of
   *     their own that was not read
   * @param slot the slot of that row; {@link #NO_SLOT} if there is none
   */
  public record Kept(byte[] name, byte @Nullable [] payload, int slot) {

    public Kept {
      if (slot != NO_SLOT) {
        InboxPayloadKeys.checkSlot(slot);
      }
    }

    /** Creates a signal whose payload has no row of its own, or not yet. */
    public Kept(byte[] name, byte[] payload) {
      this(name, payload, NO_SLOT);
    }

    public boolean hasRow() {
      return slot != NO_SLOT;
    }

    private byte[] inside() {
      return hasRow() || payload == null ? NONE : payload;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Kept that
          && slot == that.slot
          && Arrays.equals(name, that.name)
          && Arrays.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * Arrays.hashCode(name) + Arrays.hashCode(payload)) + slot;
    }
  }

  /** Returns the first signal of this name; null if there is none. */
  public @Nullable Kept first(byte[] name) {
    for (Kept signal : signals) {
      if (Arrays.equals(signal.name(), name)) {
        return signal;
      }
    }
    return null;
  }

  /** Returns the other signals, in their order. */
  public InboxRecord without(Kept taken) {
    List<Kept> rest = new ArrayList<>(signals);
    rest.remove(taken);
    return new InboxRecord(rest);
  }

  /**
   * Returns these signals with one more at the end, which gets the lowest free slot if its payload
   * is long.
   */
  public InboxRecord with(Kept added) {
    byte[] payload = added.inside();
    List<Kept> all = new ArrayList<>(signals);
    all.add(
        payload.length > INSIDE_BYTES_MAX
            ? new Kept(added.name(), payload, slots().nextClearBit(0))
            : added);
    return new InboxRecord(all);
  }

  /** Returns the slots that are taken. */
  public BitSet slots() {
    BitSet slots = new BitSet();
    for (Kept signal : signals) {
      if (signal.hasRow()) {
        slots.set(signal.slot());
      }
    }
    return slots;
  }

  /**
   * Tells whether the job's record knows of these signals and of all their slots. The count in the
   * job's record may be higher, if signals were lost, or 1, which stands for any number.
   */
  public boolean isKnownTo(JobRecord job) {
    return (job.inboxCount() >= signals.size() || job.inboxCount() == 1)
        && job.inboxSlots() >= slots().length();
  }

  /** Returns about how many bytes the row takes, key and value. */
  public long bytes() {
    long bytes = 2L * RowBytes.KEY;
    for (Kept signal : signals) {
      bytes += EACH_BYTES + signal.name().length + signal.inside().length;
    }
    return bytes;
  }

  public byte[] encode(byte[] key) {
    RecordWriter writer = RecordWriter.ofThread();
    if (!signals.isEmpty()) {
      int start = writer.begin(SIGNALS);
      for (Kept signal : signals) {
        writer.addBytes(signal.name());
        writer.addBytes(signal.inside());
      }
      writer.end(start);
    }
    if (!slots().isEmpty()) {
      int start = writer.begin(SLOTS);
      for (Kept signal : signals) {
        writer.addVarint(signal.slot() + 1);
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
      } else if (reader.tag() == SLOTS) {
        signals.replaceAll(signal -> withSlot(signal, reader.takeInt() - 1));
      }
    }
    return new InboxRecord(signals);
  }

  private static Kept withSlot(Kept signal, int slot) {
    return slot == NO_SLOT ? signal : new Kept(signal.name(), null, slot);
  }
}
