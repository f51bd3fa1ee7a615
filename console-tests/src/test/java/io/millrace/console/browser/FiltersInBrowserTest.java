package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.console.act.Filters;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The form above the list of jobs, and the pages of that list. */
class FiltersInBrowserTest extends BrowserTest {

  private static final String FAR_FUTURE = "2100-01-31T12:00:00Z";
  private static final String FAR_PAST = "2000-01-31T12:00:00Z";

  private final Shown shown = show().enter();

  /** Shows the jobs that meet one condition, by the form. */
  private void show(String key, String value) {
    shown.open("/jobs");
    chrome.fill(key, value);
    chrome.click("Show");
    assertThat(chrome.heading()).isEqualTo("Jobs");
    assertThat(chrome.value(key)).as("the form has what was asked for").isEqualTo(value);
  }

  private List<String> jobs() {
    return chrome.texts("tbody th");
  }

  @Test
  void texts_eachOfThem_showThoseThatMeetIt() {
    JobId plain = shown.enqueue("thumbnails", "x");
    EnqueueOptions options = EnqueueOptions.DEFAULT;
    JobId tenant = shown.enqueue(new QueueName("mail", "acme"), "x", options);
    JobId type = shown.enqueue("mail", "x", options.type("welcome"));
    JobId unique = shown.enqueue("mail", "x", options.unique("u-7"));
    JobId keyed = shown.enqueue("mail", "x", options.concurrencyKey("c-7"));
    JobId urgent = shown.enqueue("urgent", "x", options.priority(5));
    BatchId batch =
        Batch.of("import").add(QueueName.of("rows"), NewJob.of(new byte[] {1})).start(shown.engine);
    Lease lease = shown.claim("rows");
    lease.extend(Shown.LEASE).orThrow(); // so that it is stored, and its attempt seen
    JobId inBatch = lease.jobId();
    JobId failed = shown.dead("orders", "connection refused");
    JobId stuck = shown.enqueue("approvals", "x");
    shown.claim("approvals").waitFor("approval").orThrow();

    Map<String, Map.Entry<String, List<JobId>>> cases = new LinkedHashMap<>();
    cases.put("queueName", Map.entry("urgent", List.of(urgent)));
    cases.put("tenant", Map.entry("acme", List.of(tenant)));
    cases.put("type", Map.entry("welcome", List.of(type)));
    cases.put("uniqueKey", Map.entry("u-7", List.of(unique)));
    cases.put("concurrencyKey", Map.entry("c-7", List.of(keyed)));
    cases.put("batch", Map.entry(batch.toString(), List.of(inBatch)));
    cases.put("priority", Map.entry("1..10", List.of(urgent)));
    cases.put("attempts", Map.entry("1", List.of(inBatch, failed)));
    cases.put("enqueuedSince", Map.entry(FAR_FUTURE, List.of()));
    cases.put("enqueuedBefore", Map.entry(FAR_PAST, List.of()));
    cases.put("stuckBefore", Map.entry(FAR_FUTURE, List.of(stuck)));
    cases.put("errorContains", Map.entry("refused", List.of(failed)));
    assertThat(cases.keySet()).as("the filters").isEqualTo(Filters.TEXTS.keySet());
    cases.forEach(
        (key, each) -> {
          show(key, each.getKey());
          assertThat(jobs())
              .as(key)
              .containsExactlyInAnyOrderElementsOf(
                  each.getValue().stream().map(JobId::toString).toList());
        });

    chrome.click("All");
    assertThat(jobs()).hasSize(9).contains(plain.toString());
    show("enqueuedSince", FAR_PAST);
    assertThat(jobs()).hasSize(9);
    show("enqueuedBefore", FAR_FUTURE);
    assertThat(jobs()).hasSize(9);
  }

  @Test
  void text_thatIsWrong_isRefusedInASentence() {
    shown.open("/jobs");

    chrome.fill("priority", "high");
    chrome.click("Show");

    assertThat(chrome.heading()).isEqualTo("Error 400");
    assertThat(chrome.text("[role=alert]")).contains("priority", "high");
    assertThat(chrome.awaitLog(1)).singleElement().asString().contains("400");
  }

  @Test
  void states_eachOfThem_showJobsInIt() {
    AllKinds.of(shown);

    for (JobState state : JobState.values()) {
      String word = word(state);
      shown.open("/jobs");
      chrome.tick("state", word);
      chrome.click("Show");
      assertThat(new HashSet<>(chrome.texts("tbody .state"))).as(word).isEqualTo(Set.of(word));
    }
    shown.open("/jobs");
    chrome.tick("state", "dead");
    chrome.tick("state", "ready");
    chrome.click("Show");
    assertThat(new HashSet<>(chrome.texts("tbody .state"))).isEqualTo(Set.of("dead", "ready"));
  }

  private static String word(JobState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  @Test
  void pages_ofJobsWhileOthersCome_showEachOnce() {
    Set<String> before = new HashSet<>();
    for (int i = 0; i < 230; i++) {
      before.add(shown.enqueue("mail", "x").toString());
    }

    shown.open("/jobs?queueName=mail");
    List<String> firstPage = jobs();
    Set<String> seen = new HashSet<>(firstPage);
    int pages = 1;
    while (chrome.hasClickable("Next page")) {
      shown.enqueue("mail", "later", EnqueueOptions.DEFAULT.delay(Duration.ofHours(1)));
      chrome.click("Next page");
      pages++;
      jobs().forEach(job -> assertThat(seen.add(job)).as(job).isTrue());
    }
    chrome.click("First page");

    assertThat(pages).isGreaterThan(2);
    assertThat(seen).containsAll(before);
    assertThat(jobs()).isEqualTo(firstPage);
  }
}
