package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobType;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.Response;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PagesTest {

  private static final int PAGE_BYTES_MAX = 100_000;
  private static final String SCRIPT = "<script>alert('&\"1')</script>";

  private final ConsoleRig rig = new ConsoleRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private String page(String path) {
    Response response = rig.get(path);
    String text = ConsoleRig.text(response);
    assertThat(response.status()).as(text).isEqualTo(200);
    assertThat(response.headers()).containsEntry("Content-Type", "text/html; charset=utf-8");
    assertThat(response.body().length).isLessThan(PAGE_BYTES_MAX);
    return text;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/queues",
        "/jobs",
        "/dead",
        "/running",
        "/schedules",
        "/batches",
        "/keys",
        "/tables",
        "/tables/none",
        "/tasks",
        "/store",
        "/verify"
      })
  void page_emptyStore_isThere(String path) {
    assertThat(page(path)).contains("<h1>", "Orders");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/nothing", "/jobs/00000000000000010000000000000001", "/queue?queueName=none",
        "/batches/0000000000000001", "/tasks/7", "/assets/none.js"
      })
  void page_ofNothing_isNotFoundAndSaysSo(String path) {
    Response response = rig.get(path);

    assertThat(response.status()).isEqualTo(404);
    assertThat(ConsoleRig.text(response)).contains("Error 404");
  }

  @Test
  void overview_countsJobsByState() {
    rig.enqueue("mail", "1");
    rig.enqueue("mail", "2");
    rig.enqueue("mail", "3", EnqueueOptions.DEFAULT.delay(Duration.ofHours(1)));

    String page = page("/");

    assertThat(page).contains("<dd data-live=\"ready\">2</dd>", "<dd data-live=\"delayed\">1</dd>");
    assertThat(page).contains("/queue?queueName=mail&amp;tenant=");
  }

  @Test
  void jobs_byFilter_showsThoseThatMeetIt() {
    JobId mail = rig.enqueue("mail", "1", EnqueueOptions.DEFAULT.type("welcome"));
    JobId other = rig.enqueue("thumbnails", "2");

    String ofType = page("/jobs?type=welcome");
    String ofQueue = page("/jobs?queueName=thumbnails&state=ready");
    String none = page("/jobs?state=dead");

    assertThat(ofType).contains(mail.toString()).doesNotContain(other.toString());
    assertThat(ofQueue).contains(other.toString()).doesNotContain(mail.toString());
    assertThat(none).contains("There are no such jobs.");
  }

  @Test
  void jobs_ofAQueue_areThoseOfTheTenantThatTheFormHasOrOfAll() {
    JobId own = rig.enqueue("mail", "1");
    JobId other = rig.engine.queue(new QueueName("mail", "acme")).enqueue(new byte[0]).jobId();

    String untold = page("/jobs?queueName=mail&tenant=");
    String all = page("/jobs?queueName=mail&tenant=&allTenants=yes");

    assertThat(untold).contains(own.toString()).doesNotContain(other.toString());
    assertThat(untold).contains("name=\"allTenants\" value=\"yes\">");
    assertThat(all).contains(own.toString(), other.toString());
    assertThat(all).contains("name=\"allTenants\" value=\"yes\" checked>");
  }

  @Test
  void jobs_byHeader_showsThoseThatHaveItAndKeepsItInTheForm() {
    JobId with = rig.enqueue("mail", "1", EnqueueOptions.DEFAULT.header("trace", "a: <b>"));
    JobId without = rig.enqueue("mail", "2");

    String page = page("/jobs?header=" + Parameters.encoded("trace: a: <b>"));

    assertThat(page).contains(with.toString()).doesNotContain(without.toString());
    assertThat(page).contains("name=\"header\" value=\"trace: a: &lt;b>\"");
    assertThat(rig.get("/jobs?header=trace").status()).isEqualTo(400);
  }

  @Test
  void jobs_wrongFilter_saysWhatIsWrong() {
    Response response = rig.get("/jobs?priority=high");

    assertThat(response.status()).isEqualTo(400);
    assertThat(ConsoleRig.text(response)).contains("priority", "high");
  }

  @Test
  void jobs_moreThanAPage_leadsOnUntilAllWereShown() {
    for (int i = 0; i < 5; i++) {
      rig.enqueue("mail", "job " + i);
    }

    String path = "/jobs?size=2";
    int shown = 0;
    for (int pages = 0; !path.isEmpty() && pages < 10; pages++) {
      String page = page(path);
      shown += page.split("<th scope=\"row\">", -1).length - 1;
      int next = page.indexOf("\" rel=\"next\"");
      path =
          next < 0
              ? ""
              : page.substring(page.lastIndexOf("href=\"", next) + 6, next).replace("&amp;", "&");
    }

    assertThat(shown).isEqualTo(5);
  }

  @Test
  void job_showsItsPayloadIndentedAndWhyItDoesNotRun() {
    JobId job =
        rig.enqueue(
            "mail", "{\"to\":\"a@b.c\",\"n\":1.50}", EnqueueOptions.DEFAULT.header("k", "v"));
    rig.engine.queue("mail").pause();

    String page = page("/jobs/" + job);

    assertThat(page)
        .contains("&#34;to&#34; : &#34;a@b.c&#34;,\n  &#34;n&#34; : 1.50".replace("&#34;", "\""));
    assertThat(page).contains("k: v", "paused");
  }

  @Test
  void job_thatDied_showsItsErrorsAndOffersToRedriveIt() {
    rig.enqueue("mail", "x");
    JobId job = rig.die("mail", "connection refused\nat Mailer.send");

    String page = page("/jobs/" + job);

    assertThat(page).contains("connection refused\nat Mailer.send", "worker-1", "Redrive");
  }

  @Test
  void dead_groupsByQueueTypeAndFirstLine() {
    for (int i = 0; i < 3; i++) {
      rig.enqueue("mail", "x", EnqueueOptions.DEFAULT.type("welcome"));
      rig.die("mail", "connection refused\nattempt " + i);
    }
    rig.enqueue("mail", "y", EnqueueOptions.DEFAULT.type("bye"));
    rig.die("mail", "no such address");

    String page = page("/dead");

    assertThat(page).contains("connection refused", "no such address").doesNotContain("attempt 1");
    assertThat(page.indexOf("connection refused")).isLessThan(page.indexOf("no such address"));
    assertThat(page)
        .contains("errorLine=connection+refused&amp;state=dead".replace("&amp;state=dead", ""));
  }

  @Test
  void schedules_showsTheNextInstants() {
    Schedules.of(rig.engine)
        .put(
            Schedule.cron("nightly", "0 3 * * *", ZoneOffset.UTC)
                .enqueue(JobType.of("reports", Codec.TEXT), "all"));

    String page = page("/schedules");

    assertThat(page).contains("nightly", " 03:00:00</li>", "Run now", "Pause");
  }

  @Test
  void batch_showsItsCountsAndJobs() {
    BatchId batch =
        Batch.of("import")
            .add(new QueueName("rows", ""), NewJob.of(new byte[] {1}))
            .add(new QueueName("rows", ""), NewJob.of(new byte[] {2}))
            .start(rig.engine);

    assertThat(page("/batches")).contains(batch.toString(), "import");
    assertThat(page("/batches/" + batch)).contains("<dt>left</dt><dd>2</dd>", "Cancel…");
    assertThat(page("/jobs?batch=" + batch)).contains("rows");
  }

  @Test
  void keys_countsWhoRunsAndWhoWaits() {
    rig.engine.queue("mail").configure(settings -> settings.perKey(1));
    for (int i = 0; i < 3; i++) {
      rig.enqueue("mail", "x", EnqueueOptions.DEFAULT.concurrencyKey("customer-7"));
    }
    var lease = rig.engine.queue("mail").claim("worker-1", Duration.ofSeconds(30));

    assertThat(lease).isPresent();
    String counts = "<td class=\"number\">1</td><td class=\"number\">2</td>";
    String page = page("/keys");
    while (!page.contains(counts)) { // a lease is stored late: the test's time limit ends it
      page = page("/keys");
    }
    assertThat(page).contains("customer-7");
  }

  @Test
  void table_showsRowsWithAPrefix() {
    var table = rig.engine.table("customers", Codec.TEXT, Codec.TEXT);
    table.put("a-1", "Ada");
    table.put("b-1", "Bob");

    assertThat(page("/tables")).contains("/tables/customers");
    assertThat(page("/tables/customers?prefix=a")).contains("a-1", "Ada").doesNotContain("Bob");
  }

  @Test
  void everyPage_hostileTexts_showsThemAsText() {
    QueueName queue = new QueueName(SCRIPT, "t" + SCRIPT);
    EnqueueOptions hostile =
        EnqueueOptions.DEFAULT
            .type("type" + SCRIPT)
            .unique("unique" + SCRIPT)
            .concurrencyKey("key" + SCRIPT)
            .header("h" + SCRIPT, "v" + SCRIPT);
    byte[] payload =
        ("{\"a\": \"" + SCRIPT.replace("\"", "") + "\"").getBytes(StandardCharsets.UTF_8);
    rig.engine.queue(queue).enqueue(payload, hostile);
    var lease = rig.engine.queue(queue).claim("w" + SCRIPT, Duration.ofSeconds(30)).orElseThrow();
    lease.fail("error" + SCRIPT, FailOptions.PERMANENT).orThrow();
    JobId second = rig.engine.queue(queue).enqueue(payload, hostile).jobId();
    rig.engine.table("table" + SCRIPT, Codec.TEXT, Codec.TEXT).put(SCRIPT, SCRIPT);
    String encoded = Parameters.encoded("table" + SCRIPT);
    String queueQuery =
        "?queueName="
            + Parameters.encoded(queue.name())
            + "&tenant="
            + Parameters.encoded(queue.tenant());

    List<String> paths =
        List.of(
            "/",
            "/queues",
            "/queue" + queueQuery,
            "/jobs",
            "/jobs" + queueQuery,
            "/dead",
            "/keys",
            "/jobs/" + lease.jobId(),
            "/jobs/" + second,
            "/tables",
            "/confirm?action=jobs.delete&back=" + encoded + "&type=" + encoded,
            "/jobs?type=" + encoded,
            "/tables/" + encoded,
            "/queue?queueName=" + encoded);

    for (String path : paths) {
      String text = ConsoleRig.text(rig.get(path));
      assertThat(text).as(path).doesNotContain("<script>alert").doesNotContain("<script>");
      assertThat(text.split("<script ", -1).length - 1).as(path).isBetween(2, 3);
    }
  }

  @Test
  void page_engineIsClosed_saysSo() {
    rig.engine.close();

    Response page = rig.get("/queues");
    Response api = rig.get("/api/v1/queues");

    assertThat(page.status()).isEqualTo(503);
    assertThat(ConsoleRig.text(page)).contains("The engine is closed.");
    assertThat(ConsoleRig.text(api)).isEqualTo("{\"error\":\"The engine is closed.\"}");
  }
}
