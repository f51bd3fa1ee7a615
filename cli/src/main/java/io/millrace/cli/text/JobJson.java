package io.millrace.cli.text;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobState;
import io.millrace.api.LeasedQueue;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.SignalWait;
import io.millrace.workflow.KeptStep;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Jobs and queues as JSON objects. What a job does not have is left out. */
public final class JobJson {

  private JobJson() {}

  /**
   * Writes a job, its payload as {@code payloadText} if that is UTF-8, else as {@code
   * payloadBase64}.
   */
  public static void write(Job job, JsonGenerator json) throws IOException {
    json.writeStartObject();
    writeFields(job, json);
    writeBytes("payload", job.payload(), json);
    writeEnd(job, json);
    json.writeEndObject();
  }

  /** Writes a job whole, so that a program can make it again: its payload is in Base64, always. */
  public static void export(Job job, JsonGenerator json) throws IOException {
    json.writeStartObject();
    writeFields(job, json);
    json.writeNumberField("payloadBytes", job.payload().length);
    json.writeBinaryField("payloadBase64", job.payload());
    writeEnd(job, json);
    json.writeEndObject();
  }

  private static void writeFields(Job job, JsonGenerator json) throws IOException {
    json.writeStringField("id", job.id().toString());
    writeName(job.queue(), json);
    json.writeStringField("type", job.type());
    if (job.uniqueKey().isPresent()) {
      json.writeStringField("uniqueKey", job.uniqueKey().get());
    }
    json.writeStringField("state", word(job.state()));
    json.writeNumberField("priority", job.priority());
    json.writeNumberField("weight", job.weight());
    if (job.concurrencyKey().isPresent()) {
      json.writeStringField("concurrencyKey", job.concurrencyKey().get());
    }
    if (job.engineConcurrencyKey().isPresent()) {
      json.writeStringField("engineConcurrencyKey", job.engineConcurrencyKey().get());
    }
    if (job.engineConcurrencyMost().isPresent()) {
      json.writeNumberField("engineConcurrencyMost", job.engineConcurrencyMost().getAsInt());
    }
    if (job.engineRateKey().isPresent()) {
      json.writeStringField("engineRateKey", job.engineRateKey().get());
      json.writeStringField("engineRateLimit", job.engineRateLimit().orElseThrow().text());
    }
    json.writeNumberField("attempts", job.attempts());
    json.writeNumberField("maxAttempts", job.maxAttempts());
    writeInstant("enqueuedAt", Optional.of(job.enqueuedAt()), json);
    writeInstant("visibleAt", job.visibleAt(), json);
    writeInstant("diedAt", job.diedAt(), json);
    writeInstant("completedAt", job.completedAt(), json);
    writeInstant("expiresAt", job.expiresAt(), json);
    if (job.signalWait().isPresent()) {
      SignalWait wait = job.signalWait().get();
      json.writeStringField("signal", wait.signal());
      writeInstant("signalSince", Optional.of(wait.since()), json);
      writeInstant("signalDeadline", wait.deadline(), json);
    }
    if (job.lastError().isPresent()) {
      json.writeStringField("lastError", job.lastError().get());
    }
    if (job.lease().isPresent()) {
      writeLease(job.lease().get(), json);
    }
    json.writeObjectFieldStart("headers");
    for (Map.Entry<String, String> header : job.headers().entrySet()) {
      json.writeStringField(header.getKey(), header.getValue());
    }
    json.writeEndObject();
  }

  /** What the job has kept, how it ended, and how each of its attempts. */
  private static void writeEnd(Job job, JsonGenerator json) throws IOException {
    if (job.checkpointed().isPresent()) {
      writeBytes("checkpoint", job.checkpointed().get(), json);
      writeSteps(KeptStep.of(job), json);
    }
    if (job.result().isPresent()) {
      writeBytes("result", job.result().get(), json);
    }
    if (!job.history().isEmpty()) {
      writeHistory(job.history(), json);
    }
  }

  /** Writes a queue's counts and totals. */
  public static void write(QueueStats stats, JsonGenerator json) throws IOException {
    json.writeStartObject();
    writeName(stats.queue(), json);
    json.writeStringField("serving", word(stats.serving()));
    json.writeObjectFieldStart("counts");
    for (JobState state : JobState.values()) {
      json.writeNumberField(word(state), stats.count(state));
    }
    json.writeEndObject();
    json.writeObjectFieldStart("totals");
    for (QueueStats.Total total : QueueStats.Total.values()) {
      json.writeNumberField(word(total), stats.total(total));
    }
    json.writeEndObject();
    if (stats.oldestReadyAge().isPresent()) {
      json.writeNumberField("oldestReadyAgeMs", stats.oldestReadyAge().get().toMillis());
    }
    if (stats.leasedBy().isPresent()) {
      LeasedQueue lease = stats.leasedBy().get();
      json.writeObjectFieldStart("leasedBy");
      json.writeStringField("worker", lease.worker());
      json.writeStringField("since", lease.since().toString());
      json.writeStringField("until", lease.until().toString());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  /** An enum's constant as it is in JSON and in tables: lower case. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Writes a queue's name and tenant. */
  public static void writeName(QueueName queue, JsonGenerator json) throws IOException {
    json.writeStringField("queue", queue.name());
    json.writeStringField("tenant", queue.tenant());
  }

  /** Writes an instant, if there is one. */
  public static void writeInstant(String field, Optional<Instant> instant, JsonGenerator json)
      throws IOException {
    if (instant.isPresent()) {
      json.writeStringField(field, instant.get().toString());
    }
  }

  private static void writeLease(Job.Running lease, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("lease");
    json.writeNumberField("token", lease.token());
    json.writeStringField("worker", lease.worker());
    json.writeStringField("startedAt", lease.startedAt().toString());
    if (lease.cancelRequested()) {
      json.writeBooleanField("cancelRequested", true);
    }
    json.writeEndObject();
  }

  private static void writeHistory(List<FinishedAttempt> history, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart("history");
    for (FinishedAttempt attempt : history) {
      json.writeStartObject();
      json.writeNumberField("attempt", attempt.attempt());
      json.writeStringField("worker", attempt.worker());
      json.writeStringField("startedAt", attempt.startedAt().toString());
      json.writeStringField("endedAt", attempt.endedAt().toString());
      if (attempt.error().isPresent()) {
        json.writeStringField("error", attempt.error().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** What a workflow has kept; nothing if the job is none. */
  private static void writeSteps(List<KeptStep> steps, JsonGenerator json) throws IOException {
    if (steps.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("steps");
    for (KeptStep step : steps) {
      json.writeStartObject();
      json.writeStringField("call", step.call());
      json.writeStringField("name", step.name());
      json.writeStringField("outcome", word(step.outcome()));
      writeInstant("until", step.until(), json);
      json.writeNumberField("failedTries", step.failedTries());
      if (step.error().isPresent()) {
        json.writeStringField("error", step.error().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Writes bytes, as {@code …Text} if they are UTF-8, else as {@code …Base64}. */
  public static void writeBytes(String field, byte[] bytes, JsonGenerator json) throws IOException {
    json.writeNumberField(field + "Bytes", bytes.length);
    Optional<String> text = Printable.utf8(bytes);
    if (text.isPresent()) {
      json.writeStringField(field + "Text", text.get());
    } else {
      json.writeBinaryField(field + "Base64", bytes);
    }
  }
}
