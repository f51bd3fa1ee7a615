package io.millrace.cli.demo;

/**
 * A file's sum, and by which state of the file it was made.
 *
 * @param sha256 64 hexadecimal digits, lower case
 * @param sizeBytes how many bytes were read
 * @param modifiedNs when the file had last been changed, in nanoseconds since 1970
 */
record HashedFile(String sha256, long sizeBytes, long modifiedNs, FileName name) {

  /** Whether the file looks as it did when it was hashed. */
  boolean isOf(Found found) {
    return sizeBytes == found.sizeBytes() && modifiedNs == found.modifiedNs();
  }
}
