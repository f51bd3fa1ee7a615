package io.millrace.store.lmdb;

import java.util.Arrays;
import java.util.Comparator;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.BufferProxy;

/**
 * The proxy that hands addresses to LMDB and takes them back. Unlike lmdbjava's own proxies it
 * reaches into no JDK internals.
 */
final class NativeBytesProxy extends BufferProxy<NativeBytes> {

  @Override
  protected NativeBytes allocate() {
    return new NativeBytes();
  }

  @Override
  protected void deallocate(NativeBytes bytes) {
    // What LMDB fills in points into its own memory.
  }

  @Override
  protected byte[] getBytes(NativeBytes bytes) {
    return bytes.copy();
  }

  @Override
  protected Comparator<NativeBytes> getSignedComparator() {
    return (a, b) -> Arrays.compare(a.copy(), b.copy());
  }

  @Override
  protected Comparator<NativeBytes> getUnsignedComparator() {
    return (a, b) -> Arrays.compareUnsigned(a.copy(), b.copy());
  }

  @Override
  protected @Nullable Pointer in(NativeBytes bytes, Pointer value) {
    value.putLong(STRUCT_FIELD_OFFSET_SIZE, bytes.length);
    value.putAddress(STRUCT_FIELD_OFFSET_DATA, bytes.address);
    return null;
  }

  @Override
  protected @Nullable Pointer in(NativeBytes bytes, int sizeBytes, Pointer value) {
    value.putLong(STRUCT_FIELD_OFFSET_SIZE, sizeBytes);
    value.putAddress(STRUCT_FIELD_OFFSET_DATA, 0);
    return null;
  }

  @Override
  protected NativeBytes out(NativeBytes bytes, Pointer value) {
    bytes.length = value.getLong(STRUCT_FIELD_OFFSET_SIZE);
    bytes.address = value.getAddress(STRUCT_FIELD_OFFSET_DATA);
    return bytes;
  }
}
