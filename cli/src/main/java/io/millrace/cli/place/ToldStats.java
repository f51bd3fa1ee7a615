package io.millrace.cli.place;

import io.millrace.api.JobState;
import io.millrace.api.LeasedQueue;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A queue's counts as another process tells them. */
public record ToldStats(
    QueueName queue,
    Map<JobState, Long> counts,
    Map<QueueStats.Total, Long> totals,
    Optional<Duration> oldestReadyAge,
    QueueStats.Serving serving,
    Optional<LeasedQueue> leasedBy)
    implements QueueStats {}
