package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineMetrics;
import io.millrace.api.JobQueue;
import io.millrace.engine.JobEngine;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MillraceMetricsTest {

  private final EngineRig rig = new EngineRig();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void figures_ofAnEngineThatWorked_areItsOwn() {
    rig.bind();
    rig.work(rig.queue("mail"), "letter");
    rig.queue("mail").enqueue(new byte[0]);
    rig.queue("mail").enqueue(new byte[0]);

    rig.pass();

    assertThat(rig.value("millrace.jobs", "queue", "mail", "state", "ready")).isEqualTo(2);
    assertThat(rig.value("millrace.jobs", "queue", "mail", "state", "dead")).isZero();
    assertThat(rig.value("millrace.job.events", "event", "enqueued")).isEqualTo(3);
    assertThat(rig.value("millrace.job.events", "event", "completed")).isEqualTo(1);
    assertThat(rig.value("millrace.operations", "event", "enqueued")).isEqualTo(3);
    assertThat(rig.value("millrace.queues")).isEqualTo(1);
    assertThat(rig.value("millrace.status", "status", "up")).isEqualTo(1);
    assertThat(rig.value("millrace.status", "status", "full")).isZero();
    assertThat(rig.value("millrace.store.bytes")).isPositive();
    assertThat(rig.prometheus.scrape())
        .contains("millrace_jobs{engine=\"orders\",queue=\"mail\",state=\"ready\"} 2.0")
        .contains(
            "millrace_job_events_total{engine=\"orders\",event=\"enqueued\",queue=\"mail\"} 3.0")
        .contains("millrace_queue_oldest_seconds{engine=\"orders\",queue=\"mail\"}")
        .contains("millrace_commit_seconds_count{engine=\"orders\"}");
  }

  @Test
  void histogram_ofGroupsAndCommits_addsUp() {
    rig.bind();
    for (int i = 0; i < 20; i++) {
      rig.queue("mail").enqueue(new byte[0]);
    }

    rig.pass();

    String groups = "millrace.group.requests.histogram";
    assertThat(rig.value(groups, "le", "1")).isEqualTo(20);
    assertThat(rig.value(groups, "le", "16383")).isEqualTo(20);
    assertThat(rig.value(groups, "le", "+Inf")).isEqualTo(20);
    assertThat(rig.value("millrace.groups")).isEqualTo(20);
    assertThat(rig.value("millrace.group.requests")).isEqualTo(20);
    List<Double> commits = buckets("millrace.commit.histogram");
    assertThat(commits).hasSize(22).isSorted();
    assertThat(commits.get(21)).isEqualTo(rig.value("millrace.commit"));
    assertThat(rig.prometheus.scrape())
        .contains("millrace_commit_histogram_total{engine=\"orders\",le=\"+Inf\"}");
  }

  /** The counts by their upper bounds. */
  private List<Double> buckets(String name) {
    return rig.tags(name, "le").stream()
        .sorted((one, two) -> Double.compare(bound(one), bound(two)))
        .map(le -> rig.value(name, "le", le))
        .toList();
  }

  private static double bound(String le) {
    return le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
  }

  @Test
  void figures_withinASecond_areReadOnce() {
    rig.bind();
    rig.queue("mail").enqueue(new byte[0]);
    rig.pass();
    rig.queue("mail").enqueue(new byte[0]);

    rig.clock.add(Duration.ofMillis(999));
    double before = rig.value("millrace.jobs", "state", "ready");
    rig.clock.add(Duration.ofMillis(1));

    assertThat(before).isEqualTo(1);
    assertThat(rig.value("millrace.operations", "event", "enqueued")).isEqualTo(2);
    assertThat(rig.value("millrace.jobs", "state", "ready")).isEqualTo(2);
  }

  @Test
  void accessors_ofEngineMetrics_areAllTold() {
    Set<String> asked = new HashSet<>(Set.of("at", "operations", "commitNs", "syncNs"));
    asked.add("groupRequests"); // these have meters of another shape
    EngineMetrics real = rig.engine.metrics();
    EngineMetrics noted =
        (EngineMetrics)
            Proxy.newProxyInstance(
                EngineMetrics.class.getClassLoader(),
                new Class<?>[] {EngineMetrics.class},
                (proxy, method, arguments) -> {
                  asked.add(method.getName());
                  return method.invoke(real, arguments);
                });

    EngineFigures.ALL.forEach(
        figure -> assertThat(figure.value().applyAsDouble(noted)).as(figure.name()).isFinite());

    assertThat(asked)
        .containsAll(
            Arrays.stream(EngineMetrics.class.getMethods())
                .map(Method::getName)
                .collect(Collectors.toSet()));
  }

  @Test
  void meters_ofAClosedEngine_areNotKnownOnceAndThenGone() {
    rig.bind();
    rig.work(rig.queue("mail"), "letter");
    rig.pass();
    rig.engine.close();

    rig.pass();
    double closed = rig.value("millrace.status", "status", "closed");
    double completed = rig.value("millrace.job.events", "event", "completed");
    List<Double> gauges =
        List.of(
            rig.value("millrace.ring.depth"),
            rig.value("millrace.uptime"),
            rig.value("millrace.jobs", "state", "ready"),
            rig.value("millrace.queue.oldest"));
    String scraped = rig.prometheus.scrape();
    rig.clock.add(Duration.ofSeconds(1));
    rig.value("millrace.ring.depth");
    rig.prometheus.scrape();

    assertThat(closed).isEqualTo(1);
    assertThat(completed).isEqualTo(1);
    assertThat(gauges).containsOnly(Double.NaN);
    assertThat(scraped).contains("millrace_leases{engine=\"orders\"} NaN");
    assertThat(rig.names()).isEmpty();
    assertThat(rig.prometheus.scrape()).doesNotContain("millrace_");
  }

  @Test
  void meters_ofAPoisonedEngine_sayItAndGoOnWhenItIsReopened() {
    rig.bind();
    rig.queue("mail").enqueue(new byte[0]);
    rig.poison();

    rig.pass();
    double poisoned = rig.value("millrace.status", "status", "poisoned");
    double enqueued = rig.value("millrace.job.events", "event", "enqueued");
    String scraped = rig.prometheus.scrape();
    rig.engine.reopen();
    rig.work(rig.queue("mail"), "letter");
    rig.pass();

    assertThat(poisoned).isEqualTo(1);
    assertThat(enqueued).isEqualTo(1);
    assertThat(scraped).contains("millrace_status{engine=\"orders\",status=\"poisoned\"} 1.0");
    assertThat(rig.value("millrace.status", "status", "up")).isEqualTo(1);
    assertThat(rig.value("millrace.job.events", "event", "enqueued")).isEqualTo(2);
  }

  @Test
  void close_always_removesTheMetersAndTheListener() {
    MillraceMetrics metrics = rig.bind();
    rig.work(rig.queue("mail"), "letter");
    rig.pass();
    int listenersBefore = rig.engine.metrics().listenerCount();

    metrics.close();
    metrics.close();

    assertThat(listenersBefore).isEqualTo(2);
    assertThat(rig.engine.metrics().listenerCount()).isZero();
    assertThat(rig.names()).isEmpty();
    assertThat(rig.prometheus.scrape()).doesNotContain("millrace_");
  }

  @Test
  void bindTo_nameThatAClosedEngineHad_isTheNewEngines() {
    MillraceMetrics before = rig.bind();
    rig.engine.close();
    try (JobEngine next = JobEngine.open("memory:metrics-next")) {
      next.queue("mail").enqueue(new byte[0]);

      MillraceMetrics.of(next, "orders").bindTo(rig.registry);
      before.close();

      assertThat(rig.value("millrace.status", "status", "up")).isEqualTo(1);
      assertThat(rig.value("millrace.jobs", "state", "ready")).isEqualTo(1);
    }
  }

  @Test
  void bindTo_closedEngine_isRefusedAndLeavesNothing() {
    rig.engine.close();

    assertThatThrownBy(rig::bind).isInstanceOf(EngineClosedException.class);

    assertThat(rig.names()).isEmpty();
  }

  @Test
  void of_badValues_areRefusedByName() {
    assertThatThrownBy(() -> MillraceMetrics.of(rig.engine, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("name has a length out of range");
    assertThatThrownBy(
            () -> MillraceMetrics.of(rig.engine, "orders", options -> options.queueCountMax(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("queueCountMax is out of range: value=0, least=1, most=10000");
  }

  @Test
  void options_thatLeaveJobTimersOut_haveNoListener() {
    MillraceMetrics.of(rig.engine, "orders", MetricsOptions::withoutJobTimers).bindTo(rig.registry);

    assertThat(rig.engine.metrics().listenerCount()).isZero();
    assertThat(rig.registry.find("millrace.job.events.missed").meters()).isEmpty();
  }

  @Test
  void wait_ofAJobAndItsRun_areTimedByQueueTypeAndOutcome() {
    rig.bind();
    JobQueue mail = rig.queue("mail");
    rig.work(mail, "letter");
    rig.work(mail, "letter");
    mail.enqueue(new byte[0]);
    mail.claim("worker", Duration.ofSeconds(30)).orElseThrow().fail("broken").orThrow();

    rig.engine.close(); // whereupon all events have been told

    assertThat(rig.value("millrace.job.wait", "queue", "mail", "type", "letter")).isEqualTo(2);
    assertThat(rig.value("millrace.job.wait", "type", "mail")).isEqualTo(1);
    assertThat(rig.value("millrace.job.run", "type", "letter", "outcome", "completed"))
        .isEqualTo(2);
    assertThat(rig.value("millrace.job.run", "type", "mail", "outcome", "retried")).isEqualTo(1);
    assertThat(rig.value("millrace.job.events.missed")).isZero();
    assertThat(rig.prometheus.scrape())
        .contains(
            "millrace_job_run_seconds_bucket{engine=\"orders\",outcome=\"completed\","
                + "queue=\"mail\",type=\"letter\",le=\"3600.0\"} 2")
        .contains("millrace_job_wait_seconds_bucket{");
  }

  @Test
  void work_ofMoreTypesThanThereIsRoomFor_isTimedAsOne() {
    MillraceMetrics.of(rig.engine, "orders", options -> options.queueCountMax(2))
        .bindTo(rig.registry);
    for (String type : List.of("a", "b", "c", "d", "a")) {
      rig.work(rig.queue("mail"), type);
    }

    rig.engine.close();

    assertThat(rig.tags("millrace.job.run", "type")).containsExactlyInAnyOrder("a", "b", "other");
    assertThat(rig.value("millrace.job.run", "type", "other", "queue", "other")).isEqualTo(2);
    assertThat(rig.value("millrace.job.run", "type", "a")).isEqualTo(2);
  }

  @Test
  void registry_anotherOfTheSameEngine_hasMetersOfItsOwn() {
    SimpleMeterRegistry other = new SimpleMeterRegistry();
    MillraceMetrics metrics = rig.bind();
    MillraceMetrics.of(rig.engine, "orders").bindTo(other);

    metrics.close();

    assertThat(other.get("millrace.status").tags("status", "up").gauge().value()).isEqualTo(1);
  }
}
