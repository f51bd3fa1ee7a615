package io.millrace.memtable.log;

/**
 * The lengths of the files of a log, in bytes.
 *
 * @param least what each has from the beginning: on a full disk batches still fit that free space
 * @param stepMost the most that one grows by at a time, unless a batch needs more
 * @param keptMost what is beyond that is cut off when the file is used again
 */
record LogSizes(long least, long stepMost, long keptMost) {

  static final LogSizes STANDARD = new LogSizes(1L << 20, 16L << 20, 64L << 20);
}
