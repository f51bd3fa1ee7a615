package io.millrace.console.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * Text that came from outside, made fit for a terminal: nothing in it can move the cursor or hide
 * what follows.
 */
public final class Printable {

  private static final String CUT_MARK = "...";

  private Printable() {}

  /**
   * Returns the text with an escape for every character that a terminal would not show as itself.
   */
  public static String text(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints().forEach(codePoint -> append(shown, codePoint));
    return shown.toString();
  }

  /** Returns the first characters of {@link #text(String)}, with a mark if something was cut. */
  public static String text(String text, int lengthMax) {
    // An escape is never shorter than what it stands for, so more than this many need not be looked
    // at.
    String head = text.length() <= lengthMax ? text : text.substring(0, lengthMax + 1);
    return cut(text(head), lengthMax);
  }

  /**
   * Returns the bytes of a file name: as text if they are UTF-8, otherwise with escapes for the
   * bytes that are not ASCII.
   */
  public static String name(byte[] name) {
    Optional<String> decoded = utf8(name);
    if (decoded.isPresent()) {
      return text(decoded.get());
    }
    StringBuilder shown = new StringBuilder(name.length);
    for (byte b : name) {
      if (b >= 0) {
        append(shown, b);
      } else {
        shown.append("\\x").append(HexFormat.of().toHexDigits(b));
      }
    }
    return shown.toString();
  }

  /** Returns a payload: as text if it is printable UTF-8, otherwise in hexadecimal. */
  public static String payload(byte[] payload, int lengthMax) {
    Optional<String> decoded = utf8(payload).filter(Printable::isPrintable);
    if (decoded.isPresent()) {
      return text(decoded.get(), lengthMax);
    }
    int shownBytes = Math.min(payload.length, lengthMax);
    return cut("0x" + HexFormat.of().formatHex(payload, 0, shownBytes), lengthMax);
  }

  /** Returns the bytes as text, if they are UTF-8. */
  public static Optional<String> utf8(byte[] bytes) {
    return decoded(bytes, StandardCharsets.UTF_8);
  }

  /** Returns the bytes as text, if they are one of this character set. */
  static Optional<String> decoded(byte[] bytes, Charset charset) {
    try {
      return Optional.of(charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static boolean isPrintable(String text) {
    return text.codePoints()
        .allMatch(c -> isShownAsItself(c) || c == '\n' || c == '\r' || c == '\t');
  }

  private static String cut(String shown, int lengthMax) {
    if (shown.length() <= lengthMax) {
      return shown;
    }
    int end = Math.max(0, lengthMax - CUT_MARK.length());
    if (end > 0 && Character.isHighSurrogate(shown.charAt(end - 1))) {
      end--;
    }
    return shown.substring(0, end) + CUT_MARK;
  }

  private static void append(StringBuilder shown, int codePoint) {
    switch (codePoint) {
      case '\n' -> shown.append("\\n");
      case '\r' -> shown.append("\\r");
      case '\t' -> shown.append("\\t");
      default -> {
        if (isShownAsItself(codePoint)) {
          shown.appendCodePoint(codePoint);
        } else if (codePoint <= 0xFFFF) {
          shown.append(String.format(Locale.ROOT, "\\u%04x", codePoint));
        } else {
          shown.append(String.format(Locale.ROOT, "\\U%08x", codePoint));
        }
      }
    }
  }

  private static boolean isShownAsItself(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT, // among them those that reverse the direction of the line
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
