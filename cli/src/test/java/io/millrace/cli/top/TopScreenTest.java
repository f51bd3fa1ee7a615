package io.millrace.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EngineMetrics;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.RateLimit;
import io.millrace.api.Table;
import io.millrace.describe.Descriptions;
import io.millrace.describe.OpenData;
import io.millrace.engine.JobEngine;
import io.millrace.management.JobEngineMBean;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What is shown of an engine that has something of what most have nothing of. */
class TopScreenTest {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  @Test
  void print_engineWithLimitsTurnsAndKeys_showsThem() throws JMException {
    try (JobEngine engine =
        JobEngine.open("memory:top", EngineOptions.DEFAULT.name("top screen"))) {
      JobQueue mail = engine.queue("mail");
      mail.configure(settings -> settings.rateLimit(RateLimit.of(1, Duration.ofDays(1))));
      mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.unique("a"));
      mail.enqueue(new byte[1], EnqueueOptions.DEFAULT.unique("a"));
      mail.enqueue(new byte[1]);
      engine.queue("news", "a").enqueue(new byte[1]);
      assertThat(mail.claim(ClaimOptions.by("w1"))).hasSize(1);
      assertThat(mail.claim(ClaimOptions.by("w1"))).isEmpty();
      assertThat(engine.claimAcrossTenants("odd", ClaimOptions.by("w1"))).isEmpty();

      TopSample sample = new TopSample(0, metrics(), Map.of(), false);

      assertThat(screen(sample).lines())
          .contains(
              "rates    queues without a token 1  buckets not full 1",
              "turns    tenants 0  of names 1",
              "keys     duplicates 1");
      assertThat(json(sample))
          .contains(
              "\"rateBuckets\":1,\"rateLimitedQueues\":1,\"tenantNames\":1,\"tenantTurns\":0,")
          .contains("\"waitingEvents\":0,\"missedEvents\":0,\"duplicates\":1,");
    }
  }

  @Test
  void print_engineWithTransactionsAndTables_showsThem() throws JMException {
    try (JobEngine engine =
        JobEngine.open("memory:top", EngineOptions.DEFAULT.name("top screen"))) {
      Table<String, String> table = engine.table("stock", Codec.TEXT, Codec.TEXT);
      TopSample before = new TopSample(0, metrics(), Map.of(), false);
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

      TopSample sample = new TopSample(TimeUnit.SECONDS.toNanos(1), metrics(), Map.of(), false);

      assertThat(screen(before, before)).doesNotContain("tx/s", "rows/s");
      assertThat(screen(before, sample).lines())
          .contains("tx/s     committed 1  calls 2  conflicts 1", "rows/s   put 2  deleted 1");
      assertThat(json(sample))
          .contains(
              "\"tableRowsPut\":2,\"tableRowsDeleted\":1,\"transactions\":1,"
                  + "\"transactionCalls\":2,\"transactionConflicts\":1,");
    }
  }

  private static String screen(TopSample sample) {
    return screen(sample, sample);
  }

  private static String screen(TopSample before, TopSample sample) {
    StringWriter text = new StringWriter();
    new TopScreen(before, sample, new PrintWriter(text, true)).print("top");
    return text.toString();
  }

  private static String json(TopSample sample) {
    StringWriter text = new StringWriter();
    new TopJson(sample, sample, new PrintWriter(text, true)).print("top", OptionalLong.of(1));
    return text.toString();
  }

  /** An engine is seen shortly after it was opened. */
  private static EngineMetrics metrics() throws JMException {
    ObjectName name = new ObjectName("io.millrace:type=JobEngine,name=\"top screen\"");
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!SERVER.isRegistered(name) && System.nanoTime() - endNs < 0) {
      Thread.onSpinWait();
    }
    assertThat(SERVER.queryNames(name, null)).isEqualTo(Set.of(name));
    JobEngineMBean bean = JMX.newMBeanProxy(SERVER, name, JobEngineMBean.class);
    return OpenData.read(Descriptions.METRICS, bean.getMetrics());
  }
}
