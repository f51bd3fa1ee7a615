package io.millrace.memtable.log;

/**
 * The lengths of the files of a log, in bytes.
 *
 * @param least the length of each file from the beginning: on a full disk batches still fit that
 *     free space
 * @param stepMost the most that a file grows by at a time, unless a batch needs more
 * @param keptMost the most that a file keeps when it is used again; what is beyond is cut off
 */
record LogSizes(long least, long stepMost, long keptMost) {

  static final LogSizes STANDARD = new LogSizes(1L << 20, 16L << 20, 64L << 20);
}
