package io.millrace.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Limits;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The entries that a workflow has kept, and their bytes in its job's checkpoint. Immutable. The
 * layout is on disk, never change it:
 *
 * <pre>
 * offset 0  1 byte   'W'
 *        1  1 byte   version: 1
 *        2  for each entry:
 *           1 byte   {@link Entry.Kind#code}
 *           2 bytes  length of the name, big-endian
 *                    name, UTF-8
 *           4 bytes  length of the content, big-endian
 *                    content
 * </pre>
 */
final class FlowState {

  private static final byte MAGIC = 'W';
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 2;
  private static final int ENTRY_BYTES = 7;

  private final String job;
  private final List<Entry> entries;
  private final byte[] bytes;

  private FlowState(String job, List<Entry> entries, byte[] bytes) {
    this.job = job;
    this.entries = entries;
    this.bytes = bytes;
  }

  /** Returns what a workflow has that has kept nothing yet. */
  static FlowState none(String job) {
    return new FlowState(job, List.of(), new byte[] {MAGIC, VERSION});
  }

  /** Returns the entries in their order; nobody may change them. */
  List<Entry> entries() {
    return entries;
  }

  /** Returns them as a checkpoint keeps them; nobody may change the bytes. */
  byte[] bytes() {
    return bytes;
  }

  /**
   * Returns these entries and another. The bytes of those before are taken as they are, so that
   * many steps do not write all names again and again.
   *
   * @throws WorkflowException they are more than a checkpoint can keep; names the entry
   */
  FlowState with(Entry entry) {
    byte[] name = entry.name().getBytes(UTF_8);
    long length = bytes.length + length(name, entry);
    if (length > Limits.CHECKPOINT_BYTES_MAX) {
      throw new WorkflowException(
          "workflow would keep more than a checkpoint can: job="
              + job
              + ", with "
              + entry.shown()
              + " of "
              + entry.content().length
              + " bytes, value="
              + length
              + ", most="
              + Limits.CHECKPOINT_BYTES_MAX
              + ". Put large results into a table, and let steps answer the keys of their rows");
    }
    ByteBuffer all = ByteBuffer.wrap(Arrays.copyOf(bytes, (int) length)).position(bytes.length);
    all.put((byte) entry.kind().code()).putShort((short) name.length).put(name);
    all.putInt(entry.content().length).put(entry.content());
    List<Entry> more = new ArrayList<>(entries);
    more.add(entry);
    return new FlowState(job, more, all.array());
  }

  /** Returns these entries without the last. */
  FlowState withoutLast() {
    int count = entries.size() - 1;
    Entry last = entries.get(count);
    long length = bytes.length - length(last.name().getBytes(UTF_8), last);
    return new FlowState(
        job, List.copyOf(entries.subList(0, count)), Arrays.copyOf(bytes, (int) length));
  }

  private static long length(byte[] name, Entry entry) {
    return ENTRY_BYTES + name.length + (long) entry.content().length;
  }

  /**
   * Returns the entries that the bytes hold.
   *
   * @throws WorkflowException the bytes are no state of a workflow
   */
  static FlowState decode(String job, byte[] state) {
    ByteBuffer buffer = ByteBuffer.wrap(state);
    if (state.length < HEAD_BYTES || buffer.get() != MAGIC) {
      throw foreign(job, "it is no state of a workflow");
    }
    byte version = buffer.get();
    if (version != VERSION) {
      throw foreign(job, "its version is " + version + ", and this program knows " + VERSION);
    }
    List<Entry> entries = new ArrayList<>();
    try {
      while (buffer.hasRemaining()) {
        int code = buffer.get();
        Entry.Kind kind =
            Entry.Kind.of(code).orElseThrow(() -> foreign(job, "an entry has the kind " + code));
        String name = new String(bytes(buffer, Short.toUnsignedInt(buffer.getShort())), UTF_8);
        byte[] content = bytes(buffer, buffer.getInt());
        if (isTime(kind) && content.length != Long.BYTES) {
          throw foreign(job, "a time has " + content.length + " bytes");
        }
        if (kind == Entry.Kind.ALL_STARTED && content.length != AllStep.CONTENT_BYTES) {
          throw foreign(job, "the ids of a step have " + content.length + " bytes");
        }
        if (kind == Entry.Kind.TRIED && (content.length < Integer.BYTES || buffer.hasRemaining())) {
          throw foreign(job, "the tries of a step have no count, or are not at the end");
        }
        entries.add(new Entry(kind, name, content));
      }
    } catch (BufferUnderflowException e) {
      throw foreign(job, "it is cut off");
    }
    return new FlowState(job, entries, state);
  }

  private static boolean isTime(Entry.Kind kind) {
    return kind == Entry.Kind.SLEEP || kind == Entry.Kind.AWAITS;
  }

  private static byte[] bytes(ByteBuffer buffer, int length) {
    if (length < 0 || length > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    return bytes;
  }

  private static WorkflowException foreign(String job, String why) {
    return new WorkflowException(
        "checkpoint of a workflow cannot be read: job="
            + job
            + ", "
            + why
            + ". Redrive the job without its checkpoint to begin anew");
  }

  /** Returns a time as the content of an entry. */
  static byte[] time(long epochMs) {
    return ByteBuffer.allocate(Long.BYTES).putLong(epochMs).array();
  }

  /** Returns the time of a {@link Entry.Kind#SLEEP} or {@link Entry.Kind#AWAITS}. */
  static long timeMs(Entry entry) {
    return ByteBuffer.wrap(entry.content()).getLong();
  }
}
