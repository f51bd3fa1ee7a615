package io.millrace.console.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.console.http.Parameters;
import io.millrace.console.page.Section;
import io.millrace.worker.Schedule;
import io.millrace.worker.Schedules;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Texts that are scripts, wherever somebody may have put one: none runs, and all can be read. */
class HostileTextsInBrowserTest extends BrowserTest {

  /** A script for wherever a text may stand: between tags, in an attribute, a script or an URL. */
  private static final String SCRIPT =
      "'\"></script><script>window.hacked=1</script><img src=x onerror=\"window.hacked=2\">";

  private static final String URL = "javascript:window.hacked=3//" + SCRIPT;
  private static final String LINKS_TO_SCRIPTS =
      "return [...document.querySelectorAll('a, form')].map(it => it.href || it.action)"
          + ".filter(it => !it.startsWith('http'))";

  private static final QueueName QUEUE = new QueueName("q" + SCRIPT, "t" + SCRIPT);

  private final Semaphore mayEnd = new Semaphore(0);
  private final Shown first = show();

  private final Worker worker =
      Worker.on(first.engine)
          .name("w" + SCRIPT)
          .handle(
              JobType.of("type" + SCRIPT, Codec.TEXT),
              (text, job) -> {
                job.progress(0.5, "progress" + SCRIPT);
                mayEnd.acquire();
              })
          .start();

  private final Shown shown =
      closing(new Shown(chrome, first.engine, setup -> setup.worker(worker).name("n" + SCRIPT)));

  private static EnqueueOptions options() {
    return EnqueueOptions.DEFAULT
        .type(URL)
        .concurrencyKey("key" + SCRIPT)
        .header("h" + SCRIPT, "v" + SCRIPT);
  }

  private JobId dead() {
    JobId job =
        shown.enqueue(
            QUEUE, "{\"a\": \"" + SCRIPT.replace("\"", "\\\"") + "\"}", options().unique(SCRIPT));
    Lease lease = shown.engine.queue(QUEUE).claim("w" + SCRIPT, Shown.LEASE).orElseThrow();
    lease.checkpoint(SCRIPT.getBytes(UTF_8)).orThrow();
    lease.fail("error" + SCRIPT + "\n" + SCRIPT, FailOptions.PERMANENT).orThrow();
    return job;
  }

  private JobId done() {
    QueueName queue = QueueName.of("done" + SCRIPT);
    JobId job =
        shown.enqueue(queue, SCRIPT, EnqueueOptions.DEFAULT.resultRetention(Duration.ofDays(1)));
    shown
        .engine
        .queue(queue)
        .claim("w", Shown.LEASE)
        .orElseThrow()
        .complete(SCRIPT.getBytes(UTF_8))
        .orThrow();
    return job;
  }

  private JobId waiting() {
    QueueName queue = QueueName.of("waiting" + SCRIPT);
    JobId job = shown.enqueue(queue, SCRIPT, EnqueueOptions.DEFAULT);
    shown.engine.queue(queue).claim("w", Shown.LEASE).orElseThrow().waitFor("s" + SCRIPT).orThrow();
    return job;
  }

  /** Returns the paths of the pages that show such texts. */
  private List<String> pages() {
    List<String> pages = new ArrayList<>();
    for (Section section : Section.values()) {
      pages.add(section.path());
    }
    for (JobId job : List.of(dead(), done(), waiting())) {
      pages.add("/jobs/" + job);
    }
    pages.add("/jobs/" + shown.enqueue(QUEUE, SCRIPT, options()));
    BatchId batch =
        Batch.of("b" + SCRIPT).add(QUEUE, NewJob.of(new byte[] {1})).start(shown.engine);
    pages.add("/batches/" + batch);
    String encoded = Parameters.encoded(SCRIPT);
    pages.add("/queue?queueName=" + Parameters.encoded(QUEUE.name()) + "&tenant=t" + encoded);
    pages.add("/jobs?type=" + Parameters.encoded(URL) + "&errorLine=" + encoded);
    pages.add("/jobs?state=dead&errorContains=" + encoded);
    pages.add("/confirm?action=jobs.delete&back=" + Parameters.encoded(URL) + "&type=" + encoded);
    pages.add("/tables/" + Parameters.encoded("table" + SCRIPT).replace("+", "%20") + "?prefix=");
    return pages;
  }

  @Test
  void scripts_inEveryField_areTextOnEveryPage() {
    shown.engine.table("table" + SCRIPT, Codec.TEXT, Codec.TEXT).put(SCRIPT, SCRIPT);
    Schedules.of(shown.engine)
        .put(
            Schedule.cron("s" + SCRIPT, "0 3 * * *", ZoneOffset.UTC)
                .enqueue(JobType.of(URL, Codec.TEXT), SCRIPT));
    shown.engine.enqueue(JobType.of("type" + SCRIPT, Codec.TEXT), SCRIPT);
    List<String> pages = pages();
    closing(worker);

    shown.enter();
    shown.open("/running");
    chrome.await("the handler", () -> chrome.text("#running").contains("progress'"));
    for (String page : pages) {
      shown.open(page);
      assertThat(chrome.js("return window.hacked")).as(page).isNull();
      assertThat(chrome.title()).as(page).contains("window.hacked=1");
      assertThat(chrome.js(LINKS_TO_SCRIPTS)).as(page).isEqualTo(List.of());
      assertThat(chrome.takeLog()).as(page).isEmpty();
    }
    shown.open(pages.get(Section.values().length));
    assertThat(chrome.text())
        .contains("error" + SCRIPT, "h" + SCRIPT + ": v" + SCRIPT, "q" + SCRIPT, "key" + SCRIPT);
    mayEnd.release(100);
  }

  @Test
  void scripts_inAnActionsAnswer_areTextOfItsNotice() {
    shown.enter();
    shown.open("/store");
    chrome.fill("folder", "/proc/" + SCRIPT.replace("/", ":"));
    chrome.click("Back up");

    assertThat(chrome.text("[role=status]")).contains("window.hacked=1");
    assertThat(chrome.js("return window.hacked")).isNull();
    shown.open("/jobs/" + Parameters.encoded(SCRIPT));
    assertThat(chrome.heading()).startsWith("Error 4");
    assertThat(chrome.js("return window.hacked")).isNull();
    assertThat(chrome.awaitLog(1)).singleElement().asString().contains("/jobs/");
  }

  @Test
  void scripts_thatThePageItselfPutsIn_areRefusedByThePolicy() {
    shown.enter();

    chrome.js(
        "const it = document.createElement('script'); it.textContent = 'window.hacked = 4';"
            + "document.body.append(it);document.body.insertAdjacentHTML('beforeend', '<img src=x"
            + " onerror=window.hacked=5>')");
    assertThat(chrome.awaitLog(3))
        .anyMatch(line -> line.contains("inline script") && line.contains("Security Policy"))
        .anyMatch(line -> line.contains("event handler") && line.contains("Security Policy"))
        .anyMatch(line -> line.contains("404"));

    assertThat(chrome.js("return window.hacked")).isNull();
  }
}
