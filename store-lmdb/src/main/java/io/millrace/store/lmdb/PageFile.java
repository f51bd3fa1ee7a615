package io.millrace.store.lmdb;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The pages of LMDB's data file as the file system has them. For one thread at a time. */
final class PageFile {

  private final RandomAccessFile file;
  private final MetaPage meta;
  private final Runnable beforeEach;

  /**
   * Creates a reader of the pages that the transaction of this meta page sees. The file stays the
   * caller's.
   *
   * @param beforeEach runs before each read and may throw to end all reading
   */
  PageFile(RandomAccessFile file, MetaPage meta, Runnable beforeEach) {
    this.file = file;
    this.meta = meta;
    this.beforeEach = beforeEach;
  }

  MetaPage meta() {
    return meta;
  }

  /** Tells whether the transaction can have these pages. */
  boolean has(long page, long count) {
    return page >= MetaPage.COUNT && count >= 1 && page <= meta.lastPage() - (count - 1);
  }

  TreePage tree(long page, boolean isLeaf) throws IOException {
    return new TreePage(bytes(page, 0, meta.pageBytes()), isLeaf);
  }

  /** Reads the header of a page. */
  ByteBuffer header(long page) throws IOException {
    return bytes(page, 0, TreePage.HEADER_BYTES);
  }

  /** Reads a value from its first overflow page on. */
  byte[] overflow(long page, int length) throws IOException {
    return bytes(page, TreePage.HEADER_BYTES, length).array();
  }

  /** Returns how many overflow pages a value of this length takes. */
  long overflowPages(long length) {
    return (TreePage.HEADER_BYTES + length + meta.pageBytes() - 1) / meta.pageBytes();
  }

  private ByteBuffer bytes(long page, int from, int length) throws IOException {
    beforeEach.run();
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
    file.seek(page * meta.pageBytes() + from);
    file.readFully(bytes.array());
    return bytes;
  }
}
