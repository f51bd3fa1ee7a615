package io.millrace.engine.jmx;

import static io.millrace.describe.OpenData.read;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.LeasedQueue;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.describe.Descriptions;
import io.millrace.describe.SettingsTexts;
import io.millrace.engine.JobEngine;
import io.millrace.management.JobEngineMBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator does by JMX to queues and jobs that work goes on with. */
class EngineMBeanActsTest {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final QueueName MAIL_OF_ACME = new QueueName("mail", "acme");
  private static final String NO_JOB = "0".repeat(32);

  private JobEngine engine;
  private JobEngineMBean bean;
  private JobQueue mail;

  @BeforeEach
  void open() throws JMException {
    engine = JobEngine.open("memory:acts", EngineOptions.DEFAULT.name("acts"));
    mail = engine.queue("mail", "acme");
    ObjectName name = new ObjectName("io.millrace:type=JobEngine,name=\"acts\"");
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!SERVER.isRegistered(name) && System.nanoTime() - endNs < 0) {
      Thread.onSpinWait();
    }
    bean = JMX.newMBeanProxy(SERVER, name, JobEngineMBean.class);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void jobsThatMeetConditions_areCountedChangedRescheduledCancelledAndRedriven() {
    Map<String, String> ofMail = Map.of("queueName", "mail", "states", "READY,DELAYED");
    for (int i = 0; i < 450; i++) {
      mail.enqueue(new byte[1]);
    }
    mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.priority(127));
    Lease held = mail.claim("w1", ofMinutes(1)).orElseThrow();
    JobId other = engine.queue("bill").enqueue(new byte[1]).jobId();

    assertThat(bean.countJobs(ofMail)).isEqualTo(450);
    assertThat(bean.updateJobs(ofMail, Map.of("priority", "3"), null, null))
        .containsExactly(Map.entry("UPDATED", 450L));
    long laterMs = engine.now().plus(ofDays(1)).toEpochMilli();
    assertThat(bean.rescheduleJobs(ofMail, laterMs))
        .containsExactly(Map.entry("RESCHEDULED", 450L));
    assertThat(mail.peek(JobState.DELAYED, PageRequest.first(1)).items().get(0).priority())
        .isEqualTo(3);
    assertThat(bean.cancelJobs(Map.of("queueName", "mail"), true))
        .containsExactly(Map.entry("CANCELLED", 450L), Map.entry("RUNNING", 1L));
    held.fail("broken", FailOptions.PERMANENT).orThrow();
    assertThat(bean.redriveJobs(Map.of("errorContains", "broken"), "KEEP")).isOne();
    assertThat(bean.countJobs(ofMail)).isOne();
    assertThat(bean.cancelJobs(ofMail, false)).containsExactly(Map.entry("CANCELLED", 1L));
    assertThat(engine.get(other)).isPresent();
    assertThatThrownBy(() -> bean.cancelJobs(Map.of(), false))
        .hasMessageContaining("filter is met by all jobs")
        .hasMessageContaining("say a condition");
  }

  @Test
  void pauseAndResume_always_stopAndStartClaims() {
    mail.enqueue(new byte[1]);

    bean.pause("mail", "acme");
    QueueStats.Serving paused = queue("acme").serving();
    boolean isServed = mail.claim("w1", ofSeconds(10)).isPresent();
    bean.resume("mail", "acme");

    assertThat(paused).isEqualTo(QueueStats.Serving.PAUSED);
    assertThat(isServed).isFalse();
    assertThat(mail.claim("w1", ofSeconds(10))).isPresent();
  }

  @Test
  void queueLeases_ofAWorker_areShownAndEnded() {
    engine.queue("mail").enqueue(new byte[0]);
    QueueLease lease = engine.leaseQueue(QueueName.of("mail"), "w1").orThrow();

    LeasedQueue shown = read(Descriptions.QUEUE_LEASE, bean.queueLeases()[0]);
    Optional<LeasedQueue> ofQueue = queue("").leasedBy();
    Object countBefore = bean.getMetrics().get("queueLeaseCount");
    boolean wasEnded = bean.endQueueLease("mail", "");

    assertThat(shown.queue()).isEqualTo(QueueName.of("mail"));
    assertThat(shown.worker()).isEqualTo("w1");
    assertThat(Duration.between(shown.since(), shown.until()))
        .isBetween(ofSeconds(4), ofSeconds(65));
    assertThat(ofQueue.map(LeasedQueue::worker)).contains("w1");
    assertThat(countBefore).isEqualTo(1);
    assertThat(wasEnded).isTrue();
    assertThat(bean.queueLeases()).isEmpty();
    assertThat(queue("").leasedBy()).isEmpty();
    assertThat(lease.claim(1, Duration.ZERO).isDone()).isFalse();
    assertThat(bean.endQueueLease("mail", "")).isFalse();
  }

  @Test
  void drain_untilEmpty_refusesEnqueuesUntilItEnds() {
    mail.enqueue(new byte[1]);

    String draining = bean.drain("mail", "acme", 0);
    EnqueueResult refused = mail.offer(new byte[1], EnqueueOptions.DEFAULT);
    mail.claim("w1", ofSeconds(10)).orElseThrow().complete().orThrow();
    String empty = bean.drain("mail", "acme", 10_000);
    bean.endDrain("mail", "acme");

    assertThat(draining).isEqualTo("DRAINING");
    assertThat(refused).isInstanceOf(EnqueueResult.Draining.class);
    assertThat(empty).isEqualTo("EMPTY");
    assertThat(mail.enqueue(new byte[1]).jobId()).isNotNull();
  }

  @Test
  void purgeAndDelete_always_removeWhatIsMeant() {
    mail.enqueue(new byte[1]);
    mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.delay(ofDays(1)));
    mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.delay(ofDays(1)));

    assertThat(bean.purge("mail", "acme", List.of("delayed"))).isEqualTo(2);
    assertThat(mail.stats().orElseThrow().count(JobState.READY)).isEqualTo(1);
    assertThat(bean.deleteQueue("mail", "acme")).isTrue();
    assertThat(bean.deleteQueue("mail", "acme")).isFalse();
    assertThat(mail.stats()).isEmpty();
  }

  @Test
  void purge_wrongStates_isRefusedWithWhatThereIs() {
    assertThatThrownBy(() -> bean.purge("mail", "acme", List.of("old")))
        .hasMessageStartingWith("state is unknown: value=\"old\", known=[READY, ");
    assertThatThrownBy(() -> bean.purge("mail", "acme", List.of("leased")))
        .hasMessage(
            "leased jobs cannot be purged: states=[LEASED]; leave out LEASED, or delete the queue");
  }

  @Test
  void configure_ofAQueueAndOfItsName_tellsWhatHoldsAndWhatIsInherited() {
    SettingsTexts ofName =
        settings(bean.configureName("mail", Map.of("leaseDuration", "PT1M", "depthMax", "1000")));
    SettingsTexts ofQueue =
        settings(
            bean.configure(
                "mail", "acme", Map.of("maxAttempts", "3", "backoff", "fixed delay=PT5S")));
    SettingsTexts back = settings(bean.configure("mail", "acme", Map.of("maxAttempts", "inherit")));

    assertThat(ofName.inherited())
        .containsExactly(
            "expiry",
            "maxAttempts",
            "backoff",
            "resultRetention",
            "deadRetention",
            "perKey",
            "keyOrder",
            "rateLimit",
            "rateLimitPerKey",
            "share");
    assertThat(ofQueue.values())
        .containsEntry("leaseDuration", "PT1M")
        .containsEntry("depthMax", "1000")
        .containsEntry("maxAttempts", "3")
        .containsEntry("backoff", "linear initial=PT5S step=PT0S max=PT5S jitter=0.0");
    assertThat(ofQueue.inherited()).contains("leaseDuration").doesNotContain("maxAttempts");
    assertThat(back.values()).containsEntry("maxAttempts", "20");
    assertThat(settings(bean.settings("mail", "acme")).inherited()).hasSize(12);
    assertThat(settings(bean.nameSettings("mail")).values()).isEqualTo(ofName.values());
    assertThat(mail.settings().leaseDuration()).isEqualTo(ofMinutes(1));
  }

  @Test
  void configure_wrongKeyOrValue_namesBothAndWhatIsAllowed() {
    assertThatThrownBy(() -> bean.configure("mail", "acme", Map.of("lease", "PT1M")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("setting is unknown: key=\"lease\", known=[leaseDuration, ");
    assertThatThrownBy(() -> bean.configureName("mail", Map.of("depthMax", "-1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "setting has a wrong value: key=\"depthMax\", value=\"-1\", allowed=a number of jobs");
    assertThat(mail.stats()).isEmpty();
  }

  @Test
  void cancel_waitingAndLeasedJobs_isAnsweredAsByTheApi() {
    JobId waiting = mail.enqueue(new byte[1]).jobId();
    JobId first = mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.priority(1)).jobId();
    Lease lease = mail.claim("w1", ofSeconds(10)).orElseThrow();

    assertThat(lease.jobId()).isEqualTo(first);
    assertThat(bean.cancelIfWaiting(first.toString())).isEqualTo("RUNNING");
    assertThat(bean.cancel(first.toString())).isEqualTo("REQUESTED");
    assertThat(bean.cancelIfWaiting(waiting.toString())).isEqualTo("CANCELLED");
    assertThat(bean.cancel(NO_JOB)).isEqualTo("GONE");
  }

  @Test
  void cancelBatch_withAJobThatRuns_isAnsweredAsByTheApi() {
    NewJob job = NewJob.of(new byte[1]);
    BatchId batch = Batch.of("import").add(MAIL_OF_ACME, job).add(MAIL_OF_ACME, job).open(engine);
    assertThat(mail.claim("w1", ofSeconds(10))).isPresent();

    assertThat(bean.cancelBatch(batch.toString()))
        .containsExactly(Map.entry("CANCELLED", 1L), Map.entry("REQUESTED", 1L));
    assertThat(engine.batches().get(batch).orElseThrow().isCancelled()).isTrue();
    assertThatThrownBy(() -> bean.cancelBatch("0".repeat(15) + "1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("NoSuchBatchException: batch is not there: id=0000000000000001");
    assertThatThrownBy(() -> bean.cancelBatch("12")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void release_runningWaitingAndUnknownJobs_isAnsweredAsByTheApi() {
    JobId waiting = mail.enqueue(new byte[1]).jobId();
    mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.priority(1));
    Lease lease = mail.claim("w1", ofSeconds(10)).orElseThrow();

    assertThat(bean.release(lease.jobId().toString())).isEqualTo("RELEASED");
    assertThat(lease.complete()).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(bean.release(waiting.toString())).isEqualTo("NOT_RUNNING");
    assertThat(bean.release(NO_JOB)).isEqualTo("GONE");
    assertThatThrownBy(() -> bean.release("12"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("text is not a job id: value=\"12\", expected 32 hexadecimal digits");
  }

  @Test
  void releaseJobs_thatMeetConditions_releasesThoseThatRun() {
    for (int i = 0; i < 3; i++) {
      mail.enqueue(new byte[1]);
    }
    List<Lease> held = mail.claim(ClaimOptions.by("w1").max(2));
    mail.enqueue(new byte[1]);

    assertThat(bean.releaseJobs(Map.of("queueName", "mail")))
        .containsExactly(Map.entry("NOT_RUNNING", 2L), Map.entry("RELEASED", 2L));
    assertThat(held).extracting(Lease::complete).containsOnly(CompleteResult.STALE_LEASE);
    assertThatThrownBy(() -> bean.releaseJobs(Map.of()))
        .hasMessageContaining("filter is met by all jobs");
  }

  @Test
  void rescheduleAndUpdate_waitingJob_changeWhatIsNamed() {
    JobId id = mail.enqueue("a".getBytes(), EnqueueOptions.DEFAULT.header("k", "v")).jobId();
    long laterMs = Instant.now().plus(ofDays(1)).toEpochMilli();

    assertThat(bean.reschedule(id.toString(), laterMs)).isEqualTo("RESCHEDULED");
    Map<String, String> changes =
        Map.of(
            "priority",
            "9",
            "maxAttempts",
            "4",
            "backoff",
            "fixed delay=PT5S",
            "leaseDuration",
            "PT2M");
    assertThat(bean.update(id.toString(), changes, null, null)).isEqualTo("UPDATED");
    Job numbers = engine.get(id).orElseThrow();
    assertThat(bean.update(id.toString(), Map.of("weight", "2"), new byte[] {5}, Map.of("x", "y")))
        .isEqualTo("UPDATED");
    Job all = engine.get(id).orElseThrow();

    assertThat(numbers.visibleAt().orElseThrow().toEpochMilli()).isEqualTo(laterMs);
    assertThat(numbers.priority()).isEqualTo(9);
    assertThat(numbers.maxAttempts()).isEqualTo(4);
    assertThat(numbers.backoff()).isEqualTo(Backoff.fixed(ofSeconds(5)));
    assertThat(numbers.payload()).isEqualTo("a".getBytes());
    assertThat(numbers.headers()).isEqualTo(Map.of("k", "v"));
    assertThat(all.priority()).isEqualTo(9);
    assertThat(all.weight()).isEqualTo(2);
    assertThat(all.payload()).containsExactly(5);
    assertThat(all.headers()).isEqualTo(Map.of("x", "y"));
    assertThat(bean.update(NO_JOB, Map.of(), null, null)).isEqualTo("GONE");
    assertThat(bean.reschedule(NO_JOB, laterMs)).isEqualTo("GONE");
  }

  @Test
  void update_wrongChanges_isRefusedWithWhatIsAllowed() {
    assertThatThrownBy(() -> bean.update(NO_JOB, Map.of("size", "1"), null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "change is unknown: key=\"size\","
                + " known=[priority, weight, maxAttempts, backoff, leaseDuration]");
    assertThatThrownBy(() -> bean.update(NO_JOB, Map.of("priority", "128"), null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "change has a wrong value: key=\"priority\", value=\"128\", allowed=a number from"
                + " -128 to 127; reason=priority is out of range: value=128, least=-128, most=127");
  }

  @Test
  void redrive_keepingOrClearing_decidesOnTheCheckpoint() {
    JobId kept = dieWithCheckpoint();
    JobId cleared = dieWithCheckpoint();
    JobId clearedToo = dieWithCheckpoint();

    assertThat(bean.redrive(kept.toString(), "keep")).isEqualTo("REDRIVEN");
    assertThat(bean.redrive(cleared.toString(), "CLEAR")).isEqualTo("REDRIVEN");
    assertThat(bean.redriveAll("mail", "acme", null, 0, "CLEAR")).isEqualTo(1);

    assertThat(engine.get(kept).orElseThrow().checkpointed()).isPresent();
    assertThat(engine.get(cleared).orElseThrow().checkpointed()).isEmpty();
    assertThat(engine.get(clearedToo).orElseThrow().checkpointed()).isEmpty();
    assertThatThrownBy(() -> bean.redrive(kept.toString(), "drop"))
        .hasMessage("checkpointed is unknown: value=\"drop\", known=[KEEP, CLEAR]");
  }

  @Test
  void reopen_engineThatIsUp_leavesItSo() {
    bean.reopen();

    assertThat(bean.getHealth().get("status")).isEqualTo("UP");
  }

  private QueueStats queue(String tenant) {
    return read(Descriptions.QUEUE, Objects.requireNonNull(bean.queue("mail", tenant)));
  }

  private static SettingsTexts settings(CompositeData told) {
    return read(Descriptions.SETTINGS, told);
  }

  private JobId dieWithCheckpoint() {
    JobId id = mail.enqueue(new byte[1]).jobId();
    Lease lease = mail.claim("w1", ofSeconds(10)).orElseThrow();
    lease.checkpoint(new byte[] {1}).orThrow();
    lease.fail("no", FailOptions.PERMANENT).orThrow();
    return id;
  }
}
