package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store with a million jobs: no page waits for a walk through all of them. */
class MillionJobsInBrowserTest extends BrowserTest {

  private static final int COUNT = 1_000_000;
  private static final int PAGE_BYTES_MAX = 100_000;
  private static final Duration PAGE_TIME_MAX = Duration.ofSeconds(5);
  private static final List<String> QUEUES = List.of("mail", "thumbnails", "invoices", "webhooks");

  /** The calls that are under way at a time. */
  private static final int CALLS = 4;

  private static void fill(JobEngine engine) {
    int perCall = Limits.CALL_JOB_COUNT_MAX;
    List<NewJob> jobs =
        Collections.nCopies(perCall, new NewJob(new byte[8], EnqueueOptions.DEFAULT));
    List<CompletableFuture<List<EnqueueResult>>> calls = new ArrayList<>();
    for (int i = 0; i < COUNT / perCall; i++) {
      JobQueue queue = engine.queue(QUEUES.get(i % QUEUES.size())).with(Durability.BUFFERED);
      calls.add(queue.offerAllAsync(jobs));
      if (calls.size() >= CALLS) {
        assertThat(calls.remove(0).join()).hasSize(perCall);
      }
    }
    calls.forEach(call -> assertThat(call.join()).hasSize(perCall));
  }

  private void assertQuick(String page) {
    long sinceNs = System.nanoTime();
    chrome.goAway();
    chrome.open(shown.uri(page));
    Duration took = Duration.ofNanos(System.nanoTime() - sinceNs);

    assertThat(took).as(page).isLessThan(PAGE_TIME_MAX);
    assertThat(chrome.pageBytes()).as(page).isBetween(500L, (long) PAGE_BYTES_MAX);
  }

  private final Shown shown;

  MillionJobsInBrowserTest(@TempDir Path folder) {
    EngineOptions options = EngineOptions.DEFAULT.management(EngineOptions.Management.OFF);
    shown = show(JobEngine.open("lmdb:" + folder.resolve("store"), options));
  }

  @Test
  void pages_comeSoonAndSmall_listsLeadOnAndActionsCountAndStop() {
    fill(shown.engine);
    JobId last = shown.dead("orders", "no such item");
    shown.enter();

    assertThat(chrome.text("#queues + div")).contains("250,000");
    assertThat(chrome.text("[data-live=ready]")).isEqualTo("1,000,000");
    for (String page :
        List.of(
            "/",
            "/queues",
            "/queue?queueName=mail&tenant=",
            "/jobs",
            "/jobs?state=ready",
            "/dead",
            "/jobs?queueName=webhooks",
            "/jobs?state=dead",
            "/jobs?errorContains=item",
            "/running",
            "/schedules",
            "/batches",
            "/keys",
            "/tables",
            "/store",
            "/jobs/" + last,
            "/jobs?type=mail&priority=3",
            "/confirm?action=jobs.cancel&queueName=mail")) {
      assertQuick(page);
    }
    assertListLeadsOn();
    assertActionStops();
  }

  private void assertListLeadsOn() {
    shown.open("/jobs?queueName=thumbnails");
    Set<String> seen = new HashSet<>(chrome.texts("tbody th"));
    int before = seen.size();
    for (int page = 2; page <= 5; page++) {
      shown.enqueue("thumbnails", "another");
      chrome.click("Next page");
      chrome.texts("tbody th").forEach(job -> assertThat(seen.add(job)).as(job).isTrue());
    }
    assertThat(before).isGreaterThan(20);
    assertThat(seen).hasSize(5 * before);
  }

  private void assertActionStops() {
    shown.open("/jobs?queueName=invoices");
    chrome.click("Cancel all…");
    assertThat(chrome.text("main strong")).startsWith("At least ").endsWith(" jobs");
    chrome.click("Yes, do it");
    chrome.await("the count", () -> !chrome.text("#task").contains(" 0 of 0 jobs"));
    chrome.click("Stop");
    chrome.await("its end", () -> chrome.text("#task [role=status]").startsWith("stopped"));
    shown.open("/jobs?queueName=invoices");
    assertThat(chrome.texts("tbody th")).isNotEmpty();
  }
}
