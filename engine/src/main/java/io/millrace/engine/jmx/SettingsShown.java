package io.millrace.engine.jmx;

import io.millrace.api.QueueSettings;
import io.millrace.management.SettingsSnapshot;
import java.util.List;
import java.util.Map;

/** Settings in the shape that JMX knows. */
record SettingsShown(QueueSettings settings) implements SettingsSnapshot {

  @Override
  public Map<String, String> getValues() {
    return settings.texts();
  }

  @Override
  public List<String> getInherited() {
    return settings.texts().keySet().stream().filter(key -> !settings.isSaid(key)).toList();
  }
}
