package io.millrace.engine;

import io.millrace.api.JobState;
import io.millrace.api.LeasedQueue;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What the store says of a queue, and who has it as a whole, which only the engine knows. */
record LeasedStats(QueueStats stored, Optional<LeasedQueue> leasedBy) implements QueueStats {

  @Override
  public QueueName queue() {
    return stored.queue();
  }

  @Override
  public Map<JobState, Long> counts() {
    return stored.counts();
  }

  @Override
  public Map<Total, Long> totals() {
    return stored.totals();
  }

  @Override
  public Optional<Duration> oldestReadyAge() {
    return stored.oldestReadyAge();
  }

  @Override
  public Serving serving() {
    return stored.serving();
  }
}
