package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queues come and go, and their number is bounded. */
@Timeout(60)
class QueueMetersTest {

  private final EngineRig rig = new EngineRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private void bind(int queueCountMax) {
    MillraceMetrics.of(rig.engine, "orders", options -> options.queueCountMax(queueCountMax))
        .bindTo(rig.registry);
  }

  private double ready(String queue) {
    return rig.value("millrace.jobs", "queue", queue, "state", "ready");
  }

  private void enqueue(String... queues) {
    for (String queue : queues) {
      rig.queue(queue).enqueue(new byte[0]);
    }
  }

  @Test
  void queue_thatComesAndGoes_isToldAsLongAsItIsThere() {
    MillraceMetrics metrics =
        MillraceMetrics.of(rig.engine, "orders", MetricsOptions::withoutJobTimers);
    metrics.bindTo(rig.registry);
    metrics.bindTo(rig.prometheus);
    rig.pass();
    List<String> before = new ArrayList<>(rig.tags("millrace.jobs", "queue"));
    rig.work(rig.queue("mail"), "letter");
    rig.pass();
    double there = rig.value("millrace.job.events", "queue", "mail", "event", "completed");
    rig.queue("mail").delete();
    rig.pass();

    assertThat(before).isEmpty();
    assertThat(there).isEqualTo(1);
    assertThat(rig.registry.find("millrace.jobs").meters()).isEmpty();
    assertThat(rig.registry.find("millrace.queue.oldest").meters()).isEmpty();
    assertThat(rig.prometheus.scrape())
        .doesNotContain("queue=\"mail\"")
        .contains("millrace_queues{engine=\"orders\"} 0.0");
  }

  @Test
  void queues_thatAreThereWhenBound_areToldAtOnce() {
    enqueue("mail");

    rig.bind();

    assertThat(ready("mail")).isEqualTo(1);
  }

  @Test
  void queues_moreThanThereIsRoomFor_areOne() {
    bind(2);
    enqueue("a", "b");
    rig.pass();
    enqueue("0", "0", "c", "a");

    rig.pass();

    assertThat(rig.tags("millrace.jobs", "queue")).containsExactlyInAnyOrder("a", "b", "other");
    assertThat(ready("a")).isEqualTo(2);
    assertThat(ready("b")).isEqualTo(1);
    assertThat(ready("other")).isEqualTo(3);
    assertThat(rig.value("millrace.job.events", "queue", "other", "event", "enqueued"))
        .isEqualTo(3);
    assertThat(rig.value("millrace.queues")).isEqualTo(4);
  }

  @Test
  void queue_whosePlaceBecomesFree_isTakenOutOfTheRest() {
    bind(1);
    enqueue("a");
    rig.pass();
    enqueue("b", "b");
    rig.pass();
    double rest = ready("other");
    rig.queue("a").delete();

    rig.pass();

    assertThat(rest).isEqualTo(2);
    assertThat(ready("b")).isEqualTo(2);
    assertThat(rig.tags("millrace.jobs", "queue")).containsExactly("b");
  }

  @Test
  void queue_namedAsTheRest_isOneOfIt() {
    bind(5);
    enqueue("other", "mail");

    rig.pass();

    assertThat(ready("other")).isEqualTo(1);
    assertThat(ready("mail")).isEqualTo(1);
  }

  @Test
  void queues_byDefault_areAHundredAndTheRest() {
    rig.bind();
    List<CompletableFuture<?>> enqueued = new ArrayList<>();
    for (int i = 0; i < 103; i++) {
      enqueued.add(rig.queue("queue-" + i).enqueueAsync(new byte[0], EnqueueOptions.DEFAULT));
    }
    enqueued.forEach(CompletableFuture::join);

    rig.pass();

    assertThat(rig.tags("millrace.jobs", "queue")).hasSize(101);
    assertThat(ready("other")).isEqualTo(3);
  }

  @Test
  void tenants_ofOneName_areOneUnlessAskedFor() {
    rig.bind();
    rig.engine.queue("mail", "acme").enqueue(new byte[0]);
    rig.engine.queue("mail", "ajax").enqueue(new byte[0]);
    enqueue("mail");
    rig.engine.queue("mail", "ajax").pause();
    rig.pass();
    double together = ready("mail");
    double paused = rig.value("millrace.queue.paused", "queue", "mail");
    MillraceMetrics.of(rig.engine, "by-tenant", MetricsOptions::byTenant).bindTo(rig.registry);

    assertThat(together).isEqualTo(3);
    assertThat(paused).isEqualTo(1);
    assertThat(rig.registry.find("millrace.jobs").tags("engine", "orders").meters())
        .allSatisfy(meter -> assertThat(meter.getId().getTag("tenant")).isNull());
    assertThat(paused("none")).isZero();
    assertThat(paused("acme")).isZero();
    assertThat(paused("ajax")).isEqualTo(1);
  }

  private double paused(String tenant) {
    return rig.value(
        "millrace.queue.paused", "engine", "by-tenant", "queue", "mail", "tenant", tenant);
  }

  @Test
  void counter_ofQueuesOfWhichOneIsDeleted_doesNotFall() {
    rig.bind();
    JobQueue acme = rig.engine.queue("mail", "acme");
    acme.enqueue(new byte[0]);
    acme.enqueue(new byte[0]);
    enqueue("mail");
    rig.pass();
    double before = rig.value("millrace.job.events", "event", "enqueued");
    acme.delete();
    rig.pass();
    double after = rig.value("millrace.job.events", "event", "enqueued");
    enqueue("mail");
    rig.pass();

    assertThat(before).isEqualTo(3);
    assertThat(after).isEqualTo(3);
    assertThat(rig.value("millrace.job.events", "event", "enqueued")).isEqualTo(4);
    assertThat(ready("mail")).isEqualTo(2);
  }
}
