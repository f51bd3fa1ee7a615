package io.millrace.spring.autoconfigure;

import io.millrace.api.QueueSettings;
import io.millrace.spring.autoconfigure.MillraceProperties.QueueProperties;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** The settings of a queue, from properties to the texts that {@link QueueSettings} reads. */
final class QueueTexts {

  private static final Pattern RATE =
      Pattern.compile("(\\d+)\\s*/\\s*(\\S+)(?:\\s+burst\\s+(\\d+))?");

  private QueueTexts() {}

  /**
   * Returns the settings with what the properties of the queue say.
   *
   * @throws ConfigurationFault a value is wrong
   */
  static QueueSettings change(QueueSettings settings, String queue, QueueProperties properties) {
    try {
      return settings.with(texts(properties));
    } catch (IllegalArgumentException e) {
      throw new ConfigurationFault(
          "a property of millrace.queues." + queue + " is wrong: " + e.getMessage(),
          "Set it to a value that is allowed; docs/spring.md lists them",
          e);
    }
  }

  private static Map<String, String> texts(QueueProperties properties) {
    Map<String, String> texts = new LinkedHashMap<>();
    put(texts, "perKey", properties.perKey());
    put(texts, "keyOrder", properties.keyOrder());
    put(texts, "rateLimit", rate(properties.rate()));
    put(texts, "rateLimitPerKey", rate(properties.ratePerKey()));
    put(texts, "leaseDuration", properties.leaseDuration());
    put(texts, "expiry", properties.expiry());
    put(texts, "depthMax", properties.depthMax());
    put(texts, "maxAttempts", properties.retry().maxAttempts());
    put(texts, "backoff", properties.retry().backoff());
    put(texts, "resultRetention", properties.resultRetention());
    put(texts, "deadRetention", properties.deadRetention());
    return texts;
  }

  private static void put(Map<String, String> texts, String key, @Nullable Object value) {
    if (value != null) {
      texts.put(key, value.toString());
    }
  }

  /** Returns the engine's text of a rate such as {@code 100/s}, {@code 5/10m burst 2}. */
  private static @Nullable String rate(@Nullable String text) {
    if (text == null || text.equals("none")) {
      return text;
    }
    Matcher rate = RATE.matcher(text.strip());
    if (!rate.matches()) {
      throw new IllegalArgumentException(
          "not a rate: value=\"" + text + "\", expected for example 100/s or 100/10s burst 20");
    }
    @Nullable String burst = rate.group(3);
    String limit = rate.group(1) + "/" + period(rate.group(2));
    return burst == null ? limit : limit + " burst " + burst;
  }

  /** Returns the period that is meant by {@code s}, {@code 10s} or {@code PT10S}. */
  private static Duration period(String text) {
    boolean hasNumber =
        Character.isDigit(text.charAt(0)) || text.toUpperCase(Locale.ROOT).startsWith("P");
    return DurationStyle.detectAndParse(hasNumber ? text : "1" + text);
  }
}
