package io.millrace.store.rocksdb;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The logs of a database, as files.
 *
 * <pre>
 *  a record, the first at offset 0, little-endian
 *  offset 0  4 bytes  CRC32C of kind and content, rotated and shifted
 *         4  2 bytes  length of the content
 *         6  1 byte   kind: 1 = a batch, 2 = the start of a batch; from 128 on it is no batch
 *         7           content: a batch begins with 8 bytes, the number of its first operation
 * </pre>
 */
final class LogFiles {

  static final String SUFFIX = ".log";

  private static final int HEADER_BYTES = 7;
  private static final int KIND_BATCH = 1;
  private static final int KIND_BATCH_START = 2;
  private static final int KIND_NO_BATCH_LEAST = 128;
  private static final int CRC_ROTATION = 15;
  private static final int CRC_SHIFT = 0xA282EAD8;

  private LogFiles() {}

  /** Returns the logs in their order. */
  static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      // Their names are numbers of one length.
      return files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
    }
  }

  /** Returns the length of all logs together, in bytes, though logs may come and go meanwhile. */
  static long bytes(Path folder) throws IOException {
    return in(folder).stream().mapToLong(log -> log.toFile().length()).sum();
  }

  /**
   * Returns the number of the first operation in the logs; empty if there is none, or if the first
   * record is damaged, where a recovery stops.
   */
  static OptionalLong firstNumber(Path folder) throws IOException {
    for (Path log : in(folder)) {
      if (Files.size(log) > 0) {
        try (DataInputStream in = new DataInputStream(new FileInputStream(log.toFile()))) {
          return firstNumber(in);
        } catch (EOFException torn) {
          return OptionalLong.empty();
        }
      }
    }
    return OptionalLong.empty();
  }

  private static OptionalLong firstNumber(DataInputStream in) throws IOException {
    while (true) {
      byte[] start = new byte[HEADER_BYTES];
      in.readFully(start);
      ByteBuffer header = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN);
      int kind = Byte.toUnsignedInt(header.get(HEADER_BYTES - 1));
      byte[] content = new byte[Short.toUnsignedInt(header.getShort(Integer.BYTES))];
      in.readFully(content);
      if (header.getInt(0) != crc((byte) kind, content)) {
        return OptionalLong.empty();
      }
      if (kind == KIND_BATCH || kind == KIND_BATCH_START) {
        return content.length < Long.BYTES
            ? OptionalLong.empty()
            : OptionalLong.of(ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getLong());
      }
      if (kind < KIND_NO_BATCH_LEAST) {
        return OptionalLong.empty();
      }
    }
  }

  private static int crc(byte kind, byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(kind);
    crc.update(content);
    return Integer.rotateRight((int) crc.getValue(), CRC_ROTATION) + CRC_SHIFT;
  }
}
