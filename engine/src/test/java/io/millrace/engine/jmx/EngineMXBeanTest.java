package io.millrace.engine.jmx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.RateLimit;
import io.millrace.api.Table;
import io.millrace.api.TableRow;
import io.millrace.engine.JobEngine;
import io.millrace.management.BackoffSnapshot;
import io.millrace.management.ExplanationSnapshot;
import io.millrace.management.JobEngineMXBean;
import io.millrace.management.JobPage;
import io.millrace.management.JobSnapshot;
import io.millrace.management.MetricsSnapshot;
import io.millrace.management.QueueLabel;
import io.millrace.management.QueueSnapshot;
import io.millrace.management.ReasonSnapshot;
import io.millrace.management.TableRowPage;
import io.millrace.management.VerifySnapshot;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EngineMXBeanTest {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private JobEngine engine;
  private JobEngineMXBean bean;

  @BeforeEach
  void open() throws JMException {
    engine = JobEngine.open("memory:mxbean", EngineOptions.DEFAULT.name("bean, \"test\"\n"));
    bean = bean(awaitNames(1).iterator().next());
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void attributes_always_nameTheEngineAndItsStore() {
    assertThat(bean.getName()).isEqualTo("bean, \"test\"\n");
    assertThat(bean.getStoreKind()).isEqualTo("memory");
    assertThat(bean.getStoreFolder()).isEqualTo("mxbean");
    assertThat(bean.getHealth().getStatus()).isEqualTo("UP");
    assertThat(bean.getHealth().getLastError()).isNull();
    assertThat(bean.getHealth().getLastErrorAtMs()).isNull();
    assertThat(bean.getHealth().getWarnings()).isEmpty();
  }

  @Test
  void metrics_afterOperations_areThoseOfTheEngine() {
    engine.queue("mail").enqueue(new byte[0]);
    engine.queue("mail").claim("w1", ofSeconds(10)).orElseThrow().complete();

    MetricsSnapshot metrics = bean.getMetrics();

    assertThat(metrics.getOperations()).containsEntry("COMPLETED", 1L).containsEntry("DIED", 0L);
    assertThat(metrics.getGroupRequests().getSinceOpening().getCount())
        .isEqualTo(engine.metrics().groupRequests().sinceOpening().count());
    assertThat(metrics.getCommitNs().getRecent().getMax()).isPositive();
    assertThat(metrics.getOldestReaderAgeMs()).isNull();
    assertThat(metrics.getLeaseCount()).isZero();
    assertThat(metrics.getHealth().getStatus()).isEqualTo("UP");
  }

  @Test
  void tables_theirRowsAndTheirEnd_areShown() {
    Table<String, String> stock = engine.table("stock", Codec.TEXT, Codec.TEXT);
    stock.putAll(List.of(new TableRow<>("tea", "12"), new TableRow<>("coffee", "40")));

    assertThat(bean.tables(null).getNames()).containsExactly("stock");
    assertThat(bean.tables(null).getNext()).isNull();
    TableRowPage rows = bean.tableRows("stock", Codec.TEXT.encode("t"), null);
    assertThat(rows.getRows()).hasSize(1);
    assertThat(rows.getNext()).isNull();
    assertThat(rows.getRows().get(0).getKey()).isEqualTo(Codec.TEXT.encode("tea"));
    assertThat(rows.getRows().get(0).getValue()).isEqualTo(Codec.TEXT.encode("12"));
    assertThat(bean.dropTable("stock")).isTrue();
    assertThat(bean.dropTable("stock")).isFalse();
    assertThat(bean.tables(null).getNames()).isEmpty();
    assertThat(bean.getMetrics().getTableRowsPut()).isEqualTo(2);
    assertThat(bean.getMetrics().getTableRowsDeleted()).isZero();
  }

  @Test
  void attributes_withoutOurClasses_areOpenData() throws JMException {
    ObjectName name = awaitNames(1).iterator().next();

    CompositeData metrics = (CompositeData) SERVER.getAttribute(name, "Metrics");

    assertThat(metrics.get("ringSize")).isEqualTo(65_536);
    assertThat(((CompositeData) metrics.get("health")).get("status")).isEqualTo("UP");
  }

  @Test
  void queues_andTheirCounts_areListedPageByPage() {
    for (int i = 0; i <= JobEngineMXBean.QUEUE_PAGE_SIZE; i++) {
      engine.queue("q", "t%03d".formatted(i)).enqueue(new byte[0]);
    }

    List<QueueLabel> first = bean.queues(null).getQueues();
    String next = bean.queues(null).getNext();
    QueueSnapshot queue = bean.queue("q", "t007");

    assertThat(first).hasSize(JobEngineMXBean.QUEUE_PAGE_SIZE);
    assertThat(first.get(0).getName()).isEqualTo("q");
    assertThat(bean.queues(next).getQueues())
        .singleElement()
        .extracting(QueueLabel::getTenant)
        .isEqualTo("t200");
    assertThat(queue.getCounts()).containsEntry("READY", 1L).containsEntry("DEAD", 0L);
    assertThat(queue.getTotals()).containsEntry("ENQUEUED", 1L);
    assertThat(queue.getOldestReadyAgeMs()).isNotNegative();
    assertThat(queue.getServing()).isEqualTo("ON");
    assertThat(bean.queue("q", "nobody")).isNull();
  }

  @Test
  void job_leasedWithEverything_isToldWhole() {
    JobQueue mail = engine.queue("mail", "acme");
    JobId id =
        mail.enqueue(
                new byte[] {1, -1},
                EnqueueOptions.DEFAULT
                    .priority(3)
                    .headers(Map.of("to", "a\tb"))
                    .backoff(Backoff.list(ofSeconds(1), ofSeconds(5))))
            .jobId();
    mail.claim("w1", ofSeconds(10));
    engine.queue("other").enqueue("the lease's record is written with it".getBytes(UTF_8));

    JobSnapshot job = bean.job(id.toString());

    assertThat(job.getQueue()).isEqualTo("mail");
    assertThat(job.getTenant()).isEqualTo("acme");
    assertThat(job.getState()).isEqualTo("LEASED");
    assertThat(job.getPayload()).containsExactly(1, -1);
    assertThat(job.getHeaders()).isEqualTo(Map.of("to", "a\tb"));
    assertThat(job.getPriority()).isEqualTo(3);
    assertThat(job.getBackoff().getKind()).isEqualTo("Custom");
    assertThat(job.getBackoff().getDelaysMs()).containsExactly(1_000, 5_000);
    assertThat(job.getBackoff().getMaxMs()).isNull();
    assertThat(job.getLease().getWorker()).isEqualTo("w1");
    assertThat(job.getVisibleAtMs()).isNull();
    assertThat(bean.job("0".repeat(32))).isNull();
  }

  @Test
  void explain_jobsThatWaitAndRun_areToldWithTheirReasons() {
    JobQueue mail = engine.queue("mail", "acme");
    JobId running = mail.enqueue(new byte[0]).jobId();
    mail.claim("w1", ofSeconds(10));
    JobId delayed =
        mail.enqueue(new byte[0], EnqueueOptions.DEFAULT.delay(ofSeconds(1_000))).jobId();
    mail.pause();

    ExplanationSnapshot waits = bean.explain(delayed.toString());

    assertThat(bean.explain(running.toString()).getState()).isEqualTo("LEASED");
    assertThat(bean.explain(running.toString()).getEarliestMs()).isNull();
    assertThat(waits.getId()).isEqualTo(delayed.toString());
    assertThat(waits.getQueue()).isEqualTo("mail");
    assertThat(waits.getTenant()).isEqualTo("acme");
    assertThat(waits.getState()).isEqualTo("DELAYED");
    assertThat(waits.getReasons())
        .extracting(ReasonSnapshot::getKind)
        .containsExactly("Paused", "Delayed");
    assertThat(waits.getReasons().get(0).getSentence()).isEqualTo("its queue is paused");
    assertThat(waits.getEarliestMs()).isEqualTo(bean.job(delayed.toString()).getVisibleAtMs());
    assertThat(bean.explain("0".repeat(32))).isNull();
    assertThatThrownBy(() -> bean.explain("odd"))
        .hasMessage("text is not a job id: value=\"odd\", expected 32 hexadecimal digits");
  }

  @Test
  void job_delayed_hasItsBackoffAndTime() {
    JobId id =
        engine
            .queue("mail")
            .enqueue(new byte[0], EnqueueOptions.DEFAULT.delay(ofSeconds(60)))
            .jobId();

    JobSnapshot job = bean.job(id.toString());
    BackoffSnapshot backoff = job.getBackoff();

    assertThat(engine.get(id).orElseThrow().visibleAt().map(Instant::toEpochMilli))
        .contains(job.getVisibleAtMs());
    assertThat(job.getLease()).isNull();
    assertThat(job.getLastError()).isNull();
    assertThat(backoff.getKind()).isEqualTo("Exponential");
    assertThat(backoff.getInitialMs()).isEqualTo(1_000);
    assertThat(backoff.getMultiplier()).isEqualTo(2.0);
    assertThat(backoff.getMaxMs()).isEqualTo(3_600_000);
    assertThat(backoff.getDelaysMs()).isNull();
  }

  @Test
  void deadLetters_filteredRedrivenAndDeleted_areGoneAfterwards() {
    JobQueue mail = engine.queue("mail");
    JobId full = die(mail, "mailbox is full");
    JobId lost = die(mail, "no route");
    die(mail, "no route either");

    JobPage matching = bean.deadLetters("mail", "", "full", 0, null);
    long longAgo = bean.deadLetters("mail", "", null, 1, null).getJobs().size();

    assertThat(matching.getJobs()).extracting(JobSnapshot::getId).containsExactly(full.toString());
    assertThat(longAgo).isZero();
    assertThat(bean.redrive(full.toString())).isEqualTo("REDRIVEN");
    assertThat(bean.redrive(full.toString())).isEqualTo("NOT_DEAD");
    assertThat(bean.redrive("0".repeat(32))).isEqualTo("GONE");
    assertThat(bean.deleteDead(lost.toString())).isTrue();
    assertThat(bean.deleteDead(lost.toString())).isFalse();
    assertThat(bean.redriveAll("mail", "", "full", 0)).isZero();
    assertThat(bean.deleteAllDead("mail", "", null, 0)).isEqualTo(1);
    assertThat(bean.peek("mail", "", "ready", null).getJobs()).hasSize(1);
  }

  @Test
  void list_conditions_findJobsOfAllQueuesPageByPage() {
    for (int i = 0; i <= JobEngineMXBean.JOB_PAGE_SIZE; i++) {
      engine.queue("mail").enqueue(new byte[0], EnqueueOptions.DEFAULT.unique("u" + i));
    }
    EnqueueOptions host = EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 1).priority(3);
    engine.queue("mail", "acme").enqueue(new byte[0], host);
    JobId blocked = engine.queue("news").enqueue(new byte[0], host).jobId();

    JobPage all = bean.list(Map.of(), null);
    JobPage rest = bean.list(Map.of(), all.getNext());

    assertThat(all.getJobs()).hasSize(JobEngineMXBean.JOB_PAGE_SIZE);
    assertThat(rest.getJobs()).hasSize(3);
    assertThat(rest.getNext()).isNull();
    assertThat(bean.list(Map.of("uniqueKey", "u7"), null).getJobs())
        .extracting(JobSnapshot::getUniqueKey)
        .containsExactly("u7");
    assertThat(bean.list(Map.of("concurrencyKey", "host", "priority", "1..9"), null).getJobs())
        .extracting(JobSnapshot::getEngineConcurrencyMost)
        .containsExactly(1, 1);
    assertThat(bean.list(Map.of("states", "blocked,dead", "tenant", ""), null).getJobs())
        .extracting(JobSnapshot::getId)
        .containsExactly(blocked.toString());
    assertThat(rest.getJobs().get(0).getEngineConcurrencyMost()).isNull();
  }

  @Test
  void metrics_keysAndTurns_areThoseOfTheEngine() {
    JobQueue mail = engine.queue("mail");
    mail.enqueue(new byte[0], EnqueueOptions.DEFAULT.unique("u"));
    mail.enqueue(new byte[0], EnqueueOptions.DEFAULT.unique("u"));
    mail.enqueue(new byte[0]);
    mail.configure(settings -> settings.rateLimit(RateLimit.of(1, ofSeconds(3_600)).burst(1)));
    engine.claimAcrossTenants("mail", ClaimOptions.by("w1").max(1));
    engine.claimAcrossTenants("mail", ClaimOptions.by("w1").max(1));
    engine.queue("other", "a").enqueue(new byte[0]);
    engine.queue("other", "b").enqueue(new byte[0]);
    engine.claimAcrossTenants("other", ClaimOptions.by("w1").max(1));

    MetricsSnapshot metrics = bean.getMetrics();

    assertThat(metrics.getDuplicateCount()).isEqualTo(1);
    assertThat(metrics.getRateBucketCount()).isEqualTo(1);
    assertThat(metrics.getRateLimitedQueueCount()).isEqualTo(1);
    assertThat(metrics.getTenantNameCount()).isEqualTo(2);
    assertThat(metrics.getTenantTurnCount()).isEqualTo(1);
    assertThat(metrics.getWaitingEventCount()).isZero();
  }

  @Test
  void metrics_transactionsAndRows_areThoseOfTheEngine() {
    Table<String, String> table = engine.table("stock", Codec.TEXT, Codec.TEXT);
    engine
        .inTransaction(
            tx -> {
              if (tx.get(table, "boots").isEmpty()) {
                CompletableFuture.runAsync(() -> table.put("boots", "another was faster")).join();
              }
              tx.put(table, "boots", "one");
              tx.delete(table, "boots");
            })
        .orThrow();

    MetricsSnapshot metrics = bean.getMetrics();

    assertThat(metrics.getTransactionCount()).isEqualTo(1);
    assertThat(metrics.getTransactionCallCount()).isEqualTo(2);
    assertThat(metrics.getTransactionConflictCount()).isEqualTo(1);
    assertThat(metrics.getTableRowsPut()).isEqualTo(2);
    assertThat(metrics.getTableRowsDeleted()).isEqualTo(1);
  }

  @Test
  void verify_soundStore_findsNothing() {
    engine.queue("mail").enqueue("x".getBytes(UTF_8));

    VerifySnapshot report = bean.verify();

    assertThat(report.getQueueCount()).isEqualTo(1);
    assertThat(report.getJobCount()).isEqualTo(1);
    assertThat(report.getProblems()).isEmpty();
  }

  @Test
  void wrongArguments_always_areToldByNameAndValue() {
    assertThatThrownBy(() -> bean.peek("mail", "", "odd", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("state is unknown: value=\"odd\", known=[READY, ");
    assertThatThrownBy(() -> bean.list(Map.of("state", "READY"), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("condition is unknown: key=\"state\", known=[states, queueName, ");
    assertThatThrownBy(() -> bean.list(Map.of("attempts", "many"), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "condition has a wrong value: key=\"attempts\", value=\"many\", allowed=a number from"
                + " 0, or two such as 1..3; reason=");
    assertThatThrownBy(() -> bean.list(Map.of(), "odd"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cursor");
    assertThatThrownBy(() -> bean.job("odd"))
        .hasMessage("text is not a job id: value=\"odd\", expected 32 hexadecimal digits");
    assertThatThrownBy(() -> bean.backup("here"))
        .hasMessage("folder is not absolute: value=\"here\"; name one on the engine's machine");
  }

  @Test
  void failures_ofTheStore_areToldWithoutOurClasses() {
    assertThatThrownBy(() -> bean.backup("/backup"))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("StoreException: a store in memory keeps nothing");
  }

  @Test
  void twoEngines_ofOneName_areBothSeenUntilTheyClose() throws JMException {
    JobEngine second =
        JobEngine.open("memory:mxbean-too", EngineOptions.DEFAULT.name("bean, \"test\"\n"));
    second.queue("only here").enqueue(new byte[0]);

    Set<ObjectName> names = awaitNames(2);

    assertThat(names)
        .extracting(name -> bean(name).queues(null).getQueues().size())
        .containsExactlyInAnyOrder(0, 1);
    second.close();
    assertThat(names()).hasSize(1);
    engine.close();
    assertThat(names()).isEmpty();
  }

  @Test
  void management_off_isNotSeen() throws JMException {
    try (JobEngine hidden =
        JobEngine.open(
            "memory:hidden", EngineOptions.DEFAULT.management(EngineOptions.Management.OFF))) {
      hidden.queue("mail").enqueue(new byte[0]);

      assertThat(names()).hasSize(1);
    }
  }

  private static JobId die(JobQueue queue, String error) {
    JobId id = queue.enqueue(new byte[0]).jobId();
    queue.claim(ClaimOptions.by("w1")).forEach(lease -> lease.fail(error, FailOptions.PERMANENT));
    return id;
  }

  private static JobEngineMXBean bean(ObjectName name) {
    return JMX.newMXBeanProxy(SERVER, name, JobEngineMXBean.class);
  }

  private static Set<ObjectName> names() throws JMException {
    return SERVER.queryNames(new ObjectName("io.millrace:type=JobEngine,*"), null);
  }

  /** An engine is seen shortly after it was opened. */
  private static Set<ObjectName> awaitNames(int count) throws JMException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (names().size() < count && System.nanoTime() - endNs < 0) {
      Thread.onSpinWait();
    }
    assertThat(names()).hasSize(count);
    return names();
  }
}
