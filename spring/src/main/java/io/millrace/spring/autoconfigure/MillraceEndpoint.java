package io.millrace.spring.autoconfigure;

import io.millrace.api.DeadFilter;
import io.millrace.api.Explanation;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.Limits;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.RedriveResult;
import io.millrace.engine.JobEngine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The endpoint {@code millrace}: shows queues and jobs, says why a job is not running, and acts on
 * them. Payloads are not shown, for they may be confidential. The places are
 *
 * <pre>
 * /actuator/millrace                     the engine and its queues, the first 1,000
 * /actuator/millrace/queue/NAME          a queue; of a tenant: queue/NAME/TENANT
 * /actuator/millrace/job/ID              a job
 * /actuator/millrace/explain/ID          why the job is not running
 * </pre>
 *
 * Queues are told to {@code pause}, {@code resume} and {@code redrive}, jobs to {@code redrive}.
 */
@Endpoint(id = "millrace")
final class MillraceEndpoint {

  private final JobQueues queues;

  MillraceEndpoint(JobQueues queues) {
    this.queues = queues;
  }

  /** Shows the engine and its queues. */
  @ReadOperation
  Map<String, Object> overview() {
    Map<String, Object> shown = new LinkedHashMap<>();
    if (queues instanceof JobEngine engine) {
      shown.put("engine", EngineReport.of(engine.health()).details());
    }
    Page<QueueStats> page = queues.stats(PageRequest.first(Limits.PAGE_SIZE_MAX));
    shown.put("queues", page.items().stream().map(MillraceEndpoint::queue).toList());
    if (page.next().isPresent()) {
      shown.put("more", "there are more queues; ask for them by name");
    }
    return shown;
  }

  /** Shows a queue or a job, or explains one; null if there is none. */
  @ReadOperation
  @Nullable Map<String, Object> look(
      @Selector(match = Selector.Match.ALL_REMAINING) String... path) {
    return switch (kind(path)) {
      case "queue" -> queues.stats(queueName(path)).map(MillraceEndpoint::queue).orElse(null);
      case "job" -> queues.get(jobId(path)).map(MillraceEndpoint::job).orElse(null);
      case "explain" -> queues.explain(jobId(path)).map(MillraceEndpoint::explanation).orElse(null);
      default -> throw unknown("there is no such place", path[0], "queue, job or explain");
    };
  }

  /** Acts on a queue or a job; null if there is none. */
  @WriteOperation
  @Nullable Map<String, Object> act(
      String action, @Selector(match = Selector.Match.ALL_REMAINING) String... path) {
    String asked = action.toLowerCase(Locale.ROOT);
    return switch (kind(path)) {
      case "queue" -> actOnQueue(asked, queueName(path));
      case "job" -> actOnJob(asked, jobId(path));
      default -> throw unknown("nothing can be done there", path[0], "queue or job");
    };
  }

  private @Nullable Map<String, Object> actOnQueue(String action, QueueName name) {
    if (queues.stats(name).isEmpty()) {
      return null;
    }
    JobQueue queue = queues.queue(name);
    switch (action) {
      case "pause" -> queue.pause();
      case "resume" -> queue.resume();
      case "redrive" -> {
        return Map.of("redriven", queue.deadLetters().redriveAll(DeadFilter.ALL));
      }
      default -> throw unknown("no such action on a queue", action, "pause, resume or redrive");
    }
    return queues.stats(name).map(MillraceEndpoint::queue).orElse(null);
  }

  private @Nullable Map<String, Object> actOnJob(String action, JobId id) {
    if (!action.equals("redrive")) {
      throw unknown("no such action on a job", action, "redrive");
    }
    Optional<Job> job = queues.get(id);
    if (job.isEmpty()) {
      return null;
    }
    RedriveResult result = queues.queue(job.get().queue()).deadLetters().redrive(id);
    return Map.of("result", result.toString(), "done", result.isDone());
  }

  private static String kind(String... path) {
    if (path.length < 2) {
      throw unknown("the place is not complete", String.join("/", path), "queue/NAME or job/ID");
    }
    return path[0];
  }

  private static QueueName queueName(String... path) {
    try {
      return new QueueName(path[1], path.length > 2 ? path[2] : "");
    } catch (IllegalArgumentException e) {
      throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "not a queue", e);
    }
  }

  private static JobId jobId(String... path) {
    try {
      return JobId.parse(path[1]);
    } catch (IllegalArgumentException e) {
      throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), "not a job id", e);
    }
  }

  private static InvalidEndpointRequestException unknown(
      String sentence, String value, String expected) {
    return new InvalidEndpointRequestException(
        sentence + ": value=\"" + value + "\", expected " + expected, sentence);
  }

  private static Map<String, Object> queue(QueueStats stats) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", stats.queue().name());
    if (!stats.queue().tenant().isEmpty()) {
      shown.put("tenant", stats.queue().tenant());
    }
    shown.put("serving", word(stats.serving()));
    Map<String, Object> counts = new LinkedHashMap<>();
    stats.counts().forEach((state, count) -> counts.put(word(state), count));
    shown.put("jobs", counts);
    stats.oldestReadyAge().ifPresent(age -> shown.put("oldestReadyAge", age.toString()));
    return shown;
  }

  private static Map<String, Object> job(Job job) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("id", job.id().toString());
    shown.put("queue", job.queue().toString());
    shown.put("type", job.type());
    shown.put("state", word(job.state()));
    shown.put("attempts", job.attempts());
    shown.put("maxAttempts", job.maxAttempts());
    shown.put("priority", job.priority());
    shown.put("enqueuedAt", job.enqueuedAt().toString());
    shown.put("payloadBytes", job.payload().length);
    job.visibleAt().ifPresent(at -> shown.put("visibleAt", at.toString()));
    job.diedAt().ifPresent(at -> shown.put("diedAt", at.toString()));
    job.lease().ifPresent(lease -> shown.put("worker", lease.worker()));
    job.lastError().ifPresent(error -> shown.put("lastError", error));
    return shown;
  }

  private static Map<String, Object> explanation(Explanation explanation) {
    List<String> reasons =
        explanation.reasons().stream().map(Explanation.Reason::sentence).toList();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("id", explanation.jobId().toString());
    shown.put("state", word(explanation.state()));
    shown.put("reasons", reasons);
    return shown;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
