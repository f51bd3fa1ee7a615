package io.millrace.cli.demo;

import io.millrace.cli.text.Printable;
import java.util.Arrays;

/**
 * A file's name below the demo's folder: the bytes that the file system keeps, with {@code /}
 * between the parts. Not a {@code String}, for a name need not be text in any encoding.
 *
 * <p>Ordered by the parts, each by its unsigned bytes: the order of the {@link FolderWalk}.
 */
final class FileName implements Comparable<FileName> {

  /** The folder itself. */
  static final FileName ROOT = new FileName(new byte[0]);

  private final byte[] bytes;

  private FileName(byte[] bytes) {
    this.bytes = bytes;
  }

  static FileName of(byte[] bytes) {
    return new FileName(bytes.clone());
  }

  byte[] bytes() {
    return bytes.clone();
  }

  /** Whether this is the name of something below the folder, at any depth. */
  boolean isBelow(FileName folder) {
    int length = folder.bytes.length;
    return length == 0
        ? bytes.length > 0
        : bytes.length > length
            && bytes[length] == '/'
            && Arrays.equals(bytes, 0, length, folder.bytes, 0, length);
  }

  @Override
  public int compareTo(FileName other) {
    int mismatch = Arrays.mismatch(bytes, other.bytes);
    if (mismatch < 0) {
      return 0;
    }
    if (mismatch == bytes.length || mismatch == other.bytes.length) {
      return Integer.compare(bytes.length, other.bytes.length);
    }
    return Integer.compare(rank(bytes[mismatch]), rank(other.bytes[mismatch]));
  }

  /** A part that ends comes before all that go on; no name holds a zero byte. */
  private static int rank(byte b) {
    return b == '/' ? 0 : Byte.toUnsignedInt(b);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileName name && Arrays.equals(bytes, name.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** For people: cannot be parsed. */
  @Override
  public String toString() {
    return bytes.length == 0 ? "." : Printable.name(bytes);
  }
}
