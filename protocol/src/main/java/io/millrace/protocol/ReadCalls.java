package io.millrace.protocol;

import io.millrace.api.ConnectedClient;
import io.millrace.api.DeadFilter;
import io.millrace.api.EngineMetrics;
import io.millrace.api.Explanation;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.VerifyReport;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Calls that change nothing; see {@link io.millrace.api.JobReader}. */
public interface ReadCalls {

  /** A call that tells the time by the clock of the queues. */
  record Now() implements Call<Now.Answer> {
    public record Answer(Instant now) {}
  }

  /** A call that lists the queues. */
  record Queues(PageRequest page) implements Call<Queues.Answer> {
    public record Answer(Page<QueueName> queues) {}
  }

  /** A call that tells the figures of a queue. */
  record Stats(QueueName queue) implements Call<Stats.Answer> {
    public record Answer(Optional<QueueStats> stats) {}
  }

  /** A call that lists queues with their figures. */
  record AllStats(PageRequest page) implements Call<AllStats.Answer> {
    public record Answer(Page<QueueStats> stats) {}
  }

  /**
   * A call that tells the settings of a queue, or of all queues of a name.
   *
   * @param queue the queue; empty if a name is given
   * @param queueName the name of the queues; empty if a queue is given
   */
  record Settings(Optional<QueueName> queue, Optional<String> queueName)
      implements Call<Settings.Answer> {
    public record Answer(QueueSettings settings) {}
  }

  /** A call that lists the jobs of a queue that are in a state. */
  record Peek(QueueName queue, JobState state, PageRequest page) implements Call<Peek.Answer> {
    public record Answer(Page<Job> jobs) {}
  }

  /** A call that tells of a job. */
  record Get(JobId jobId) implements Call<Get.Answer> {
    public record Answer(Optional<Job> job) {}
  }

  /** A call that explains why a job is not running. */
  record Explain(JobId jobId) implements Call<Explain.Answer> {
    public record Answer(Optional<Explanation> explanation) {}
  }

  /** A call that lists the dead letters of a queue. */
  record DeadLetters(QueueName queue, DeadFilter filter, PageRequest page)
      implements Call<DeadLetters.Answer> {
    public record Answer(Page<Job> jobs) {}
  }

  /** A call that lists the jobs that match. */
  record Jobs(JobFilter filter, PageRequest page) implements Call<Jobs.Answer> {
    public record Answer(Page<Job> jobs) {}
  }

  /** A call that lists the queues that have work. */
  record ActiveQueues(Instant now, PageRequest page) implements Call<ActiveQueues.Answer> {
    public record Answer(Page<QueueName> queues) {}
  }

  /** A call that tells when the next job of a queue is due. */
  record NextVisible(QueueName queue) implements Call<NextVisible.Answer> {
    public record Answer(Optional<Instant> at) {}
  }

  /** A call that verifies the store. */
  record Verify() implements Call<Verify.Answer> {
    public record Answer(VerifyReport report) {}
  }

  /** A call that tells what the engine does and holds. */
  record Metrics() implements Call<Metrics.Answer> {
    public record Answer(EngineMetrics metrics) {}
  }

  /** A call that tells who is connected to the server. */
  record Clients() implements Call<Clients.Answer> {
    public record Answer(List<ConnectedClient> clients) {}
  }
}
