package io.millrace.outbox.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Backoff;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.RateLimit;
import io.millrace.api.UniqueKey;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The text form of {@link EnqueueOptions} in a row: a line for each value that is not the default,
 * a name, an equals sign and the value. Texts may hold any character, so a backslash is before each
 * backslash, before an equals sign in the name of a header, and stands with {@code n} for a line
 * feed. In databases of users, never change; new names may come.
 *
 * <pre>
 * priority=5
 * delay=PT10S
 * backoff=fixed delay=PT5S
 * header.tenant=acme
 * unique=order:17
 * unique.scope=FOR
 * unique.window=PT1H
 * unique.onConflict=REPLACE
 * engineConcurrencyKey=smtp
 * engineConcurrencyMost=2
 * engineRateKey=smtp
 * engineRateLimit=100/PT1S burst 10
 * </pre>
 */
final class OptionsText {

  private static final String HEADER = "header.";

  private OptionsText() {}

  /**
   * Returns the text of the options, in UTF-8.
   *
   * @throws IllegalArgumentException an option cannot wait in a table for its job; the message
   *     names it
   */
  static byte[] bytes(EnqueueOptions options) {
    if (options.batch().isPresent()) {
      throw new IllegalArgumentException(
          "options have a batch, which cannot be kept in an outbox: batch="
              + options.batch().get()
              + "; the batch may be over when the row is relayed. Enqueue a job that begins the"
              + " batch, or adds to it");
    }
    StringBuilder text = new StringBuilder();
    EnqueueOptions none = EnqueueOptions.DEFAULT;
    if (options.priority() != none.priority()) {
      line(text, "priority", options.priority());
    }
    if (!options.delay().isZero()) {
      line(text, "delay", options.delay());
    }
    options.visibleAt().ifPresent(value -> line(text, "visibleAt", value));
    options.maxAttempts().ifPresent(value -> line(text, "maxAttempts", value));
    options.backoff().ifPresent(value -> line(text, "backoff", value.text()));
    options.leaseDuration().ifPresent(value -> line(text, "leaseDuration", value));
    if (options.weight() != none.weight()) {
      line(text, "weight", options.weight());
    }
    options.headers().forEach((name, value) -> line(text, HEADER + escapedName(name), value));
    options.type().ifPresent(value -> line(text, "type", value));
    options.timeToLive().ifPresent(value -> line(text, "timeToLive", value));
    options.resultRetention().ifPresent(value -> line(text, "resultRetention", value));
    options.unique().ifPresent(value -> unique(text, value));
    options.concurrencyKey().ifPresent(value -> line(text, "concurrencyKey", value));
    options.engineConcurrencyKey().ifPresent(value -> line(text, "engineConcurrencyKey", value));
    options.engineConcurrencyMost().ifPresent(value -> line(text, "engineConcurrencyMost", value));
    options.engineRateKey().ifPresent(value -> line(text, "engineRateKey", value));
    options.engineRateLimit().ifPresent(value -> line(text, "engineRateLimit", value.text()));
    return text.toString().getBytes(UTF_8);
  }

  private static void unique(StringBuilder text, UniqueKey unique) {
    line(text, "unique", unique.key());
    line(text, "unique.scope", unique.scope());
    if (!unique.window().isZero()) {
      line(text, "unique.window", unique.window());
    }
    line(text, "unique.onConflict", unique.onConflict());
  }

  private static void line(StringBuilder text, String name, Object value) {
    text.append(name).append('=').append(escaped(value.toString())).append('\n');
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n");
  }

  private static String escapedName(String name) {
    return escaped(name).replace("=", "\\=");
  }

  /**
   * Returns the options of a text.
   *
   * @throws IllegalArgumentException a line is not understood, perhaps since a newer Millrace wrote
   *     it
   */
  static EnqueueOptions options(byte[] bytes) {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line : text(bytes).split("\n", -1)) { // a text may have carriage returns
      if (!line.isEmpty()) {
        read(line, values, headers);
      }
    }
    EnqueueOptions options = EnqueueOptions.DEFAULT.headers(headers);
    for (Map.Entry<String, String> each : values.entrySet()) {
      try {
        options = with(options, each.getKey(), each.getValue(), values);
      } catch (RuntimeException e) { // each parser has exceptions of its own
        throw new IllegalArgumentException(
            "option of the row cannot be read: " + each.getKey() + ": " + e.getMessage(), e);
      }
    }
    return options;
  }

  private static String text(byte[] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "options of the row are not UTF-8: length=" + bytes.length, e);
    }
  }

  private static void read(String line, Map<String, String> values, Map<String, String> headers) {
    StringBuilder name = new StringBuilder();
    int at = unescape(line, 0, '=', name);
    if (at == line.length()) {
      throw new IllegalArgumentException("options of the row have a line without \"=\"");
    }
    StringBuilder value = new StringBuilder();
    unescape(line, at + 1, '\n', value);
    boolean isHeader = name.indexOf(HEADER) == 0;
    String key = isHeader ? name.substring(HEADER.length()) : name.toString();
    if ((isHeader ? headers : values).put(key, value.toString()) != null) {
      throw new IllegalArgumentException("options of the row name one twice: " + name);
    }
  }

  /** Reads up to the end of the word. Returns where that is. */
  private static int unescape(String line, int from, char end, StringBuilder to) {
    int at = from;
    while (at < line.length() && line.charAt(at) != end) {
      char c = line.charAt(at);
      if (c == '\\' && at + 1 < line.length()) {
        at++;
        c = line.charAt(at) == 'n' ? '\n' : line.charAt(at);
      }
      to.append(c);
      at++;
    }
    return at;
  }

  private static EnqueueOptions with(
      EnqueueOptions options, String name, String value, Map<String, String> all) {
    return switch (name) {
      case "priority" -> options.priority(Integer.parseInt(value));
      case "delay" -> options.delay(Duration.parse(value));
      case "visibleAt" -> options.visibleAt(Instant.parse(value));
      case "maxAttempts" -> options.maxAttempts(Integer.parseInt(value));
      case "backoff" -> options.backoff(Backoff.parse(value));
      case "leaseDuration" -> options.leaseDuration(Duration.parse(value));
      case "weight" -> options.weight(Integer.parseInt(value));
      case "type" -> options.type(value);
      case "timeToLive" -> options.timeToLive(Duration.parse(value));
      case "resultRetention" -> options.resultRetention(Duration.parse(value));
      case "unique" -> options.unique(unique(value, all));
      case "unique.scope", "unique.window", "unique.onConflict" -> with(options, "unique", all);
      case "concurrencyKey" -> options.concurrencyKey(value);
      case "engineConcurrencyKey" ->
          options.engineConcurrencyKey(
              value, Integer.parseInt(other(all, "engineConcurrencyMost")));
      case "engineConcurrencyMost" -> with(options, "engineConcurrencyKey", all);
      case "engineRateKey" ->
          options.engineRateLimit(value, RateLimit.parse(other(all, "engineRateLimit")));
      case "engineRateLimit" -> with(options, "engineRateKey", all);
      default ->
          throw new IllegalArgumentException("there is no such option; a newer Millrace wrote it");
    };
  }

  /** Returns the options, of which the named one must be there, and is set in its own turn. */
  private static EnqueueOptions with(EnqueueOptions options, String name, Map<String, String> all) {
    other(all, name);
    return options;
  }

  private static String other(Map<String, String> all, String name) {
    String value = all.get(name);
    if (value == null) {
      throw new IllegalArgumentException("it needs the option " + name);
    }
    return value;
  }

  private static UniqueKey unique(String key, Map<String, String> all) {
    UniqueKey unique = UniqueKey.of(key);
    return new UniqueKey(
        key,
        UniqueKey.Scope.valueOf(all.getOrDefault("unique.scope", unique.scope().name())),
        Duration.parse(all.getOrDefault("unique.window", "PT0S")),
        UniqueKey.OnConflict.valueOf(
            all.getOrDefault("unique.onConflict", unique.onConflict().name())));
  }
}
