package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.worker.Worker;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Pages that show by themselves what has changed. */
class LiveInBrowserTest extends BrowserTest {

  /** The pixels of a chart that are drawn in a colour that is not grey: lines, and not the grid. */
  private static final String COLOURED_PIXELS =
      "(id => { const c = document.getElementById(id);"
          + "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
          + "let n = 0; for (let i = 0; i < d.length; i += 4) {"
          + "  const most = Math.max(d[i], d[i + 1], d[i + 2]);"
          + "  const least = Math.min(d[i], d[i + 1], d[i + 2]);"
          + "  if (d[i + 3] > 100 && most - least > 60) n++; }"
          + "return n; })";

  private final Shown shown = show();

  private String figure(String name) {
    return chrome.text("[data-live=" + name + "]");
  }

  @Test
  void overview_jobsRunAndDie_countsAndChartsFollowWithoutALoad() {
    JobType<String> type = JobType.of("mail", Codec.TEXT);
    Semaphore mayRun = new Semaphore(0);
    for (int i = 0; i < 30; i++) {
      assertThat(shown.engine.enqueue(type, "mail " + i).jobId()).isNotNull();
    }
    closing(
        Worker.on(shown.engine)
            .concurrency(2)
            .handle(type, (text, job) -> mayRun.acquire())
            .start());
    shown.enter();
    chrome.await("the first look", () -> List.of("28", "30").contains(figure("ready")));
    chrome.js("window.isTheSamePage = true");

    mayRun.release(20);
    shown.dead("orders", "no such item");
    chrome.await("fewer jobs", () -> figure("ready").equals("8") && figure("leased").equals("2"));
    chrome.await("a dead letter", () -> figure("dead").equals("1"));

    assertThat(chrome.js("return window.isTheSamePage")).isEqualTo(true);
    for (String chart : List.of("rates", "depths", "waits", "runs")) {
      assertThat(chrome.number(COLOURED_PIXELS + "('" + chart + "')")).as(chart).isPositive();
    }
    assertThat(chrome.has("[data-live=dead] a")).as("it is a link still").isTrue();
    mayRun.release(100);
  }

  @Test
  void running_anotherJobBegins_isShownWithoutALoad() {
    JobType<String> type = JobType.of("reports", Codec.TEXT);
    Semaphore mayEnd = new Semaphore(0);
    Worker worker =
        Worker.on(shown.engine)
            .handle(
                type,
                (text, job) -> {
                  job.progress(0.5, "half of " + text);
                  mayEnd.acquire();
                })
            .start();
    Shown watched = closing(new Shown(chrome, shown.engine, setup -> setup.worker(worker)));
    closing(worker);
    watched.enter();
    watched.open("/running");
    chrome.js("window.isTheSamePage = true");
    assertThat(chrome.text("#running")).contains("None.");

    assertThat(shown.engine.enqueue(type, "spring").jobId()).isNotNull();
    chrome.await("the job", () -> chrome.text("#running").contains("half of spring"));

    assertThat(chrome.js("return window.isTheSamePage")).isEqualTo(true);
    assertThat(chrome.number("document.querySelector('progress').value * 100")).isEqualTo(50);
    chrome.click(chrome.text("#running summary")); // the thread
    assertThat(chrome.text("#running pre")).contains("Semaphore.acquire");
    mayEnd.release(100);
  }
}
