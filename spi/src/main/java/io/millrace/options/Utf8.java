package io.millrace.options;

/**
 * The computation of lengths of texts in UTF-8. It refuses texts that UTF-8 cannot hold, because
 * two of them would become the same bytes.
 */
public final class Utf8 {

  private Utf8() {}

  /** Returns the length of the value in UTF-8, in bytes. */
  public static int lengthBytes(String parameter, String value) {
    int bytes = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < value.length()
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        throw new IllegalArgumentException(
            parameter + " is not well-formed: it has an unpaired surrogate at index " + i);
      }
    }
    return bytes;
  }
}
