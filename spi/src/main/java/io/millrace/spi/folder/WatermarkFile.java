package io.millrace.spi.folder;

import io.millrace.spi.StoreOptions.Access;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The WATERMARK file: how far the store once was on stable storage. Written in turn to two slots,
 * so that the one being written may tear without harm. On disk, never change.
 *
 * <pre>
 *  slot 0 at offset 0, slot 1 at offset 4096, each:
 *  offset 0  4 bytes  magic
 *         4  8 bytes  sequence: the highest valid slot counts; its parity is the slot's number
 *        12  8 bytes  epoch
 *        20  8 bytes  commit
 *        28  4 bytes  CRC32C of bytes 0 to 27
 * </pre>
 */
final class WatermarkFile implements AutoCloseable {

  static final String FILE_NAME = "WATERMARK";

  private static final int MAGIC = 0x4D57_4D31;
  private static final int SLOT_COUNT = 2;
  private static final int SLOT_OFFSET_BYTES = 4_096;
  private static final int CRC_OFFSET = 28;
  private static final int SLOT_BYTES = 32;

  private final @Nullable RandomAccessFile file;
  private long sequence;
  private Watermark newest = Watermark.NONE;

  private WatermarkFile(@Nullable RandomAccessFile file) {
    this.file = file;
  }

  /** Returns a stand-in for a file that is lost, in a folder that is only looked at. */
  static WatermarkFile lost(Watermark assumed) {
    WatermarkFile none = new WatermarkFile(null);
    none.newest = assumed;
    return none;
  }

  /** Creates the file, holding {@code first}; the folder is not synced. */
  static void create(Path folder, Watermark first) throws IOException {
    Path path = folder.resolve(FILE_NAME);
    FolderFiles.createFile(path);
    try (WatermarkFile created = new WatermarkFile(new RandomAccessFile(path.toFile(), "rw"))) {
      created.file().setLength((long) SLOT_COUNT * SLOT_OFFSET_BYTES);
      created.write(first);
    }
  }

  /** Opens the file. Returns null if there is none or neither slot can be read. */
  static @Nullable WatermarkFile open(Path folder, Access access) throws IOException {
    Path path = folder.resolve(FILE_NAME);
    if (!path.toFile().isFile()) {
      return null;
    }
    String mode = access == Access.READ_ONLY ? "r" : "rw";
    WatermarkFile opened = new WatermarkFile(new RandomAccessFile(path.toFile(), mode));
    boolean isUsable = false;
    try {
      isUsable = opened.load();
      return isUsable ? opened : null;
    } finally {
      if (!isUsable) {
        opened.close();
      }
    }
  }

  Watermark newest() {
    return newest;
  }

  /** Makes the watermark durable in the older slot. */
  void write(Watermark watermark) throws IOException {
    long next = sequence + 1;
    ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES);
    slot.putInt(MAGIC).putLong(next).putLong(watermark.epoch()).putLong(watermark.commit());
    slot.putInt(crc(slot));
    file().seek(offset(next));
    file().write(slot.array());
    file().getFD().sync();
    sequence = next;
    newest = watermark;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }

  /** Finds the newest valid slot. Returns false if there is none. */
  private boolean load() throws IOException {
    boolean isFound = false;
    for (int number = 0; number < SLOT_COUNT; number++) {
      ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES);
      file().seek(offset(number));
      try {
        file().readFully(slot.array());
      } catch (EOFException e) {
        continue;
      }
      int magic = slot.getInt();
      long slotSequence = slot.getLong();
      long epoch = slot.getLong();
      long commit = slot.getLong();
      boolean isValid = magic == MAGIC && slot.getInt(CRC_OFFSET) == crc(slot);
      if (isValid && slotSequence > sequence) {
        sequence = slotSequence;
        newest = new Watermark(epoch, commit);
        isFound = true;
      }
    }
    return isFound;
  }

  private RandomAccessFile file() {
    return Objects.requireNonNull(file, "file");
  }

  private static long offset(long sequence) {
    return (sequence % SLOT_COUNT) * SLOT_OFFSET_BYTES;
  }

  private static int crc(ByteBuffer slot) {
    CRC32C crc = new CRC32C();
    crc.update(slot.array(), 0, CRC_OFFSET);
    return (int) crc.getValue();
  }
}
