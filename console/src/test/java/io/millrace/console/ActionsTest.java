package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.console.http.Response;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ActionsTest {

  private final ConsoleRig rig = new ConsoleRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private String act(String action, String form) {
    Response response = rig.post("/api/v1/actions/" + action, form);
    String text = ConsoleRig.text(response);
    assertThat(response.status()).as(text).isEqualTo(200);
    return text;
  }

  private String refused(int status, String action, String form) {
    Response response = rig.post("/api/v1/actions/" + action, form);
    String text = ConsoleRig.text(response);
    assertThat(response.status()).as(text).isEqualTo(status);
    return text;
  }

  private JobState state(JobId id) {
    return rig.engine.get(id).map(Job::state).orElseThrow();
  }

  /** Waits until a task is over, and returns what came of it. */
  private String task(String answer) {
    String number = answer.replaceAll("\\D", "");
    String text;
    do {
      text = ConsoleRig.text(rig.get("/api/v1/tasks/" + number));
    } while (text.contains("\"counting\"") || text.contains("\"changing\""));
    return text;
  }

  @Test
  void jobCancel_waitingJob_removesIt() {
    JobId job = rig.enqueue("mail", "x");

    assertThat(act("job.cancel", "id=" + job))
        .isEqualTo("{\"outcome\":\"CANCELLED\",\"isDone\":true}");
    assertThat(rig.engine.get(job)).isEmpty();
  }

  @Test
  void jobCancel_goneJob_isAConflictThatSaysSo() {
    JobId job = rig.enqueue("mail", "x");
    act("job.cancel", "id=" + job);

    assertThat(refused(409, "job.cancel", "id=" + job)).contains("\"isDone\":false");
  }

  @Test
  void jobRelease_runningJob_makesItReady() {
    JobId job = rig.enqueue("mail", "x");
    var lease = rig.engine.queue("mail").claim("worker-1", Duration.ofSeconds(30));

    act("job.release", "id=" + job);

    assertThat(lease).isPresent();
    assertThat(state(job)).isEqualTo(JobState.READY);
  }

  @Test
  void jobRedriveAndDelete_deadLetters_areReadyOrGone() {
    rig.enqueue("mail", "x");
    JobId first = rig.die("mail", "no");
    rig.enqueue("mail", "y");
    JobId second = rig.die("mail", "no");

    assertThat(act("job.redrive", "id=" + first)).contains("REDRIVEN");
    assertThat(act("job.delete", "id=" + second)).contains("DELETED");

    assertThat(state(first)).isEqualTo(JobState.READY);
    assertThat(rig.engine.get(second)).isEmpty();
    assertThat(refused(409, "job.redrive", "id=" + first)).contains("NOT_DEAD");
  }

  @Test
  void jobReschedule_waitingJob_isDelayedUntilThen() {
    JobId job = rig.enqueue("mail", "x");
    Instant at = Instant.parse("2100-01-31T12:00:00Z");

    act("job.reschedule", "id=" + job + "&at=" + at);

    assertThat(rig.engine.get(job).orElseThrow().visibleAt()).contains(at);
    assertThat(refused(400, "job.reschedule", "id=" + job + "&at=tomorrow")).contains("tomorrow");
  }

  @Test
  void jobUpdate_priorityAndPayload_areChanged() {
    JobId job = rig.enqueue("mail", "x");

    act("job.update", "id=" + job + "&priority=7&payload=new+text");

    Job changed = rig.engine.get(job).orElseThrow();
    assertThat(changed.priority()).isEqualTo(7);
    assertThat(new String(changed.payload(), StandardCharsets.UTF_8)).isEqualTo("new text");
    assertThat(refused(400, "job.update", "id=" + job + "&priority=200"))
        .contains("name=priority", "value=200", "most=127");
  }

  @Test
  void jobsCancel_byFilter_cancelsThoseAlone() {
    List<JobId> mails = new ArrayList<>();
    for (int i = 0; i < 1_200; i++) {
      mails.add(rig.enqueue("mail", "x"));
    }
    JobId other = rig.enqueue("other", "x");

    String task = task(act("jobs.cancel", "queueName=mail"));

    assertThat(task)
        .contains("\"stage\":\"done\"", "\"found\":1200", "\"changed\":1200")
        .contains("{\"CANCELLED\":1200}");
    assertThat(mails).allSatisfy(id -> assertThat(rig.engine.get(id)).isEmpty());
    assertThat(rig.engine.get(other)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "state=dead&queue=mail",
        "state=dead&queueName=&queueName=mail",
        "queueName=mail&tenant=&allTenants=no",
        "header=trace:+1&header=trace:+2"
      })
  void jobsDelete_byWhatWouldBePassedOver_isRefused(String filter) {
    rig.enqueue("other", "x");
    JobId dead = rig.die("other", "no such address");

    assertThat(refused(400, "jobs.delete", filter)).contains("error");

    assertThat(state(dead)).isEqualTo(JobState.DEAD);
  }

  @Test
  void jobsCancel_byAHeaderWithoutValue_leavesThoseWithoutIt() {
    JobId other = rig.enqueue("mail", "x");

    task(act("jobs.cancel", "queueName=mail&header.trace="));

    assertThat(state(other)).isEqualTo(JobState.READY);
  }

  @Test
  void jobsRedrive_groupOfDeadLetters_leavesTheOthersDead() {
    rig.enqueue("mail", "x", EnqueueOptions.DEFAULT.type("welcome"));
    JobId refusedOne = rig.die("mail", "connection refused");
    rig.enqueue("mail", "x", EnqueueOptions.DEFAULT.type("welcome"));
    JobId unknown = rig.die("mail", "no such address");

    task(act("jobs.redrive", "state=dead&queueName=mail&type=welcome&errorContains=refused"));

    assertThat(state(refusedOne)).isEqualTo(JobState.READY);
    assertThat(state(unknown)).isEqualTo(JobState.DEAD);
  }

  /** Returns the form of a button of a page, by the row that it is in. */
  private String form(String page, String row, String action) {
    String text = ConsoleRig.text(rig.get(page));
    int at = text.indexOf(row);
    assertThat(at).as(text).isNotNegative();
    Matcher link = Pattern.compile("/confirm\\?([^\"]*action=" + action + "[^\"]*)").matcher(text);
    assertThat(link.find(at)).isTrue();
    return link.group(1).replace("&amp;", "&");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\nat line 2", "   ", "timeout", "x+y & 100%"})
  void jobsDelete_groupOfDeadLetters_meansThoseThatItCountsAlone(String error) {
    List<JobId> others = new ArrayList<>();
    for (String other : List.of("timeout of the mail server", "a x+y & 100% b", "4   5")) {
      rig.enqueue("mail", "x");
      others.add(rig.die("mail", other));
    }
    rig.enqueue("mail", "x");
    JobId one = rig.die("mail", error);
    String line = error.lines().findFirst().orElse("");
    String shown = line.isEmpty() ? "(no error)" : line.replace("&", "&amp;");

    String form = form("/dead", "class=\"error\">" + shown + "</th>", "jobs.delete");
    String asked = ConsoleRig.text(rig.get("/confirm?" + form));
    String listed = ConsoleRig.text(rig.get("/jobs?" + form));
    task(act("jobs.delete", form));

    assertThat(asked).contains("<strong>1 jobs</strong>");
    assertThat(listed).contains(one.toString()).doesNotContain(others.get(0).toString());
    assertThat(rig.engine.get(one)).isEmpty();
    assertThat(others).allSatisfy(id -> assertThat(state(id)).isEqualTo(JobState.DEAD));
  }

  @Test
  void jobsDelete_queueWithOtherJobs_countsAndFindsDeadLettersAlone() {
    rig.enqueue("mail", "x");
    rig.die("mail", "no");
    rig.enqueue("mail", "y");

    String asked = ConsoleRig.text(rig.get("/confirm?action=jobs.delete&queueName=mail"));
    String task = task(act("jobs.delete", "queueName=mail"));

    assertThat(asked).contains("<strong>1 jobs</strong>");
    assertThat(task).contains("\"found\":1", "{\"DELETED\":1}");
    assertThat(refused(400, "jobs.delete", "queueName=mail&state=ready")).contains("READY");
  }

  @Test
  void jobsCancel_conditionOfBlanks_isACondition() {
    JobId job = rig.enqueue("mail", "x");

    task(act("jobs.cancel", "queueName=mail&uniqueKey=+"));

    assertThat(rig.engine.get(job)).isPresent();
  }

  @Test
  void jobsCancel_withoutAnyCondition_isRefused() {
    rig.enqueue("mail", "x");

    assertThat(refused(400, "jobs.cancel", "")).contains("all jobs");
    assertThat(refused(400, "jobs.cancel", "state=odd")).contains("odd");
  }

  @Test
  void confirm_saysHowManyJobsAreMeant() {
    for (int i = 0; i < 12; i++) {
      rig.enqueue("mail", "x");
    }

    String page = ConsoleRig.text(rig.get("/confirm?action=jobs.cancel&queueName=mail"));

    assertThat(page).contains("<strong>12 jobs</strong>", "Yes, do it");
  }

  @Test
  void queueActions_changeHowItIsServed() {
    rig.enqueue("mail", "x");
    QueueName mail = new QueueName("mail", "");

    act("queue.pause", "queueName=mail");
    QueueStats.Serving paused = rig.engine.stats(mail).orElseThrow().serving();
    act("queue.resume", "queueName=mail");
    act("queue.drain", "queueName=mail");
    QueueStats.Serving draining = rig.engine.stats(mail).orElseThrow().serving();
    act("queue.end-drain", "queueName=mail");

    assertThat(paused).isEqualTo(QueueStats.Serving.PAUSED);
    assertThat(draining).isEqualTo(QueueStats.Serving.DRAINING);
    assertThat(rig.engine.stats(mail).orElseThrow().serving()).isEqualTo(QueueStats.Serving.ON);
  }

  @Test
  void queuePurgeAndDelete_removeItsJobs() {
    rig.enqueue("mail", "x");
    rig.enqueue("mail", "x", EnqueueOptions.DEFAULT.delay(Duration.ofHours(1)));

    assertThat(act("queue.purge", "queueName=mail&state=ready")).contains("PURGED 1");
    assertThat(act("queue.delete", "queueName=mail")).contains("DELETED");

    assertThat(rig.engine.stats(new QueueName("mail", ""))).isEmpty();
    assertThat(refused(400, "queue.purge", "queueName=mail")).contains("name=state");
  }

  @Test
  void queueConfigure_setting_holdsFromNowOn() {
    act("queue.configure", "queueName=mail&key=perKey&value=3");

    assertThat(rig.engine.settings(new QueueName("mail", "")).texts()).containsEntry("perKey", "3");
    assertThat(refused(400, "queue.configure", "queueName=mail&key=odd&value=3")).contains("odd");
  }

  @Test
  void scheduleActions_pauseResumeAndRunIt() {
    Schedules schedules = Schedules.of(rig.engine);
    schedules.put(
        Schedule.cron("nightly", "0 3 * * *", ZoneOffset.UTC)
            .enqueue(JobType.of("reports", Codec.TEXT), "all"));

    act("schedule.pause", "schedule=nightly");
    boolean wasPaused = schedules.get("nightly").orElseThrow().isPaused();
    act("schedule.resume", "schedule=nightly");
    String run = act("schedule.run", "schedule=nightly");

    assertThat(wasPaused).isTrue();
    assertThat(schedules.get("nightly").orElseThrow().isPaused()).isFalse();
    assertThat(run).contains("JOB ");
    assertThat(refused(409, "schedule.run", "schedule=none")).contains("NOT THERE");
  }

  @Test
  void batchCancel_cancelsItsJobs() {
    var batch =
        Batch.of("import")
            .add(new QueueName("rows", ""), NewJob.of(new byte[] {1}))
            .start(rig.engine);

    act("batch.cancel", "batch=" + batch);

    assertThat(rig.engine.batches().get(batch).orElseThrow().isCancelled()).isTrue();
  }

  @Test
  void engineBackup_intoAFolder_hasTheJobs(@TempDir Path folder) {
    Path copy = folder.resolve("copy");
    JobId job;
    try (ConsoleRig onDisk = new ConsoleRig(JobEngine.open("lmdb:" + folder.resolve("store")))) {
      job = onDisk.enqueue("mail", "x");
      Response response = onDisk.post("/api/v1/actions/engine.backup", "folder=" + copy);
      assertThat(ConsoleRig.text(response)).contains("BACKED UP");
    }

    try (JobReader reader = JobEngine.inspect("lmdb:" + copy)) {
      assertThat(reader.get(job)).isPresent();
    }
  }

  @Test
  void unknownAction_isNotFound() {
    assertThat(refused(404, "job.explode", "id=1")).contains("job.explode");
    assertThat(refused(400, "job.cancel", "")).contains("name=id");
    assertThat(refused(400, "job.cancel", "id=7")).contains("id");
  }
}
