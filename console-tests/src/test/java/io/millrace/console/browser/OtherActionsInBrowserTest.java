package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Serving;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherActionsInBrowserTest extends BrowserTest {

  private static final QueueName MAIL = QueueName.of("mail");

  private final Shown shown = show().enter();

  private String notice() {
    return chrome.text("[role=status]");
  }

  private Serving serving() {
    return shown.engine.stats(MAIL).orElseThrow().serving();
  }

  private long count(String queue, JobState state) {
    return shown.engine.stats(QueueName.of(queue)).orElseThrow().count(state);
  }

  private void openQueue() {
    shown.open("/queues");
    chrome.click("mail");
    assertThat(chrome.heading()).isEqualTo("Queue mail");
  }

  @Test
  @Clicks({"queue.pause", "queue.resume"})
  void pauseAndResume_queue_servesNoClaimsMeanwhile() {
    shown.enqueue("mail", "x");

    openQueue();
    chrome.click("Pause");
    assertThat(chrome.text()).contains("Serving: paused");
    assertThat(serving()).isEqualTo(Serving.PAUSED);
    assertThat(shown.engine.queue("mail").claim("worker-1", Shown.LEASE)).isEmpty();
    chrome.click("Resume");

    assertThat(chrome.text()).contains("Serving: on");
    assertThat(shown.claim("mail").attempt()).isEqualTo(1);
  }

  @Test
  @Clicks({"queue.drain", "queue.end-drain"})
  void refuseAndTake_enqueues_areRefusedMeanwhile() {
    shown.enqueue("mail", "x");

    openQueue();
    chrome.click("Refuse enqueues");
    assertThat(chrome.text()).contains("Serving: draining");
    EnqueueResult refused =
        shown.engine.queue("mail").offer(new byte[] {1}, EnqueueOptions.DEFAULT);
    chrome.click("Take enqueues");

    assertThat(refused.isDone()).isFalse();
    assertThat(serving()).isEqualTo(Serving.ON);
  }

  @Test
  @Clicks("queue.purge")
  void purge_jobsOfAState_leavesOthers() {
    shown.enqueue("mail", "x");
    shown.enqueue("mail", "y");
    shown.enqueue("mail", "z", EnqueueOptions.DEFAULT.delay(Duration.ofHours(1)));

    openQueue();
    chrome.clickInRow("ready", "Purge…");
    assertThat(chrome.texts(".facts dd")).contains("mail", "ready");
    chrome.click("Yes, do it");

    assertThat(notice()).isEqualTo("queue.purge: purged 2");
    assertThat(count("mail", JobState.READY)).isZero();
    assertThat(count("mail", JobState.DELAYED)).isEqualTo(1);
  }

  @Test
  @Clicks("queue.configure")
  void setting_newValue_holdsAndWrongOneIsRefusedInASentence() {
    shown.enqueue("mail", "x");

    openQueue();
    chrome.fillInRow("perKey", "value", "3");
    chrome.clickInRow("perKey", "Set");
    assertThat(notice()).isEqualTo("queue.configure: configured");
    assertThat(shown.engine.settings(MAIL).texts()).containsEntry("perKey", "3");
    assertThat(chrome.text()).contains("this queue");

    chrome.fillInRow("perKey", "value", "many");
    chrome.clickInRow("perKey", "Set");
    assertThat(notice()).startsWith("queue.configure was not done: ").contains("many");
    assertThat(shown.engine.settings(MAIL).texts()).containsEntry("perKey", "3");
  }

  @Test
  @Clicks("queue.delete")
  void delete_queue_isGone() {
    shown.enqueue("mail", "x");

    openQueue();
    chrome.click("Delete…");
    chrome.click("Yes, do it");

    assertThat(chrome.heading()).isEqualTo("Queues");
    assertThat(chrome.text()).contains("queue.delete: deleted", "There are no queues.");
    assertThat(shown.engine.stats(MAIL)).isEmpty();
  }

  @Test
  @Clicks({"schedule.pause", "schedule.resume", "schedule.run"})
  void schedule_pauseResumeAndRunNow() {
    Schedules schedules = Schedules.of(shown.engine);
    schedules.put(
        Schedule.cron("nightly", "0 3 * * *", ZoneOffset.UTC)
            .enqueue(JobType.of("reports", Codec.TEXT), "all"));

    shown.open("/schedules");
    chrome.clickInRow("nightly", "Pause");
    assertThat(schedules.get("nightly").orElseThrow().isPaused()).isTrue();
    assertThat(chrome.text("main td:nth-child(4)")).isEqualTo("paused");
    chrome.clickInRow("nightly", "Resume");
    assertThat(schedules.get("nightly").orElseThrow().isPaused()).isFalse();
    assertThat(chrome.text("main td:nth-child(4)")).contains(" 03:00:00");
    chrome.clickInRow("nightly", "Run now");

    assertThat(notice()).startsWith("schedule.run: job ");
    assertThat(count("reports", JobState.READY)).isEqualTo(1);
  }

  @Test
  @Clicks("batch.cancel")
  void cancel_batch_cancelsItsJobs() {
    BatchId batch =
        Batch.of("import")
            .add(QueueName.of("rows"), NewJob.of(new byte[] {1}))
            .add(QueueName.of("rows"), NewJob.of(new byte[] {2}))
            .start(shown.engine);

    shown.open("/batches");
    chrome.click(batch.toString());
    chrome.click("Cancel…");
    chrome.click("Yes, do it");

    assertThat(chrome.heading()).isEqualTo("Batch " + batch);
    assertThat(notice()).startsWith("batch.cancel: jobs ");
    assertThat(shown.engine.batches().get(batch).orElseThrow().isCancelled()).isTrue();
    assertThat(chrome.hasClickable("Cancel…")).isFalse();
  }

  @Test
  @Clicks("engine.backup")
  void backup_engineOnADisk_makesACopyAndSaysWhyNotAgain(@TempDir Path folder) {
    Path copy = folder.resolve("copy");
    Shown onDisk = show(JobEngine.open("lmdb:" + folder.resolve("store")));
    var job = onDisk.enqueue("mail", "x");

    onDisk.enter();
    onDisk.open("/store");
    assertThat(chrome.text()).contains("The engine is up");
    chrome.fill("folder", copy.toString());
    chrome.click("Back up");
    assertThat(notice()).isEqualTo("engine.backup: backed up");
    try (JobReader reader = JobEngine.inspect("lmdb:" + copy)) {
      assertThat(reader.get(job)).isPresent();
    }
    chrome.fill("folder", copy.toString());
    chrome.click("Back up");
    assertThat(notice()).startsWith("engine.backup has failed: ").contains(copy.toString());
  }

  @Test
  void verify_wholeStore_saysThatNothingIsWrong() {
    shown.enqueue("mail", "x");

    shown.open("/store");
    chrome.click("Verify all rows");

    assertThat(notice()).isEqualTo("1 queues and 1 jobs: nothing is wrong.");
  }
}
