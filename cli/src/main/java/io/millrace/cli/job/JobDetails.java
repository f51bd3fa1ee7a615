package io.millrace.cli.job;

import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.SignalWait;
import io.millrace.console.text.Amounts;
import io.millrace.console.text.Printable;
import io.millrace.describe.Description.Attribute;
import io.millrace.describe.Descriptions;
import io.millrace.describe.Kind;
import io.millrace.workflow.KeptStep;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalInt;

/** Shows everything about one job. */
public final class JobDetails {

  private static final int PAYLOAD_LENGTH_MAX = 4_096;

  private final PrintWriter out;

  public JobDetails(PrintWriter out) {
    this.out = out;
  }

  public void print(Job job) {
    Descriptions.JOB.attributes().forEach(attribute -> print(attribute, job));
  }

  /** Prints an attribute. Some have a form of their own here, and some are printed with another. */
  private void print(Attribute<Job, ?> attribute, Job job) {
    switch (attribute.accessor()) {
      case "id" -> line("job", job.id().toString());
      case "queue" -> line("queue", job.queue().toString());
      case "concurrencyKey" -> job.concurrencyKey().ifPresent(key -> line("key", key));
      case "engineConcurrencyKey" ->
          job.engineConcurrencyKey().ifPresent(key -> line("engine key", key + atATime(job)));
      case "engineRateKey" ->
          job.engineRateKey()
              .ifPresent(
                  key -> line("engine rate", key + ", " + job.engineRateLimit().get().text()));
      case "attempts" -> line("attempts", job.attempts() + " of " + job.maxAttempts());
      case "signalWait" -> job.signalWait().ifPresent(wait -> line("waits for", awaited(wait)));
      case "waitsForBatch" ->
          job.waitsForBatch().ifPresent(batch -> line("waits for", "batch " + batch));
      case "lease" -> job.lease().ifPresent(lease -> line("lease", held(lease)));
      case "headers" -> job.headers().forEach((name, value) -> line("header", name + ": " + value));
      case "checkpointed" -> {
        job.checkpointed().ifPresent(state -> line("checkpoint", bytes(state)));
        KeptStep.of(job).forEach(step -> line(step.call(), kept(step)));
      }
      case "history" ->
          job.history().forEach(attempt -> line("attempt " + attempt.attempt(), ended(attempt)));
      case "engineConcurrencyMost", "engineRateLimit", "maxAttempts" -> {}
      default -> printPlain(attribute, job);
    }
  }

  private <V> void printPlain(Attribute<Job, V> attribute, Job job) {
    V value = attribute.getter().apply(job);
    if (value != null) {
      Object told = ((Kind<V>) attribute.form()).tell().apply(value);
      line(label(attribute), told instanceof byte[] some ? bytes(some) : String.valueOf(told));
    }
  }

  /** Returns the attribute's name as words, without the {@code At} of instants. */
  private static String label(Attribute<Job, ?> attribute) {
    return attribute
        .accessor()
        .replaceFirst("At$", "")
        .replaceAll("(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }

  private static String awaited(SignalWait wait) {
    return wait.signal()
        + " since "
        + wait.since()
        + wait.deadline().map(at -> ", until " + at).orElse("");
  }

  private static String held(Job.Running lease) {
    return "%s since %s, token %d%s"
        .formatted(
            lease.worker(),
            lease.startedAt(),
            lease.token(),
            lease.cancelRequested() ? ", cancel requested" : "");
  }

  private static String atATime(Job job) {
    OptionalInt most = job.engineConcurrencyMost();
    return most.isPresent() ? ", " + Amounts.count(most.getAsInt()) + " at a time" : "";
  }

  private static String bytes(byte[] bytes) {
    return "%,d bytes: %s".formatted(bytes.length, Printable.payload(bytes, PAYLOAD_LENGTH_MAX));
  }

  /** Returns how far a workflow's step, sleep or wait has come. */
  private static String kept(KeptStep step) {
    String times = step.failedTries() == 1 ? "once" : Amounts.count(step.failedTries()) + " times";
    return step.name()
        + ": "
        + Kind.word(step.outcome()).replace('_', ' ')
        + (step.outcome() == KeptStep.Outcome.TRIED ? " in vain " + times : "")
        + step.until().map(at -> " until " + at).orElse("")
        + step.error().map(error -> ": " + error).orElse("");
  }

  /** Returns how a finished attempt went. */
  private static String ended(FinishedAttempt attempt) {
    return "%s from %s for %s: %s"
        .formatted(
            attempt.worker(),
            attempt.startedAt(),
            Amounts.duration(Duration.between(attempt.startedAt(), attempt.endedAt())),
            attempt.error().orElse("succeeded"));
  }

  private void line(String label, String value) {
    out.printf("%-11s %s%n", label, Printable.text(value));
  }
}
