package io.millrace.cli.top;

import io.millrace.api.CorruptDataException;
import io.millrace.api.EngineMetrics;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.cli.pages.Pages;
import io.millrace.cli.place.LiveTarget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of an engine and its first queues at one moment.
 *
 * @param atNs the moment, on the monotonic clock
 * @param queues the queues, in the store's order
 * @param isMore whether there are further queues
 */
record TopSample(
    long atNs, EngineMetrics metrics, Map<QueueName, QueueStats> queues, boolean isMore) {

  static TopSample of(LiveTarget target, int queueCountMax) {
    EngineMetrics metrics = target.metrics();
    long atNs = System.nanoTime();
    List<QueueName> names = new ArrayList<>();
    Pages<QueueName> all = new Pages<>(target::queues);
    while (names.size() < queueCountMax && all.hasNext()) {
      names.add(all.next());
    }
    Map<QueueName, QueueStats> queues = new LinkedHashMap<>();
    for (QueueName name : names) {
      try {
        target.stats(name).ifPresent(stats -> queues.put(name, stats));
      } catch (CorruptDataException e) {
        // The engine, which has told it in its log, sets the row aside: the next sample has the
        // queue.
        continue;
      }
    }
    return new TopSample(atNs, metrics, queues, queueCountMax > 0 && all.hasNext());
  }

  /**
   * Returns how often something happened each second since the earlier sample, to the nearest.
   *
   * @param before the count at the earlier sample
   * @param now the count at this one
   */
  long perSecond(TopSample earlier, long before, long now) {
    double seconds = (atNs - earlier.atNs) / 1e9;
    return seconds <= 0 ? 0 : Math.round(Math.max(0, now - before) / seconds);
  }
}
