package io.millrace.console.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes of users as people read them: JSON indented, other text as it is, the rest in hexadecimal.
 */
public final class PayloadText {

  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset\\s*=\\s*\"?([\\w.:+-]+)", Pattern.CASE_INSENSITIVE);

  private static final JsonFactory JSON = new JsonFactory();
  private static final int LENGTH_MAX = 16_384;
  private static final int INDENTED_LENGTH_MAX = 1 << 20;
  private static final int HEX_BYTES_MAX = 2_048;
  private static final int BYTES_A_LINE = 32;

  private PayloadText() {}

  /**
   * Returns a text of some 16,000 characters at the most; its last line says what is missing.
   *
   * @param contentType the content type of the bytes, whose character set they are read in: UTF-8
   *     if it names none that is known
   */
  public static String of(byte[] bytes, Optional<String> contentType) {
    Charset charset = contentType.flatMap(PayloadText::charset).orElse(StandardCharsets.UTF_8);
    Optional<String> text = Printable.decoded(bytes, charset);
    return text.isPresent() ? cut(indented(text.get())) : hexadecimal(bytes);
  }

  private static Optional<Charset> charset(String contentType) {
    Matcher named = CHARSET.matcher(contentType);
    try {
      return named.find() ? Optional.of(Charset.forName(named.group(1))) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // there is none of this name here
    }
  }

  private static String indented(String text) {
    String begin = text.stripLeading();
    if (!begin.startsWith("{") && !begin.startsWith("[")) {
      return text;
    }
    StringWriter out = new StringWriter();
    try (JsonParser from = JSON.createParser(text);
        JsonGenerator to = JSON.createGenerator(out)) {
      to.setPrettyPrinter(new DefaultPrettyPrinter());
      while (from.nextToken() != null) {
        to.copyCurrentEventExact(from);
        if (out.getBuffer().length() > INDENTED_LENGTH_MAX) {
          return text; // deep objects grow a thousandfold: nobody reads them indented
        }
      }
    } catch (IOException e) {
      return text; // it only looked like JSON
    }
    return out.toString();
  }

  private static String cut(String text) {
    if (text.length() <= LENGTH_MAX) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(LENGTH_MAX - 1)) ? LENGTH_MAX - 1 : LENGTH_MAX;
    return "%s%n(%s more)"
        .formatted(text.substring(0, end), Amounts.count(text.length() - end, "character"));
  }

  private static String hexadecimal(byte[] bytes) {
    StringBuilder lines = new StringBuilder();
    int shown = Math.min(bytes.length, HEX_BYTES_MAX);
    for (int at = 0; at < shown; at += BYTES_A_LINE) {
      int end = Math.min(at + BYTES_A_LINE, shown);
      lines.append(HexFormat.ofDelimiter(" ").formatHex(bytes, at, end)).append('\n');
    }
    int missing = bytes.length - shown;
    return missing == 0
        ? lines.toString()
        : lines + "(" + Amounts.count(missing, "byte") + " more)";
  }
}
