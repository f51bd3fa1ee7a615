package io.millrace.cli.place;

import io.millrace.api.QueueSettings;
import io.millrace.management.SettingsSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What holds for a queue, or is said for a name.
 *
 * @param values texts by key, in the order in which they are to be read
 * @param inherited keys of what is not said here
 */
public record ToldSettings(Map<String, String> values, List<String> inherited) {

  static ToldSettings of(QueueSettings settings) {
    Map<String, String> values = settings.texts();
    return new ToldSettings(
        values, values.keySet().stream().filter(key -> !settings.isSaid(key)).toList());
  }

  /** An engine's answer has lost its order on the way. */
  static ToldSettings of(SettingsSnapshot told) {
    Map<String, String> left = new LinkedHashMap<>(told.getValues());
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : QueueSettings.DEFAULT.texts().keySet()) {
      String value = left.remove(key);
      if (value != null) {
        values.put(key, value);
      }
    }
    values.putAll(left);
    return new ToldSettings(values, List.copyOf(told.getInherited()));
  }
}
