package io.millrace.api;

import io.millrace.api.QueueSettings.Expiry;
import io.millrace.api.QueueSettings.Setting;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Settings as texts by key, for operators and files of configuration. */
enum SettingsText {
  LEASE_DURATION("leaseDuration", Setting.LEASE_DURATION, "a duration from PT0.1S to PT168H") {
    @Override
    String of(QueueSettings settings) {
      return settings.leaseDuration().toString();
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return settings.leaseDuration(duration(value));
    }
  },
  DEPTH_MAX("depthMax", Setting.DEPTH_MAX, "a number of jobs from 1, or none") {
    @Override
    String of(QueueSettings settings) {
      return settings.depthMax().isPresent()
          ? Long.toString(settings.depthMax().getAsLong())
          : NONE;
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return value.equals(NONE) ? settings.noDepthMax() : settings.depthMax(Long.parseLong(value));
    }
  },
  EXPIRY("expiry", Setting.EXPIRY, "READY_AT_ONCE or BACKOFF") {
    @Override
    String of(QueueSettings settings) {
      return settings.expiry().name();
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return settings.expiry(Expiry.valueOf(value));
    }
  },
  MAX_ATTEMPTS("maxAttempts", Setting.RETRY, "a number from 1 to " + Limits.MAX_ATTEMPTS_MAX) {
    @Override
    String of(QueueSettings settings) {
      return Integer.toString(settings.maxAttempts());
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return settings.retry(Integer.parseInt(value), settings.backoff());
    }
  },
  BACKOFF("backoff", Setting.RETRY, BackoffText.ALLOWED) {
    @Override
    String of(QueueSettings settings) {
      return BackoffText.of(settings.backoff());
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return settings.retry(settings.maxAttempts(), BackoffText.parse(value));
    }
  },
  RESULT_RETENTION("resultRetention", Setting.RESULT_RETENTION, Constants.RETENTION) {
    @Override
    String of(QueueSettings settings) {
      return retention(settings.resultRetention());
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return value.equals(NONE)
          ? settings.noResultRetention()
          : settings.resultRetention(duration(value));
    }
  },
  DEAD_RETENTION("deadRetention", Setting.DEAD_RETENTION, Constants.RETENTION) {
    @Override
    String of(QueueSettings settings) {
      return retention(settings.deadRetention());
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return value.equals(NONE)
          ? settings.noDeadRetention()
          : settings.deadRetention(duration(value));
    }
  },
  PER_KEY("perKey", Setting.PER_KEY, "a number of jobs from 1 to " + Limits.PER_KEY_MAX) {
    @Override
    String of(QueueSettings settings) {
      return Integer.toString(settings.perKey());
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return settings.perKey(Integer.parseInt(value));
    }
  },
  RATE_LIMIT("rateLimit", Setting.RATE_LIMIT, RateText.ALLOWED) {
    @Override
    String of(QueueSettings settings) {
      return RateText.of(settings.rateLimit());
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return RateText.parse(value).map(settings::rateLimit).orElseGet(settings::noRateLimit);
    }
  },
  RATE_LIMIT_PER_KEY("rateLimitPerKey", Setting.RATE_LIMIT_PER_KEY, RateText.ALLOWED) {
    @Override
    String of(QueueSettings settings) {
      return RateText.of(settings.rateLimitPerKey());
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return RateText.parse(value)
          .map(settings::rateLimitPerKey)
          .orElseGet(settings::noRateLimitPerKey);
    }
  },
  SHARE("share", Setting.SHARE, "a number of jobs from 1 to " + Limits.SHARE_MAX) {
    @Override
    String of(QueueSettings settings) {
      return Integer.toString(settings.share());
    }

    @Override
    QueueSettings say(QueueSettings settings, String value) {
      return settings.share(Integer.parseInt(value));
    }
  };

  static final String INHERIT = "inherit";
  static final String NONE = "none";

  private final String key;
  private final Setting setting;
  private final String allowed;

  /** What the constants themselves need. */
  private static final class Constants {
    static final String RETENTION = "a duration from PT0.001S to PT87600H, or none";
  }

  SettingsText(String key, Setting setting, String allowed) {
    this.key = key;
    this.setting = setting;
    this.allowed = allowed;
  }

  abstract String of(QueueSettings settings);

  /**
   * The settings with this value.
   *
   * @throws IllegalArgumentException the value is wrong
   */
  abstract QueueSettings say(QueueSettings settings, String value);

  static Map<String, String> all(QueueSettings settings) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (SettingsText text : values()) {
      texts.put(text.key, text.of(settings));
    }
    return texts;
  }

  /** Whether the settings say themselves what they tell under the key. */
  static boolean isSaid(QueueSettings settings, String key) {
    return settings.said().contains(of(key).setting);
  }

  /** First what is to be inherited, then what is said, each in the order of the keys. */
  static QueueSettings change(QueueSettings settings, Map<String, String> texts) {
    texts.keySet().forEach(SettingsText::of);
    requireOneMind(texts);
    QueueSettings changed = settings;
    for (SettingsText text : values()) {
      if (INHERIT.equals(texts.get(text.key))) {
        changed = changed.inherit(text.setting);
      }
    }
    for (SettingsText text : values()) {
      String value = texts.get(text.key);
      if (value != null && !value.equals(INHERIT)) {
        changed = text.said(changed, value);
      }
    }
    return changed;
  }

  /** How often and how long are one setting: they are inherited together. */
  private static void requireOneMind(Map<String, String> texts) {
    String attempts = texts.get(MAX_ATTEMPTS.key);
    String backoff = texts.get(BACKOFF.key);
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

  private QueueSettings said(QueueSettings settings, String value) {
    try {
      return say(settings, value);
    } catch (IllegalArgumentException | DateTimeParseException e) {
      throw new IllegalArgumentException(
          "setting has a wrong value: key=\""
              + key
              + "\", value=\""
              + value
              + "\", allowed="
              + allowed
              + ", or inherit; reason="
              + e.getMessage(),
          e);
    }
  }

  private static SettingsText of(String key) {
    return Arrays.stream(values())
        .filter(text -> text.key.equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "setting is unknown: key=\"" + key + "\", known=" + keys()));
  }

  private static String keys() {
    return Arrays.toString(Arrays.stream(values()).map(text -> text.key).toArray());
  }

  private static Duration duration(String value) {
    return Duration.parse(value);
  }

  private static String retention(Optional<Duration> kept) {
    return kept.map(Duration::toString).orElse(NONE);
  }
}
