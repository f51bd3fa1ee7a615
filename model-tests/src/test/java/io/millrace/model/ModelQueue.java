package io.millrace.model;

import io.millrace.api.Backoff;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats.Total;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A queue as the model keeps it. */
public final class ModelQueue {

  public final QueueName name;
  public final Map<Total, Long> totals = new EnumMap<>(Total.class);
  public QueueSettings settings = QueueSettings.DEFAULT;
  public boolean isPaused;
  public boolean isDraining;

  /** Broadcasts that are kept, at most one of each name. */
  final List<ModelSignals.Kept> broadcasts = new ArrayList<>();

  ModelQueue(QueueName name) {
    this.name = name;
    for (Total total : Total.values()) {
      totals.put(total, 0L);
    }
  }

  public void count(Total total) {
    totals.merge(total, 1L, Long::sum);
  }

  public int maxAttempts(ModelJob job) {
    return job.options.maxAttempts().orElse(settings.maxAttempts());
  }

  public Backoff backoff(ModelJob job) {
    return job.options.backoff().orElse(settings.backoff());
  }
}
