package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Actions on many jobs: they are counted first, and go on as tasks. */
class ManyJobsInBrowserTest extends BrowserTest {

  private final Shown shown = show().enter();

  private void openJobsOf(String queue) {
    shown.open("/jobs");
    chrome.fill("queueName", queue);
    chrome.enter("queueName");
  }

  /** Says yes, and waits until the task is over, whose page shows it by itself. */
  private void doIt() {
    chrome.click("Yes, do it");
    assertThat(chrome.heading()).startsWith("Task ");
    awaitStage("done");
  }

  private void awaitStage(String stage) {
    chrome.await("the task's end", () -> chrome.text("#task [role=status]").startsWith(stage));
  }

  @Test
  @Clicks("jobs.cancel")
  void cancel_jobsOfAFilter_countsThemFirstAndLeavesOthers() {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 1_234; i++) {
      jobs.add(NewJob.of(new byte[] {1}));
    }
    shown.engine.queue("mail").enqueueAll(jobs);
    JobId other = shown.enqueue("other", "x");

    shown.open("/jobs");
    assertThat(chrome.hasClickable("Cancel all…")).as("nobody means all jobs").isFalse();
    openJobsOf("mail");
    chrome.click("Cancel all…");
    assertThat(chrome.text("main strong")).isEqualTo("1,234 jobs");
    assertThat(shown.engine.stats(QueueName.of("mail")).orElseThrow().count(JobState.READY))
        .isEqualTo(1_234);
    doIt();

    assertThat(chrome.text("#task")).contains("done: 1,234 of 1,234 jobs", "cancelled: 1,234");
    assertThat(chrome.hasClickable("Stop")).isFalse();
    assertThat(shown.state(other)).isEqualTo(JobState.READY);
    openJobsOf("mail");
    assertThat(chrome.text()).contains("There are no such jobs.");
    chrome.click("Tasks");
    assertThat(chrome.text("tbody tr")).contains("jobs.cancel", "1,234 of 1,234");
  }

  @Test
  @Clicks("jobs.release")
  void release_jobsOfAQueue_areReady() {
    shown.enqueue("mail", "x");
    Lease lease = shown.claim("mail");
    assertThat(lease.extend(Shown.LEASE).isDone()).isTrue();

    openJobsOf("mail");
    chrome.click("Release all…");
    assertThat(chrome.text("main strong")).isEqualTo("1 jobs");
    doIt();

    assertThat(shown.state(lease.jobId())).isEqualTo(JobState.READY);
  }

  @Test
  @Clicks({"jobs.redrive", "jobs.delete"})
  void groupsOfDeadLetters_oneIsRedrivenAndOneDeleted_andTheThirdStays() {
    for (int i = 0; i < 3; i++) {
      shown.dead("mail", "connection refused\nattempt " + i);
    }
    shown.dead("mail", "no such address");
    shown.dead("mail", "no such address at all");

    shown.open("/dead");
    assertThat(chrome.texts("tbody tr"))
        .hasSize(3)
        .first()
        .asString()
        .startsWith("3\tmail\t")
        .contains("connection refused")
        .doesNotContain("attempt");
    chrome.clickInRow("connection refused", "Redrive…");
    assertThat(chrome.text("main strong")).isEqualTo("3 jobs");
    doIt();
    assertThat(chrome.text("#task")).contains("redriven: 3");
    shown.open("/dead");
    assertThat(chrome.texts("tbody tr")).hasSize(2);
    chrome.click("1"); // the jobs of the first group
    assertThat(chrome.heading()).isEqualTo("Jobs");
    assertThat(chrome.texts("tbody tr")).hasSize(1);
    chrome.click("Delete dead letters…");
    assertThat(chrome.text("main strong")).isEqualTo("1 jobs");
    doIt();

    shown.open("/dead");
    assertThat(chrome.texts("tbody tr")).hasSize(1);
    assertThat(shown.engine.list(JobFilter.ALL, PageRequest.first(100)).items())
        .hasSize(4)
        .filteredOn(job -> job.state() == JobState.DEAD)
        .hasSize(1);
  }

  @Test
  @Clicks("task.stop")
  void stop_taskOfManyJobs_endsAndSaysHowFarItCame() {
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      jobs.add(new NewJob(new byte[] {1}, EnqueueOptions.DEFAULT));
    }
    for (int i = 0; i < 12; i++) {
      shown.engine.queue("mail").enqueueAll(jobs);
    }

    openJobsOf("mail");
    chrome.click("Cancel all…");
    assertThat(chrome.text("main strong").replace("At least ", "")).isEqualTo("10,000 jobs");
    chrome.click("Yes, do it");
    chrome.click("Stop");

    awaitStage("stopped");
    long left = shown.engine.stats(QueueName.of("mail")).orElseThrow().count(JobState.READY);
    assertThat(left).isPositive();
    assertThat(chrome.text("#task")).contains("of ");
  }
}
