package io.millrace.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobType;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.PreparedStore;
import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import io.millrace.workflow.Steps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class InspectEndToEndTest {

  private final PreparedStore store;

  InspectEndToEndTest(@TempDir Path temp) {
    this.store = PreparedStore.in(temp.resolve("jobs"));
  }

  @Test
  void inspect_store_listsItsQueues() {
    CommandRun run = inspect();

    assertThat(table(run))
        .containsExactly(
            "QUEUE READY DELAYED LEASED DEAD COMPLETED OLDEST READY SERVING",
            "mail 1 0 0 1 1 AGE on",
            "mail@acme 0 1 0 0 0 - on",
            "odd\\n\\u001b[31m 0 0 0 1 0 - on");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void inspect_rowOfOneQueueDamaged_othersAreListedAndTheDamagedOneIsTold() {
    store.damageQueue("mail");

    CommandRun queues = inspect();
    CommandRun jobs = inspect("--state", "dead");

    assertThat(table(queues))
        .containsExactly(
            "QUEUE READY DELAYED LEASED DEAD COMPLETED OLDEST READY SERVING",
            "mail@acme 0 1 0 0 0 - on",
            "odd\\n\\u001b[31m 0 0 0 1 0 - on",
            "mail ? ? ? ? ? ? ?");
    assertThat(queues.err())
        .startsWith("millrace: queue cannot be read: mail: stored row is corrupt: keyspace=QUEUE");
    assertThat(queues.exitCode()).isEqualTo(ExitCode.FINDINGS);
    assertThat(table(jobs)).hasSize(2);
    assertThat(jobs.exitCode()).isEqualTo(ExitCode.FINDINGS);
  }

  @Test
  void inspect_json_listsQueuesOneForEachLine() {
    List<String> lines = inspect("--json").out().lines().toList();

    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .startsWith(
            """
            {"queue":"mail","tenant":"","serving":"on","counts":{"ready":1,"delayed":0,"leased":0,\
            "blocked":0,"waiting":0,"dead":1,"done":0},"totals":{"enqueued":3,"claimed":2,\
            "completed":1,"retried":0,"released":0,"snoozed":0,"expired":0,"died":1,"cancelled":0,\
            "redriven":0,"deleted":0,"quarantined":0,"dropped":0,"swept":0,"purged":0,\
            "waited":0,"woken":0},"oldestReadyAgeMs":\
            """);
    assertThat(lines.get(1)).startsWith("{\"queue\":\"mail\",\"tenant\":\"acme\",");
    assertThat(lines.get(2))
        .startsWith("{\"queue\":\"odd\\n\\u001B[31m\",\"tenant\":\"\",")
        .doesNotContain("oldestReadyAgeMs");
  }

  @Test
  void inspect_queue_showsCountsAndTotals() {
    CommandRun run = inspect("--queue", "mail", "--tenant", "acme");

    assertThat(table(run))
        .startsWith("QUEUE mail@acme", "ready 0", "delayed 1", "leased 0")
        .contains("oldest ready -", "serving on", "total enqueued 1", "total died 0");
    assertThat(inspect("--queue", "mail@acme").out()).isEqualTo(run.out());
  }

  @Test
  void inspect_queueWithAnAtInItsName_isNamedByTheTenantBesideIt() {
    store.addQueue("a@b");

    assertThat(inspect("--queue", "a@b").err())
        .isEqualToIgnoringNewLines(
            "millrace: no such queue: a@b; the default tenant has one of that name: say --tenant"
                + " '', too");
    assertThat(table(inspect("--queue", "a@b", "--tenant", ""))).contains("QUEUE a@b");
  }

  @Test
  void inspect_jobsOfAQueue_areListedWithoutACondition() {
    assertThat(table(inspect("--queue", "mail", "--jobs")))
        .containsExactly(
            "ID QUEUE PRIORITY ATTEMPTS AGE STATE LAST ERROR PAYLOAD",
            store.ready() + " mail 7 0/20 AGE ready grüße\\n",
            store.dead() + " mail 0 1/20 AGE dead for AGE mailbox is full\\u0007 first");
  }

  @Test
  void inspect_tables_listsTheirNamesAndRows() {
    assertThat(inspect("--tables").out()).isEqualToIgnoringNewLines("no tables");
    store.addTables();

    assertThat(inspect("--tables").out().lines()).containsExactly("odd\\n", "stock");
    assertThat(inspect("--tables", "--json").out().lines())
        .containsExactly("{\"table\":\"odd\\n\"}", "{\"table\":\"stock\"}");
    assertThat(table(inspect("--table", "stock")))
        .containsExactly("KEY BYTES VALUE", "coffee 2 0xff00", "tea/black 6 twelve");
    assertThat(table(inspect("--table", "stock", "--prefix", "tea/")))
        .containsExactly("KEY BYTES VALUE", "tea/black 6 twelve");
    assertThat(inspect("--table", "stock", "--limit", "1", "--json").out().lines())
        .containsExactly(
            "{\"keyBytes\":6,\"keyText\":\"coffee\",\"valueBytes\":2,\"valueBase64\":\"/wA=\"}");
    assertThat(inspect("--table", "stock", "--limit", "1").out())
        .contains("There are more: --limit 0 shows all.");
    assertThat(inspect("--table", "odd\n").out()).isEqualToIgnoringNewLines("no rows");
    assertThat(inspect("--table", "none").exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void inspect_state_listsJobsOfAllQueues() {
    CommandRun run = inspect("--state", "dead");

    assertThat(table(run))
        .containsExactly(
            "ID QUEUE PRIORITY ATTEMPTS AGE STATE LAST ERROR PAYLOAD",
            store.dead() + " mail 0 1/20 AGE dead for AGE mailbox is full\\u0007 first",
            store.deadToo() + " odd\\n\\u001b[31m 0 1/20 AGE dead for AGE no route second");
  }

  @Test
  void inspect_stateOfOneQueue_listsItsJobs() {
    assertThat(table(inspect("--state", "READY", "--queue", "mail")))
        .containsExactly(
            "ID QUEUE PRIORITY ATTEMPTS AGE STATE LAST ERROR PAYLOAD",
            store.ready() + " mail 7 0/20 AGE ready grüße\\n");
    assertThat(table(inspect("--state", "delayed", "--queue", "mail", "--tenant", "acme")))
        .containsExactly(
            "ID QUEUE PRIORITY ATTEMPTS AGE STATE LAST ERROR PAYLOAD",
            store.delayed() + " mail@acme 0 0/5 AGE delayed for 29 d 23 h 0xff00");
    assertThat(inspect("--state", "leased").out()).isEqualToIgnoringNewLines("no jobs");
  }

  @Test
  void inspect_conditions_listTheJobsThatMeetAll() {
    EnqueueOptions host = EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 1).type("call");
    try (JobEngine engine = JobEngine.open("lmdb:" + store.path())) {
      engine.queue("mail").enqueue(new byte[] {'1'}, host.unique("welcome").header("a", "b=c"));
      engine.queue("news").enqueue(new byte[] {'2'}, host);
    }

    assertThat(payloads("--unique-key", "welcome")).containsExactly("1");
    assertThat(payloads("--unique-key", "welcom")).isEmpty();
    assertThat(payloads("--header", "a=b=c")).containsExactly("1");
    assertThat(payloads("--header", "a=b=c", "--header", "b=")).isEmpty();
    assertThat(payloads("--concurrency-key", "host")).containsExactly("1", "2");
    assertThat(payloads("--concurrency-key", "host", "--state", "blocked")).containsExactly("2");
    assertThat(payloads("--type", "call", "--queue", "mail")).containsExactly("1");
    assertThat(payloads("--type", "mail", "--priority", "1..7")).containsExactly("grüße\\n");
    assertThat(payloads("--priority", "-5..-1")).isEmpty();
    assertThat(payloads("--attempts", "1")).containsExactly("first", "second");
    assertThat(payloads("--error", "route")).containsExactly("second");
    assertThat(payloads("--state", "dead", "--state", "READY", "--queue", "mail"))
        .containsExactly("grüße\\n", "1", "first");
    assertThat(payloads("--tenant", "acme", "--attempts", "0")).containsExactly("0xff00");
    assertThat(payloads("--tenant", "", "--state", "delayed")).isEmpty();
    assertThat(payloads("--queue", "mail", "--all-tenants", "--state", "delayed"))
        .containsExactly("0xff00");
    assertThat(payloads("--enqueued-before", "2020-01-01T00:00:00Z")).isEmpty();
    assertThat(payloads("--enqueued-since", "2020-01-01T00:00:00Z")).hasSize(6);
  }

  @Test
  void inspect_queuesOfATenantOrAName_areListedAlone() {
    assertThat(table(inspect("--tenant", "acme")))
        .containsExactly(
            "QUEUE READY DELAYED LEASED DEAD COMPLETED OLDEST READY SERVING",
            "mail@acme 0 1 0 0 0 - on");
    assertThat(table(inspect("--queue", "mail", "--all-tenants")))
        .extracting(line -> line.split(" ")[0])
        .containsExactly("QUEUE", "mail", "mail@acme");
    assertThat(inspect("--queue", "nope", "--all-tenants").out())
        .isEqualToIgnoringNewLines("no queues");
  }

  @Test
  void inspect_countsOfAQueueDamaged_jobsThatCanBeFoundAreListed() {
    store.damageCounts(store.dead());

    assertThat(payloads("--state", "dead")).containsExactly("first", "second");
  }

  /** Of the jobs that are listed, their last column. */
  private List<String> payloads(String... options) {
    return table(inspect(options)).stream()
        .skip(1)
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .toList();
  }

  @Test
  void inspect_limit_saysThatThereAreMore() {
    CommandRun run = inspect("--state", "dead", "--limit", "1");

    assertThat(run.out().lines()).hasSize(3).endsWith("There are more: --limit 0 shows all.");
    assertThat(inspect("--state", "dead", "--limit", "0").out().lines()).hasSize(3);
    assertThat(inspect("--state", "dead", "--limit", "1", "--json").out().lines()).hasSize(1);
  }

  @Test
  void inspect_job_showsEverything() {
    CommandRun run = inspect("--job", store.ready().toString());

    assertThat(run.out().lines().map(line -> line.replaceAll("2\\d{3}-\\S+Z", "TIME")))
        .containsExactly(
            "job         " + store.ready(),
            "queue       mail",
            "type        mail",
            "state       ready",
            "priority    7",
            "weight      1",
            "attempts    0 of 20",
            "backoff     exponential initial=PT1S multiplier=2.0 max=PT1H jitter=0.2",
            "enqueued    TIME",
            "header      to: a\\tb",
            "payload     8 bytes: grüße\\n");
  }

  @Test
  void inspect_jobThatWasTriedBefore_showsItsHistory() {
    CommandRun run = inspect("--job", store.dead().toString());

    assertThat(run.out().lines().map(line -> line.replaceAll("2\\d{3}-\\S+Z", "TIME")))
        .last()
        .asString()
        .matches("attempt 1   w1 from TIME for \\S+ s: mailbox is full\\\\u0007");
  }

  @Test
  void inspect_jobAsJson_isOneDocument() {
    String json = inspect("--job", store.delayed().toString(), "--json").out();

    assertThat(json.lines()).hasSize(1);
    assertThat(json)
        .startsWith(
            "{\"id\":\"%s\",\"queue\":\"mail\",\"tenant\":\"acme\",\"type\":\"mail\","
                .formatted(store.delayed()))
        .contains("\"visibleAt\":\"")
        .endsWith(
            "\"headers\":{},\"payloadBytes\":2,\"payloadBase64\":\"/wA=\"}"
                + System.lineSeparator());
  }

  @Test
  void inspect_unknownJobOrQueue_saysSo() {
    CommandRun job = inspect("--job", "0".repeat(32));
    CommandRun queue = inspect("--queue", "nope\n");

    assertThat(job.err())
        .isEqualToIgnoringNewLines(
            "millrace: no such job, it may be completed: job=" + "0".repeat(32));
    assertThat(job.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(queue.err()).isEqualToIgnoringNewLines("millrace: no such queue: nope\\n");
    assertThat(queue.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @Test
  void inspect_jobOfAWorkflow_showsItsSteps() {
    JobId id;
    try (JobEngine engine = JobEngine.open("lmdb:" + store.path())) {
      id = engine.queue("orders").enqueue(new byte[0]).jobId();
      Worker worker =
          Worker.on(engine)
              .steps(
                  JobType.of("orders", Codec.BYTES),
                  Steps.workflow(
                      (payload, steps) -> {
                        steps.step("reserve", () -> {});
                        steps.step(
                            "charge",
                            () -> {
                              throw new IOException("no answer");
                            });
                      }))
              .start();
      while (engine.get(id).orElseThrow().lastError().isEmpty()) {
        Thread.onSpinWait();
      }
      worker.close();
    }

    assertThat(inspect("--job", id.toString()).out())
        .contains("step        reserve: done")
        .contains("step        charge: tried in vain once: java.io.IOException: no answer");
    assertThat(inspect("--job", id.toString(), "--json").out().replace('"', '\''))
        .contains("'steps':[{'call':'step','name':'reserve','outcome':'done','failedTries':0}")
        .contains("{'call':'step','name':'charge','outcome':'tried','failedTries':1,")
        .contains("'error':'java.io.IOException: no answer'}]");
  }

  @Test
  void inspect_storeOpenElsewhere_namesThePid() {
    CommandRun run;
    try (JobEngine engine = JobEngine.open("lmdb:" + store.path())) {
      run = inspect();
      engine.queue("mail").enqueue(new byte[0]);
    }

    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            ("millrace: locked: store folder is open in this process already: folder=%s, pid=%d;"
                    + " ask the engine that has it open with --pid %d, or close it there")
                .formatted(
                    store.path(), ProcessHandle.current().pid(), ProcessHandle.current().pid()));
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
  }

  @Test
  void inspect_damagedHeader_saysSoWithoutATrace() throws IOException {
    Files.writeString(store.folder().resolve("MILLRACE"), "store=lmdb\nformat=1\n");

    CommandRun run = inspect();
    CommandRun verbose = inspect("--verbose");

    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "millrace: store header is damaged, restore it from a backup: file="
                + store.folder().resolve("MILLRACE"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT);
    assertThat(verbose.err()).contains("\tat io.millrace.");
  }

  @Test
  void verify_soundStore_isOk() {
    CommandRun run = CommandRun.of("verify", store.path());
    CommandRun json = CommandRun.of("verify", store.path(), "--json");

    assertThat(run.out())
        .isEqualToIgnoringNewLines("ok: 3 queues, 4 jobs, 0 problems, 0 rows set aside as damaged");
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(json.out())
        .isEqualToIgnoringNewLines(
            """
            {"store":"lmdb:%s","clean":true,"queues":3,"jobs":4,"problemCount":0,"quarantined":0,\
            "problems":[]}\
            """
                .formatted(store.path()));
    assertThat(json.exitCode()).isEqualTo(ExitCode.OK);
  }

  private CommandRun inspect(String... options) {
    return PreparedStore.run("inspect", store, options);
  }

  /** The lines with one space between cells, and what depends on the time made the same. */
  private static List<String> table(CommandRun run) {
    return run.out()
        .lines()
        .map(line -> line.replaceAll(" +", " ").replaceAll("\\b\\d\\.\\d\\d s\\b", "AGE"))
        .toList();
  }
}
