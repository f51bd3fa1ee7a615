package io.millrace.console.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class JobActionsInBrowserTest extends BrowserTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Shown shown = show().enter();

  private String notice() {
    return chrome.text("[role=status]");
  }

  private Job job(JobId id) {
    return shown.engine.get(id).orElseThrow();
  }

  @Test
  @Clicks("job.cancel")
  void cancel_waitingJob_asksFirstAndRemovesIt() {
    JobId job = shown.enqueue("mail", "x");

    shown.open(job);
    chrome.click("Cancel…");
    assertThat(chrome.heading()).isEqualTo("Are you sure?");
    assertThat(chrome.text()).contains(job.toString(), "Cancels a job");
    assertThat(shown.state(job)).isEqualTo(JobState.READY);
    chrome.click("Yes, do it");

    assertThat(chrome.heading()).isEqualTo("Jobs");
    assertThat(notice()).isEqualTo("job.cancel: cancelled");
    assertThat(shown.engine.get(job)).isEmpty();
  }

  @Test
  void cancel_visitorSaysNo_changesNothing() {
    JobId job = shown.enqueue("mail", "x");

    shown.open(job);
    chrome.click("Cancel…");
    chrome.click("No");

    assertThat(chrome.heading()).isEqualTo("Job " + job);
    assertThat(shown.state(job)).isEqualTo(JobState.READY);
  }

  @Test
  @Clicks("job.cancel")
  void cancel_runningJob_interruptsItsHandler() throws InterruptedException {
    JobType<String> type = JobType.of("reports", Codec.TEXT);
    CountDownLatch interrupted = new CountDownLatch(1);
    Worker worker =
        Worker.on(shown.engine)
            .name("worker-7")
            .handle(
                type,
                (text, job) -> {
                  job.progress(0.25, "page 1 of 4");
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                  }
                })
            .start();
    Shown other = closing(new Shown(chrome, shown.engine, setup -> setup.worker(worker)));
    closing(worker);
    JobId job = shown.engine.enqueue(type, "all").jobId();

    other.enter();
    other.open("/running");
    chrome.await("the job", () -> chrome.text("#running").contains("page 1 of 4"));
    assertThat(chrome.text("#running")).contains("Worker worker-7", job.toString());
    chrome.clickInRow("page 1 of 4", "Cancel…");
    chrome.click("Yes, do it");

    assertThat(chrome.heading()).isEqualTo("Running now");
    assertThat(notice()).isEqualTo("job.cancel: requested");
    interrupted.await();
    chrome.await(
        "the job's end",
        () -> {
          chrome.reload();
          return shown.engine.get(job).isEmpty() && !chrome.text().contains(job.toString());
        });
  }

  @Test
  @Clicks("job.release")
  void release_jobThatAWorkerHolds_makesItReady() {
    JobId job = shown.enqueue("mail", "x");
    Lease lease = shown.claim("mail");
    assertThat(lease.extend(Shown.LEASE).isDone()).isTrue();

    shown.open(job);
    chrome.click("Take from its worker");

    assertThat(chrome.text(".state")).isEqualTo("ready");
    assertThat(shown.state(job)).isEqualTo(JobState.READY);
    assertThat(lease.complete().isDone()).isFalse();
  }

  @Test
  @Clicks({"job.update", "job.redrive"})
  void editAndRetry_deadLetter_isReadyWithTheNewPayload() {
    JobId job = shown.dead("mail", "no such address");

    shown.open(job);
    assertThat(chrome.text(".error")).isEqualTo("no such address");
    chrome.click("Change it");
    chrome.fill("payload", "{\"to\": \"bob@example.org\"}");
    chrome.click("Replace the payload");
    assertThat(chrome.text()).contains("bob@example.org").doesNotContain("ada@example.org");
    chrome.click("Redrive");

    assertThat(notice()).isEqualTo("job.redrive: redriven");
    assertThat(chrome.text(".state")).isEqualTo("ready");
    assertThat(new String(job(job).payload(), UTF_8)).isEqualTo("{\"to\": \"bob@example.org\"}");
    assertThat(job(job).state()).isEqualTo(JobState.READY);
  }

  @Test
  @Clicks("job.delete")
  void delete_deadLetter_asksFirstAndRemovesIt() {
    JobId job = shown.dead("mail", "no such address");

    shown.open(job);
    chrome.click("Delete…");
    chrome.click("Yes, do it");

    assertThat(chrome.heading()).isEqualTo("Dead letters");
    assertThat(chrome.text()).contains("job.delete: deleted", "There are no dead letters.");
    assertThat(shown.engine.get(job)).isEmpty();
  }

  @Test
  @Clicks("job.reschedule")
  void runNow_delayedJob_isReady() {
    JobId job = shown.enqueue("mail", "x", EnqueueOptions.DEFAULT.delay(HOUR));

    shown.open(job);
    assertThat(chrome.text(".state")).isEqualTo("delayed");
    chrome.click("Run now");

    assertThat(notice()).isEqualTo("job.reschedule: rescheduled");
    chrome.await(
        "the job to be ready",
        () -> {
          chrome.reload();
          return chrome.text(".state").equals("ready");
        });
    assertThat(shown.state(job)).isEqualTo(JobState.READY);
  }

  @Test
  @Clicks("job.reschedule")
  void reschedule_anotherTime_isDelayedUntilThen() {
    JobId job = shown.enqueue("mail", "x");

    shown.open(job);
    chrome.click("Change it");
    chrome.fill("at", "2100-01-31T12:00:00Z");
    chrome.click("Reschedule");

    assertThat(chrome.text()).contains("2100-01-31 12:00:00");
    assertThat(job(job).visibleAt()).contains(Instant.parse("2100-01-31T12:00:00Z"));
    chrome.click("Change it");
    chrome.fill("at", "tomorrow");
    chrome.click("Reschedule");
    assertThat(notice())
        .startsWith("job.reschedule was not done: parameter is no instant")
        .contains("tomorrow");
  }

  @Test
  @Clicks("job.update")
  void priority_ofAWaitingJob_isSet() {
    JobId job = shown.enqueue("mail", "x");

    shown.open(job);
    chrome.click("Change it");
    chrome.fill("priority", "7");
    chrome.click("Set the priority");

    assertThat(chrome.texts(".facts dd")).contains("7, 1");
    assertThat(job(job).priority()).isEqualTo(7);
  }

  private JobId waiting(String signal) {
    JobId job = shown.enqueue("orders", "x");
    shown.claim("orders").waitFor(signal).orThrow();
    return job;
  }

  @Test
  @Clicks("job.signal")
  void signal_jobThatWaits_wakesItWithWhatCame() {
    JobId job = waiting("approval");

    shown.open(job);
    assertThat(chrome.text(".state")).isEqualTo("waiting");
    chrome.click("Send the signal, or give it up");
    assertThat(chrome.value("signal")).isEqualTo("approval");
    chrome.fill("payload", "yes");
    chrome.click("Send the signal");

    assertThat(notice()).isEqualTo("job.signal: woken");
    assertThat(shown.state(job)).isEqualTo(JobState.READY);
    String wake = String.valueOf(shown.claim("orders").wake());
    assertThat(wake).contains("approval");
  }

  @Test
  @Clicks("job.fail-stuck")
  void giveUp_jobThatWaitsForASignal_isADeadLetter() {
    JobId job = waiting("approval");

    shown.open(job);
    chrome.click("Send the signal, or give it up");
    chrome.fill("error", "nobody answers any more");
    chrome.click("Make it a dead letter");

    assertThat(notice()).isEqualTo("job.fail-stuck: failed");
    assertThat(chrome.text(".state")).isEqualTo("dead");
    assertThat(job(job).lastError()).contains("nobody answers any more");
  }
}
