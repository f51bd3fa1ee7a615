package io.millrace.api;

import io.millrace.api.QueueSettings.Expiry;
import io.millrace.api.QueueSettings.KeyOrder;
import io.millrace.api.QueueSettings.Setting;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Settings as texts by key, for operators and files of configuration. */
final class SettingsText {

  static final String INHERIT = "inherit";
  static final String NONE = "none";

  private static final String MAX_ATTEMPTS = "maxAttempts";
  private static final String BACKOFF = "backoff";
  private static final String RETENTION = "a duration from PT0.001S to PT87600H, or none";

  private static final Map<String, Setting> BY_KEY = new HashMap<>();
  private static final TextFields<QueueSettings> SETTINGS =
      new TextFields<>(
          "setting",
          List.of(
              field(
                  "leaseDuration",
                  Setting.LEASE_DURATION,
                  "a duration from PT0.1S to PT168H",
                  settings -> settings.leaseDuration().toString(),
                  (settings, text) -> settings.leaseDuration(Duration.parse(text))),
              field(
                  "depthMax",
                  Setting.DEPTH_MAX,
                  "a number of jobs from 1, or none",
                  settings ->
                      settings.depthMax().isPresent()
                          ? Long.toString(settings.depthMax().getAsLong())
                          : NONE,
                  (settings, text) ->
                      text.equals(NONE)
                          ? settings.noDepthMax()
                          : settings.depthMax(Long.parseLong(text))),
              field(
                  "expiry",
                  Setting.EXPIRY,
                  "READY_AT_ONCE or BACKOFF",
                  settings -> settings.expiry().name(),
                  (settings, text) -> settings.expiry(Expiry.valueOf(text))),
              field(
                  MAX_ATTEMPTS,
                  Setting.RETRY,
                  "a number from 1 to " + Limits.MAX_ATTEMPTS_MAX,
                  settings -> Integer.toString(settings.maxAttempts()),
                  (settings, text) -> settings.retry(Integer.parseInt(text), settings.backoff())),
              field(
                  BACKOFF,
                  Setting.RETRY,
                  BackoffText.ALLOWED,
                  settings -> BackoffText.of(settings.backoff()),
                  (settings, text) ->
                      settings.retry(settings.maxAttempts(), BackoffText.parse(text))),
              field(
                  "resultRetention",
                  Setting.RESULT_RETENTION,
                  RETENTION,
                  settings -> retention(settings.resultRetention()),
                  (settings, text) ->
                      text.equals(NONE)
                          ? settings.noResultRetention()
                          : settings.resultRetention(Duration.parse(text))),
              field(
                  "deadRetention",
                  Setting.DEAD_RETENTION,
                  RETENTION,
                  settings -> retention(settings.deadRetention()),
                  (settings, text) ->
                      text.equals(NONE)
                          ? settings.noDeadRetention()
                          : settings.deadRetention(Duration.parse(text))),
              field(
                  "perKey",
                  Setting.PER_KEY,
                  "a number of jobs from 1 to " + Limits.PER_KEY_MAX,
                  settings -> Integer.toString(settings.perKey()),
                  (settings, text) -> settings.perKey(Integer.parseInt(text))),
              field(
                  "keyOrder",
                  Setting.KEY_ORDER,
                  "PASSING or STRICT",
                  settings -> settings.keyOrder().name(),
                  (settings, text) -> settings.keyOrder(KeyOrder.valueOf(text))),
              field(
                  "rateLimit",
                  Setting.RATE_LIMIT,
                  RateText.ALLOWED,
                  settings -> RateText.of(settings.rateLimit()),
                  (settings, text) ->
                      RateText.parse(text)
                          .map(settings::rateLimit)
                          .orElseGet(settings::noRateLimit)),
              field(
                  "rateLimitPerKey",
                  Setting.RATE_LIMIT_PER_KEY,
                  RateText.ALLOWED,
                  settings -> RateText.of(settings.rateLimitPerKey()),
                  (settings, text) ->
                      RateText.parse(text)
                          .map(settings::rateLimitPerKey)
                          .orElseGet(settings::noRateLimitPerKey)),
              field(
                  "share",
                  Setting.SHARE,
                  "a number of jobs from 1 to " + Limits.SHARE_MAX,
                  settings -> Integer.toString(settings.share()),
                  (settings, text) -> settings.share(Integer.parseInt(text)))));

  private SettingsText() {}

  private static TextFields.Field<QueueSettings> field(
      String key,
      Setting setting,
      String allowed,
      Function<QueueSettings, String> text,
      BiFunction<QueueSettings, String, QueueSettings> with) {
    BY_KEY.put(key, setting);
    return new TextFields.Field<>(key, allowed + ", or inherit", text.andThen(Optional::of), with);
  }

  static Map<String, String> all(QueueSettings settings) {
    return SETTINGS.all(settings);
  }

  /** Whether the settings say themselves what they tell under the key. */
  static boolean isSaid(QueueSettings settings, String key) {
    return settings.said().contains(setting(key));
  }

  private static Setting setting(String key) {
    return Objects.requireNonNull(BY_KEY.get(SETTINGS.of(key).key()), key);
  }

  /** First what is to be inherited, then what is said, each in the order of the keys. */
  static QueueSettings change(QueueSettings settings, Map<String, String> texts) {
    texts.keySet().forEach(SETTINGS::of);
    requireOneMind(texts);
    Map<String, String> said = new LinkedHashMap<>();
    QueueSettings changed = settings;
    for (String key : SETTINGS.keys()) {
      String text = texts.get(key);
      if (INHERIT.equals(text)) {
        changed = changed.inherit(setting(key));
      } else if (text != null) {
        said.put(key, text);
      }
    }
    for (Map.Entry<String, String> text : said.entrySet()) {
      changed = SETTINGS.with(changed, text.getKey(), text.getValue());
    }
    return changed;
  }

  /** How often and how long are one setting: they are inherited together. */
  private static void requireOneMind(Map<String, String> texts) {
    String attempts = texts.get(MAX_ATTEMPTS);
    String backoff = texts.get(BACKOFF);
    if (attempts != null
        && backoff != null
        && attempts.equals(INHERIT) != backoff.equals(INHERIT)) {
      throw new IllegalArgumentException(
          "maxAttempts and backoff are one setting, said together or inherited together:"
              + " maxAttempts=\""
              + attempts
              + "\", backoff=\""
              + backoff
              + "\"");
    }
  }

  private static String retention(Optional<Duration> kept) {
    return kept.map(Duration::toString).orElse(NONE);
  }
}
