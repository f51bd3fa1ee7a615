package io.millrace.model;

import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats.Total;
import java.util.EnumMap;
import java.util.Map;

/** A queue as the model keeps it. */
final class ModelQueue {

  final QueueName name;
  final Map<Total, Long> totals = new EnumMap<>(Total.class);
  QueueSettings settings = QueueSettings.DEFAULT;
  boolean isPaused;
  boolean isDraining;

  ModelQueue(QueueName name) {
    this.name = name;
    for (Total total : Total.values()) {
      totals.put(total, 0L);
    }
  }

  void count(Total total) {
    totals.merge(total, 1L, Long::sum);
  }
}
