package io.millrace.internal.read;

import io.millrace.internal.format.Bytes;
import java.util.Base64;

/** The text form of where a page begins: base64url of the least key that may be on it. */
final class Cursors {

  /**
   * The most characters of a cursor: our longest key, and the byte that makes a key its successor,
   * with room to spare.
   */
  private static final int TEXT_LENGTH_MAX = 700;

  /** The most characters of a cursor whose key comes behind the key of a queue. */
  private static final int IN_QUEUE_TEXT_LENGTH_MAX = 1_000;

  private Cursors() {}

  /** Returns the cursor of the page that begins at the key. */
  static String at(byte[] key) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(key);
  }

  /** Returns the cursor of the page that begins behind the key. */
  static String after(byte[] key) {
    return at(Bytes.successor(key));
  }

  /**
   * Returns the key for which the cursor stands.
   *
   * @param answers all keys of the question that the cursor must be of
   * @throws IllegalArgumentException the cursor is not of that question
   */
  static byte[] parse(String cursor, KeyRange answers) {
    byte[] key = decode(cursor, TEXT_LENGTH_MAX);
    if (!answers.contains(key)) {
      throw foreign(cursor);
    }
    return key;
  }

  /**
   * Returns the place in a queue for which the cursor stands.
   *
   * @param queues keys of the queues of the question that the cursor must be of
   * @throws IllegalArgumentException the cursor is not of that question
   */
  static JobCursor parseInQueue(String cursor, KeyRange queues) {
    byte[] bytes = decode(cursor, IN_QUEUE_TEXT_LENGTH_MAX);
    JobCursor split;
    try {
      split = JobCursor.split(bytes);
    } catch (IllegalArgumentException e) {
      throw foreign(cursor);
    }
    if (!queues.contains(split.queueKey())) {
      throw foreign(cursor);
    }
    return split;
  }

  private static byte[] decode(String cursor, int lengthMax) {
    if (cursor.length() > lengthMax) {
      throw foreign(cursor.substring(0, lengthMax) + "…");
    }
    try {
      return Base64.getUrlDecoder().decode(cursor);
    } catch (IllegalArgumentException e) {
      throw foreign(cursor);
    }
  }

  static IllegalArgumentException foreign(String cursor) {
    return new IllegalArgumentException(
        "cursor is not of a page of this question: value=\"" + cursor + "\"");
  }
}
