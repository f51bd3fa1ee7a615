package io.millrace.internal.read;

/**
 * A receiver of corrupt rows, which is told by the reader that meets one, so that it can be set
 * aside.
 */
@FunctionalInterface
public interface CorruptRows {

  /**
   * Takes note of a row that could not be decoded. Called on the reader's thread, with no view
   * open; must not throw.
   *
   * @param key the row's full key; the receiver's to keep
   */
  void found(byte[] key);
}
