package io.millrace.cli;

import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.cli.text.Amounts;
import io.millrace.cli.text.JobJson;
import io.millrace.cli.text.Printable;
import io.millrace.workflow.KeptStep;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.OptionalInt;

/** Shows everything about one job. */
final class JobDetails {

  private static final int PAYLOAD_LENGTH_MAX = 4_096;

  private final PrintWriter out;

  JobDetails(PrintWriter out) {
    this.out = out;
  }

  void print(Job job) {
    line("job", job.id().toString());
    line("queue", job.queue().toString());
    line("type", job.type());
    job.uniqueKey().ifPresent(key -> line("unique key", key));
    line("state", JobJson.word(job.state()));
    line("priority", Integer.toString(job.priority()));
    line("weight", Integer.toString(job.weight()));
    job.concurrencyKey().ifPresent(key -> line("key", key));
    job.engineConcurrencyKey().ifPresent(key -> line("engine key", key + atATime(job)));
    job.engineRateKey()
        .ifPresent(key -> line("engine rate", key + ", " + job.engineRateLimit().get().text()));
    line("attempts", job.attempts() + " of " + job.maxAttempts());
    line("backoff", BackoffText.of(job.backoff()));
    line("enqueued", job.enqueuedAt().toString());
    job.visibleAt().ifPresent(at -> line("visible", at.toString()));
    job.diedAt().ifPresent(at -> line("died", at.toString()));
    job.completedAt().ifPresent(at -> line("completed", at.toString()));
    job.expiresAt().ifPresent(at -> line("expires", at.toString()));
    job.signalWait()
        .ifPresent(
            wait ->
                line(
                    "waits for",
                    wait.signal()
                        + " since "
                        + wait.since()
                        + wait.deadline().map(at -> ", until " + at).orElse("")));
    job.lastError().ifPresent(error -> line("last error", error));
    job.lease()
        .ifPresent(
            lease ->
                line(
                    "lease",
                    "%s since %s, token %d%s"
                        .formatted(
                            lease.worker(),
                            lease.startedAt(),
                            lease.token(),
                            lease.cancelRequested() ? ", cancel requested" : "")));
    job.headers().forEach((name, value) -> line("header", name + ": " + value));
    line("payload", bytes(job.payload()));
    job.checkpointed().ifPresent(state -> line("checkpoint", bytes(state)));
    KeptStep.of(job).forEach(step -> line(step.call(), kept(step)));
    job.result().ifPresent(result -> line("result", bytes(result)));
    job.history().forEach(attempt -> line("attempt " + attempt.attempt(), ended(attempt)));
  }

  private static String atATime(Job job) {
    OptionalInt most = job.engineConcurrencyMost();
    return most.isPresent() ? ", " + Amounts.count(most.getAsInt()) + " at a time" : "";
  }

  private static String bytes(byte[] bytes) {
    return "%,d bytes: %s".formatted(bytes.length, Printable.payload(bytes, PAYLOAD_LENGTH_MAX));
  }

  /** Tells what became of a workflow's step, sleep or wait. */
  private static String kept(KeptStep step) {
    String times = step.failedTries() == 1 ? "once" : Amounts.count(step.failedTries()) + " times";
    return step.name()
        + ": "
        + JobJson.word(step.outcome()).replace('_', ' ')
        + (step.outcome() == KeptStep.Outcome.TRIED ? " in vain " + times : "")
        + step.until().map(at -> " until " + at).orElse("")
        + step.error().map(error -> ": " + error).orElse("");
  }

  /** How a finished attempt went. */
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
