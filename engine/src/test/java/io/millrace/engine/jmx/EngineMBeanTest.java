package io.millrace.engine.jmx;

import static io.millrace.describe.OpenData.read;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineMetrics;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.RateLimit;
import io.millrace.api.Table;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.describe.Descriptions;
import io.millrace.describe.ExplanationTexts;
import io.millrace.engine.JobEngine;
import io.millrace.management.JobEngineMBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EngineMBeanTest {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private JobEngine engine;
  private JobEngineMBean bean;

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
    assertThat(health().status()).isEqualTo(EngineHealth.Status.UP);
    assertThat(health().lastError()).isEmpty();
    assertThat(health().warnings()).isEmpty();
  }

  @Test
  void metrics_afterOperations_areThoseOfTheEngine() {
    engine.queue("mail").enqueue(new byte[0]);
    engine.queue("mail").claim("w1", ofSeconds(10)).orElseThrow().complete().orThrow();

    EngineMetrics metrics = metrics();

    assertThat(metrics.operations())
        .containsEntry(QueueStats.Total.COMPLETED, 1L)
        .containsEntry(QueueStats.Total.DIED, 0L);
    assertThat(metrics.groupRequests().sinceOpening().count())
        .isEqualTo(engine.metrics().groupRequests().sinceOpening().count());
    assertThat(metrics.groupRequests().bitLengths())
        .isEqualTo(engine.metrics().groupRequests().bitLengths());
    assertThat(metrics.commitNs().recent().max()).isPositive();
    assertThat(metrics.oldestReaderAge()).isEmpty();
    assertThat(metrics.leaseCount()).isZero();
    assertThat(metrics.health().status()).isEqualTo(EngineHealth.Status.UP);
  }

  @Test
  void tables_theirRowsAndTheirEnd_areShown() {
    Table<String, String> stock = engine.table("stock", Codec.TEXT, Codec.TEXT);
    stock.putAll(List.of(new TableRow<>("tea", "12"), new TableRow<>("coffee", "40")));

    assertThat(read(Descriptions.TABLES, bean.tables(200, null)).items()).containsExactly("stock");
    assertThat(read(Descriptions.TABLES, bean.tables(200, null)).next()).isEmpty();
    Page<TableRow<byte[], byte[]>> rows =
        read(Descriptions.TABLE_ROWS, bean.tableRows("stock", Codec.TEXT.encode("t"), 20, null));
    assertThat(rows.items()).hasSize(1);
    assertThat(rows.next()).isEmpty();
    assertThat(rows.items().get(0).key()).isEqualTo(Codec.TEXT.encode("tea"));
    assertThat(rows.items().get(0).value()).isEqualTo(Codec.TEXT.encode("12"));
    assertThat(bean.dropTable("stock")).isTrue();
    assertThat(bean.dropTable("stock")).isFalse();
    assertThat(read(Descriptions.TABLES, bean.tables(200, null)).items()).isEmpty();
    assertThat(metrics().tableRowsPut()).isEqualTo(2);
    assertThat(metrics().tableRowsDeleted()).isZero();
  }

  @Test
  void attributes_withoutOurClasses_areOpenData() throws JMException {
    ObjectName name = awaitNames(1).iterator().next();

    CompositeData metrics = (CompositeData) SERVER.getAttribute(name, "Metrics");

    assertThat(metrics.get("ringSize")).isEqualTo(65_536);
    assertThat(((CompositeData) metrics.get("health")).get("status")).isEqualTo("UP");
  }

  @Test
  void job_withoutOurClasses_isOpenDataWhoseItemsHaveTheNamesOfTheApi() throws JMException {
    JobId id =
        engine.queue("mail").enqueue(new byte[1], EnqueueOptions.DEFAULT.header("a", "b")).jobId();
    engine
        .queue("mail")
        .claim("w1", ofSeconds(10))
        .orElseThrow()
        .fail("no", FailOptions.RETRY)
        .orThrow();
    Object[] arguments = {id.toString()};
    String[] types = {String.class.getName()};

    CompositeData job =
        (CompositeData) SERVER.invoke(awaitNames(1).iterator().next(), "job", arguments, types);

    assertThat(job.getCompositeType().keySet())
        .containsExactly(
            "attempts",
            "backoff",
            "batch",
            "checkpointed",
            "completedAtMs",
            "concurrencyKey",
            "diedAtMs",
            "engineConcurrencyKey",
            "engineConcurrencyMost",
            "engineRateKey",
            "engineRateLimit",
            "enqueuedAtMs",
            "expiresAtMs",
            "headers",
            "history",
            "id",
            "lastError",
            "lease",
            "maxAttempts",
            "payload",
            "priority",
            "queue",
            "result",
            "signal",
            "signalDeadlineMs",
            "signalSinceMs",
            "state",
            "tenant",
            "type",
            "uniqueKey",
            "visibleAtMs",
            "waitsForBatch",
            "weight");
    assertThat(job.get("state")).isEqualTo("DELAYED");
    assertThat(((TabularData) job.get("headers")).get(new Object[] {"a"}).get("value"))
        .isEqualTo("b");
    assertThat((CompositeData[]) job.get("history"))
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.get("error")).isEqualTo("no"));
    assertThat(job.get("lease")).isNull();
  }

  @Test
  void queues_andTheirCounts_areListedPageByPage() {
    for (int i = 0; i <= JobEngineMBean.QUEUE_PAGE_SIZE; i++) {
      engine.queue("q", "t%03d".formatted(i)).enqueue(new byte[0]);
    }

    List<QueueName> first = read(Descriptions.QUEUES, bean.queues(null)).items();
    String next = read(Descriptions.QUEUES, bean.queues(null)).next().orElseThrow();
    QueueStats queue = read(Descriptions.QUEUE, bean.queue("q", "t007"));

    assertThat(first).hasSize(JobEngineMBean.QUEUE_PAGE_SIZE);
    assertThat(first.get(0).name()).isEqualTo("q");
    assertThat(read(Descriptions.QUEUES, bean.queues(next)).items())
        .singleElement()
        .extracting(QueueName::tenant)
        .isEqualTo("t200");
    assertThat(queue.counts()).containsEntry(JobState.READY, 1L).containsEntry(JobState.DEAD, 0L);
    assertThat(queue.totals()).containsEntry(QueueStats.Total.ENQUEUED, 1L);
    assertThat(queue.oldestReadyAge().orElseThrow()).isGreaterThanOrEqualTo(ofSeconds(0));
    assertThat(queue.serving()).isEqualTo(QueueStats.Serving.ON);
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
    assertThat(mail.claim("w1", ofSeconds(10))).isPresent();
    engine.queue("other").enqueue("the lease's record is written with it".getBytes(UTF_8));

    Job job = read(Descriptions.JOB, bean.job(id.toString()));

    assertThat(job.queue()).isEqualTo(new QueueName("mail", "acme"));
    assertThat(job.state()).isEqualTo(JobState.LEASED);
    assertThat(job.payload()).containsExactly(1, -1);
    assertThat(job.headers()).isEqualTo(Map.of("to", "a\tb"));
    assertThat(job.priority()).isEqualTo(3);
    assertThat(job.backoff()).isEqualTo(Backoff.list(ofSeconds(1), ofSeconds(5)));
    assertThat(job.lease().map(Job.Running::worker)).contains("w1");
    assertThat(job.visibleAt()).isEmpty();
    assertThat(bean.job("0".repeat(32))).isNull();
  }

  @Test
  void batches_openAndOver_areToldAndListed() {
    BatchId first =
        Batch.of("import").add(QueueName.of("mail"), NewJob.of(new byte[1])).open(engine);
    BatchId second = Batch.of("nothing").start(engine);

    BatchStats open = read(Descriptions.BATCH, bean.batch(first.toString()));

    assertThat(open.name()).isEqualTo("import");
    assertThat(open.isSealed()).isFalse();
    assertThat(open.left()).isEqualTo(1);
    assertThat(open).isEqualTo(engine.batches().get(first).orElseThrow());
    assertThat(read(Descriptions.BATCHES, bean.batches(200, null)).items())
        .extracting(BatchStats::id)
        .containsExactly(first, second);
    assertThat(read(Descriptions.BATCH, bean.batch(second.toString())).hasSucceeded()).isTrue();
    assertThat(bean.batch("1" + "f".repeat(15))).isNull();
    assertThatThrownBy(() -> bean.batch("odd")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void explain_jobsThatWaitAndRun_areToldWithTheirReasons() {
    JobQueue mail = engine.queue("mail", "acme");
    JobId running = mail.enqueue(new byte[0]).jobId();
    assertThat(mail.claim("w1", ofSeconds(10))).isPresent();
    JobId delayed =
        mail.enqueue(new byte[0], EnqueueOptions.DEFAULT.delay(ofSeconds(1_000))).jobId();
    mail.pause();

    ExplanationTexts waits = read(Descriptions.EXPLANATION, bean.explain(delayed.toString()));

    assertThat(read(Descriptions.EXPLANATION, bean.explain(running.toString())).state())
        .isEqualTo(JobState.LEASED);
    assertThat(read(Descriptions.EXPLANATION, bean.explain(running.toString())).earliest())
        .isEmpty();
    assertThat(waits.jobId()).isEqualTo(delayed);
    assertThat(waits.queue()).isEqualTo(new QueueName("mail", "acme"));
    assertThat(waits.state()).isEqualTo(JobState.DELAYED);
    assertThat(waits.reasons())
        .extracting(ExplanationTexts.Reason::kind)
        .containsExactly("Paused", "Delayed");
    assertThat(waits.reasons().get(0).sentence()).isEqualTo("its queue is paused");
    assertThat(waits.reasons().get(0).facts()).isEmpty();
    assertThat(waits.reasons().get(1).facts())
        .isEqualTo(Map.of("until", waits.earliest().orElseThrow(), "why", Explanation.Delay.ASKED));
    assertThat(waits.earliest())
        .isEqualTo(read(Descriptions.JOB, bean.job(delayed.toString())).visibleAt());
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

    Job job = read(Descriptions.JOB, bean.job(id.toString()));

    assertThat(job.visibleAt()).isPresent().isEqualTo(engine.get(id).orElseThrow().visibleAt());
    assertThat(job.lease()).isEmpty();
    assertThat(job.lastError()).isEmpty();
    assertThat(job.backoff()).isEqualTo(Backoff.DEFAULT);
    assertThat(bean.job(id.toString()).get("backoff"))
        .isEqualTo("exponential initial=PT1S multiplier=2.0 max=PT1H jitter=0.2");
  }

  @Test
  void deadLetters_filteredRedrivenAndDeleted_areGoneAfterwards() {
    JobQueue mail = engine.queue("mail");
    JobId full = die(mail, "mailbox is full");
    JobId lost = die(mail, "no route");
    die(mail, "no route either");

    Page<Job> matching = read(Descriptions.JOBS, bean.deadLetters("mail", "", "full", 0, null));
    long longAgo =
        read(Descriptions.JOBS, bean.deadLetters("mail", "", null, 1, null)).items().size();

    assertThat(matching.items()).extracting(Job::id).containsExactly(full);
    assertThat(longAgo).isZero();
    assertThat(bean.redrive(full.toString())).isEqualTo("REDRIVEN");
    assertThat(bean.redrive(full.toString())).isEqualTo("NOT_DEAD");
    assertThat(bean.redrive("0".repeat(32))).isEqualTo("GONE");
    assertThat(bean.deleteDead(lost.toString())).isTrue();
    assertThat(bean.deleteDead(lost.toString())).isFalse();
    assertThat(bean.redriveAll("mail", "", "full", 0)).isZero();
    assertThat(bean.deleteAllDead("mail", "", null, 0)).isEqualTo(1);
    assertThat(read(Descriptions.JOBS, bean.peek("mail", "", "ready", null)).items()).hasSize(1);
  }

  @Test
  void list_conditions_findJobsOfAllQueuesPageByPage() {
    for (int i = 0; i <= JobEngineMBean.JOB_PAGE_SIZE; i++) {
      engine.queue("mail").enqueue(new byte[0], EnqueueOptions.DEFAULT.unique("u" + i));
    }
    EnqueueOptions host = EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 1).priority(3);
    engine.queue("mail", "acme").enqueue(new byte[0], host);
    JobId blocked = engine.queue("news").enqueue(new byte[0], host).jobId();

    Page<Job> all = read(Descriptions.JOBS, bean.list(Map.of(), 20, null));
    Page<Job> rest = read(Descriptions.JOBS, bean.list(Map.of(), 20, all.next().orElseThrow()));

    assertThat(all.items()).hasSize(JobEngineMBean.JOB_PAGE_SIZE);
    assertThat(rest.items()).hasSize(3);
    assertThat(rest.next()).isEmpty();
    assertThat(read(Descriptions.JOBS, bean.list(Map.of("uniqueKey", "u7"), 20, null)).items())
        .extracting(Job::uniqueKey)
        .containsExactly(Optional.of("u7"));
    assertThat(
            read(
                    Descriptions.JOBS,
                    bean.list(Map.of("concurrencyKey", "host", "priority", "1..9"), 20, null))
                .items())
        .extracting(Job::engineConcurrencyMost)
        .containsExactly(OptionalInt.of(1), OptionalInt.of(1));
    assertThat(
            read(
                    Descriptions.JOBS,
                    bean.list(Map.of("states", "blocked,dead", "tenant", ""), 20, null))
                .items())
        .extracting(Job::id)
        .containsExactly(blocked);
    assertThat(rest.items().get(0).engineConcurrencyMost()).isEmpty();
  }

  @Test
  void metrics_keysAndTurns_areThoseOfTheEngine() {
    JobQueue mail = engine.queue("mail");
    mail.enqueue(new byte[0], EnqueueOptions.DEFAULT.unique("u"));
    mail.enqueue(new byte[0], EnqueueOptions.DEFAULT.unique("u"));
    mail.enqueue(new byte[0]);
    mail.configure(settings -> settings.rateLimit(RateLimit.of(1, ofSeconds(3_600)).burst(1)));
    assertThat(engine.claimAcrossTenants("mail", ClaimOptions.by("w1").max(1))).hasSize(1);
    assertThat(engine.claimAcrossTenants("mail", ClaimOptions.by("w1").max(1))).isEmpty();
    engine.queue("other", "a").enqueue(new byte[0]);
    engine.queue("other", "b").enqueue(new byte[0]);
    assertThat(engine.claimAcrossTenants("other", ClaimOptions.by("w1").max(1))).hasSize(1);

    EngineMetrics metrics = metrics();

    assertThat(metrics.duplicateCount()).isEqualTo(1);
    assertThat(metrics.rateBucketCount()).isEqualTo(1);
    assertThat(metrics.rateLimitedQueueCount()).isEqualTo(1);
    assertThat(metrics.tenantNameCount()).isEqualTo(2);
    assertThat(metrics.tenantTurnCount()).isEqualTo(1);
    assertThat(metrics.waitingEventCount()).isZero();
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

    EngineMetrics metrics = metrics();

    assertThat(metrics.transactionCount()).isEqualTo(1);
    assertThat(metrics.transactionCallCount()).isEqualTo(2);
    assertThat(metrics.transactionConflictCount()).isEqualTo(1);
    assertThat(metrics.tableRowsPut()).isEqualTo(2);
    assertThat(metrics.tableRowsDeleted()).isEqualTo(1);
  }

  @Test
  void verify_soundStore_findsNothing() {
    engine.queue("mail").enqueue("x".getBytes(UTF_8));

    VerifyReport report = read(Descriptions.VERIFY_REPORT, bean.verify());

    assertThat(report.queueCount()).isEqualTo(1);
    assertThat(report.jobCount()).isEqualTo(1);
    assertThat(report.problems()).isEmpty();
  }

  @Test
  void wrongArguments_always_areToldByNameAndValue() {
    assertThatThrownBy(() -> bean.peek("mail", "", "odd", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("state is unknown: value=\"odd\", known=[READY, ");
    assertThatThrownBy(() -> bean.list(Map.of("state", "READY"), 20, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("condition is unknown: key=\"state\", known=[states, queueName, ");
    assertThatThrownBy(() -> bean.list(Map.of("attempts", "many"), 20, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "condition has a wrong value: key=\"attempts\", value=\"many\", allowed=a number from"
                + " 0, or two such as 1..3; reason=");
    assertThatThrownBy(() -> bean.list(Map.of(), 20, "odd"))
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
        .extracting(name -> read(Descriptions.QUEUES, bean(name).queues(null)).items().size())
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
    queue
        .claim(ClaimOptions.by("w1"))
        .forEach(lease -> lease.fail(error, FailOptions.PERMANENT).orThrow());
    return id;
  }

  private EngineMetrics metrics() {
    return read(Descriptions.METRICS, bean.getMetrics());
  }

  private EngineHealth health() {
    return read(Descriptions.HEALTH, bean.getHealth());
  }

  private static JobEngineMBean bean(ObjectName name) {
    return JMX.newMBeanProxy(SERVER, name, JobEngineMBean.class);
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
