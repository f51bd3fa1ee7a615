package io.millrace.api;

import io.millrace.api.QueueSettings.Setting;
import io.millrace.options.Option;
import io.millrace.options.OptionTable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The text form of settings, by key, for operators and configuration files. */
final class SettingsText {

  private static final String INHERIT = "inherit";

  final OptionTable options = new OptionTable();
  private final TextFields<QueueSettings> fields = new TextFields<>("setting", List.of());
  private final Map<String, Setting> settings = new HashMap<>();

  /** Adds an option after those added before. */
  <S, T> Option<S, T> add(Setting setting, String name, T otherwise, TextKind<S, T> kind) {
    Option<S, T> option = options.add(name, otherwise, kind.check());
    boolean mayBeNone = TextKind.text(otherwise).equals(TextKind.NONE);
    settings.put(name, setting);
    fields.add(
        new TextFields.Field<>(
            name,
            kind.allowed() + ", or inherit",
            told -> Optional.of(TextKind.text(told.get(option))),
            (told, text) ->
                mayBeNone && text.equals(TextKind.NONE)
                    ? told.setNone(option)
                    : told.set(option, kind.value().apply(text))));
    return option;
  }

  Map<String, String> all(QueueSettings told) {
    return fields.all(told);
  }

  /** Returns the setting that the option of this name belongs to. */
  Setting setting(String key) {
    return Objects.requireNonNull(settings.get(fields.of(key).key()), key);
  }

  /**
   * Returns the settings with these changes: first those that unset a setting, then those that set
   * one, each in the order of the keys.
   */
  QueueSettings change(QueueSettings told, Map<String, String> texts) {
    texts.keySet().forEach(fields::of);
    requireOneMind(texts);
    Map<String, String> newTexts = new LinkedHashMap<>();
    QueueSettings changed = told;
    for (String key : fields.keys()) {
      String text = texts.get(key);
      if (INHERIT.equals(text)) {
        changed = changed.inherit(setting(key));
      } else if (text != null) {
        newTexts.put(key, text);
      }
    }
    for (Map.Entry<String, String> text : newTexts.entrySet()) {
      changed = fields.with(changed, text.getKey(), text.getValue());
    }
    return changed;
  }

  /**
   * Refuses texts that inherit only one of the number of attempts and the backoff, which are one
   * setting.
   */
  private static void requireOneMind(Map<String, String> texts) {
    String attempts = texts.get("maxAttempts");
    String backoff = texts.get("backoff");
    if (attempts != null
        && backoff != null
        && attempts.equals(INHERIT) != backoff.equals(INHERIT)) {
      throw new IllegalArgumentException(
          "maxAttempts and backoff are one setting, set together or inherited together:"
              + " maxAttempts=\""
              + attempts
              + "\", backoff=\""
              + backoff
              + "\"");
    }
  }
}
