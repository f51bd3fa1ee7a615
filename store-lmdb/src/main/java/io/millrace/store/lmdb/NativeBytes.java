package io.millrace.store.lmdb;

import com.kenai.jffi.MemoryIO;
import io.millrace.spi.StoreCorruptException;

/**
 * Some bytes of native memory: a key that we own, or a value that LMDB shows us for as long as its
 * transaction lives.
 *
 * <p>For one thread at a time. The memory is not freed by the garbage collector.
 */
final class NativeBytes {

  private static final MemoryIO MEMORY = MemoryIO.getInstance();

  long address;
  long length;

  /** Allocates memory that we own, with room for {@code capacityBytes}; to be {@link #free}d. */
  static NativeBytes allocate(int capacityBytes) {
    NativeBytes bytes = new NativeBytes();
    bytes.address = MEMORY.allocateMemory(capacityBytes, false);
    if (bytes.address == 0) {
      throw new OutOfMemoryError("native memory: bytes=" + capacityBytes);
    }
    return bytes;
  }

  /** Copies the source in; it must fit. */
  NativeBytes set(byte[] source) {
    MEMORY.putByteArray(address, source, 0, source.length);
    length = source.length;
    return this;
  }

  /**
   * Returns a copy of these bytes.
   *
   * @throws StoreCorruptException there are more bytes than any row has
   */
  byte[] copy() {
    if (length < 0 || length > LmdbLimits.VALUE_BYTES_MAX) {
      throw new StoreCorruptException("row is longer than any can be: bytes=" + length);
    }
    byte[] target = new byte[(int) length];
    MEMORY.getByteArray(address, target, 0, target.length);
    return target;
  }

  void free() {
    MEMORY.freeMemory(address);
    address = 0;
    length = 0;
  }
}
