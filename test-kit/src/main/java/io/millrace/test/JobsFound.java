package io.millrace.test;

import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Page;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The jobs that an assertion is about, and the text that lists them when it fails. */
final class JobsFound {

  private static final int TOLD_MAX = 50;
  private static final int TEXT_LENGTH_MAX = 200;
  private static final int BYTES_TOLD_MAX = 32;

  private JobsFound() {}

  /** Returns all jobs of the type, in the queues of its name. */
  static List<Job> of(JobQueues queues, JobType<?> type) {
    return all(queues, JobFilter.ALL.queueName(type.queueName().name()).type(type.name()));
  }

  static List<Job> all(JobQueues queues, JobFilter filter) {
    return Page.stream(page -> queues.list(filter, page)).toList();
  }

  /** Returns the time at which something happens to the job of itself; now if it is ready. */
  static Optional<Instant> due(Job job, Instant now) {
    return switch (job.state()) {
      case READY -> Optional.of(now);
      case DELAYED -> job.visibleAt();
      case WAITING -> job.signalWait().flatMap(wait -> wait.deadline());
      case LEASED, BLOCKED, DEAD, DONE -> Optional.empty();
    };
  }

  /** Returns a text with a line for each of the jobs. */
  static String told(List<Job> jobs, JobType<?> type, Instant now) {
    String lines =
        IntStream.range(0, Math.min(jobs.size(), TOLD_MAX))
            .mapToObj(i -> "\n  " + told(jobs.get(i), type, now))
            .collect(Collectors.joining());
    String rest = jobs.size() > TOLD_MAX ? "\n  and " + (jobs.size() - TOLD_MAX) + " more" : "";
    return "jobs of type " + type.name() + " at " + now + ": " + jobs.size() + lines + rest;
  }

  private static String told(Job job, JobType<?> type, Instant now) {
    StringBuilder line = new StringBuilder(job.state() + " ").append(payload(job, type));
    line.append(", attempts=").append(job.attempts()).append('/').append(job.maxAttempts());
    if (job.state() != JobState.READY) {
      due(job, now)
          .ifPresent(
              at ->
                  line.append(", due in ")
                      .append(Duration.between(now, at))
                      .append(" at ")
                      .append(at));
    }
    job.signalWait().ifPresent(wait -> line.append(", waits for signal ").append(wait.signal()));
    job.waitsForBatch().ifPresent(batch -> line.append(", waits for batch ").append(batch));
    job.lease().ifPresent(lease -> line.append(", worker=").append(lease.worker()));
    job.lastError().ifPresent(error -> line.append(", last error: ").append(firstLine(error)));
    return line.append(", id=").append(job.id()).toString();
  }

  private static String payload(Job job, JobType<?> type) {
    try {
      Object payload = type.codec().decode(job.payload());
      return shortened(payload instanceof byte[] bytes ? hex(bytes) : String.valueOf(payload));
    } catch (RuntimeException e) {
      return "payload that cannot be decoded (" + shortened(String.valueOf(e.getMessage())) + ")";
    }
  }

  private static String hex(byte[] bytes) {
    String begin =
        HexFormat.ofDelimiter(" ").formatHex(bytes, 0, Math.min(bytes.length, BYTES_TOLD_MAX));
    return bytes.length + " bytes [" + begin + (bytes.length > BYTES_TOLD_MAX ? " ...]" : "]");
  }

  private static String firstLine(String text) {
    return shortened(text.lines().findFirst().orElse(""));
  }

  private static String shortened(String text) {
    return text.length() > TEXT_LENGTH_MAX ? text.substring(0, TEXT_LENGTH_MAX) + "..." : text;
  }
}
