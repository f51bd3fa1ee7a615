package io.millrace.describe;

import io.millrace.api.QueueSettings;
import java.util.List;
import java.util.Map;

/**
 * Settings that hold for a queue, or for all queues of a name, as texts.
 *
 * @param values texts by key, in the order in which they are to be read
 * @param inherited keys of the values that are not set here, but for the queue's name or by default
 */
public record SettingsTexts(Map<String, String> values, List<String> inherited) {

  public static SettingsTexts of(QueueSettings settings) {
    Map<String, String> values = settings.texts();
    return new SettingsTexts(
        values, values.keySet().stream().filter(key -> !settings.isSet(key)).toList());
  }
}
