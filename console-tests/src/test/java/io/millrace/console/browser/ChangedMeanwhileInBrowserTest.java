package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Pages of things that have changed since they were loaded. */
class ChangedMeanwhileInBrowserTest extends BrowserTest {

  private static final List<String> OF_JAVA = List.of("Exception", "\tat ", "io.millrace.");

  private final Shown shown = show().enter();

  private String notice() {
    return chrome.text("[role=status]");
  }

  private void assertNoJava() {
    assertThat(chrome.text()).doesNotContain(OF_JAVA);
  }

  @Test
  void jobThatDiesWhileLookedAt_pageSaysSoAfterAReloadAndOffersToRedriveIt() {
    JobId job = shown.enqueue("mail", "x");
    Lease lease = shown.claim("mail");
    lease.extend(Shown.LEASE).orThrow();
    shown.open(job);
    assertThat(chrome.text(".state")).isEqualTo("leased");

    lease.fail("no such address", FailOptions.PERMANENT).orThrow();
    chrome.reload();

    assertThat(chrome.text(".state")).isEqualTo("dead");
    assertThat(chrome.text()).contains("no such address", "died", "Redrive");
    assertThat(chrome.hasClickable("Take from its worker")).isFalse();
  }

  @Test
  void jobThatDiesWhileLookedAt_actionOfBeforeSaysWhyNotAndShowsIt() {
    JobId job = shown.enqueue("mail", "x");
    Lease lease = shown.claim("mail");
    lease.extend(Shown.LEASE).orThrow();
    shown.open(job);

    lease.fail("no such address", FailOptions.PERMANENT).orThrow();
    chrome.click("Take from its worker");

    assertThat(notice()).startsWith("job.release: ").doesNotContain("released");
    assertThat(chrome.text(".state")).isEqualTo("dead");
    assertNoJava();
    assertThat(shown.state(job)).isEqualTo(JobState.DEAD);
  }

  @Test
  void deadLetterThatAnotherHasRedriven_redriveSaysThatItIsNotDead() {
    JobId job = shown.dead("mail", "no such address");
    shown.open(job);

    shown.engine.queue("mail").deadLetters().redrive(job).orThrow();
    chrome.click("Redrive");

    assertThat(notice()).isEqualTo("job.redrive: not dead");
    assertThat(chrome.text(".state")).isEqualTo("ready");
    assertNoJava();
  }

  @Test
  void jobThatIsDoneMeanwhile_actionSaysThatItIsGoneAndLeadsToTheJobs() {
    JobId job = shown.enqueue("mail", "x");
    shown.open(job);

    shown.claim("mail").complete().orThrow();
    chrome.click("Run now");

    assertThat(chrome.heading()).isEqualTo("Jobs");
    assertThat(notice()).isEqualTo("job.reschedule: gone");
    assertNoJava();
  }

  @Test
  void jobThatIsDoneMeanwhile_reloadSaysThatThereIsNone() {
    JobId job = shown.enqueue("mail", "x");
    shown.open(job);

    shown.claim("mail").complete().orThrow();
    chrome.reload();

    assertThat(chrome.heading()).isEqualTo("Error 404");
    assertThat(chrome.text("[role=alert]")).isEqualTo("no job: id=" + job);
    assertThat(chrome.awaitLog(1)).singleElement().asString().contains("404");
  }

  @Test
  void sessionThatEnded_actionAsksForTheTokenAndChangesNothing() {
    JobId job = shown.dead("mail", "no such address");
    shown.open(job);

    chrome.forgetCookies();
    chrome.click("Redrive");

    assertThat(chrome.text()).contains("token");
    assertNoJava();
    assertThat(shown.state(job)).isEqualTo(JobState.DEAD);
    assertThat(chrome.awaitLog(1)).singleElement().asString().contains("401");
  }

  @Test
  void engineThatIsClosed_everyPageAndActionSaysSoInASentence() {
    JobId job = shown.dead("mail", "no such address");
    shown.open(job);

    shown.engine.close();
    chrome.click("Redrive");
    assertClosed();
    for (String page : List.of("/", "/queues", "/jobs", "/dead", "/running", "/keys", "/verify")) {
      shown.open(page);
      assertClosed();
    }
    shown.open("/store");

    assertThat(chrome.text()).contains("The engine is closed");
    assertThat(chrome.awaitLog(8)).allSatisfy(line -> assertThat(line).contains("503"));
  }

  private void assertClosed() {
    assertThat(chrome.heading()).isEqualTo("Error 503");
    assertThat(chrome.text("[role=alert]")).isEqualTo("The engine is closed.");
  }

  @Test
  @Clicks("engine.reopen")
  void engineWhoseDiskHasFailed_overviewSaysSo_andItIsOpenedAgain() {
    FaultyStore machine = new FaultyStore(1);
    EngineOptions options =
        EngineOptions.DEFAULT.reopenAfter(List.of()).management(EngineOptions.Management.OFF);
    Shown failing =
        show(JobEngine.open(machine, StoreOptions.of(Path.of("console")), options)).enter();
    JobId job = failing.enqueue("mail", "x");
    machine.failNext(StoreCall.SYNC, Fault.BEFORE);
    Assertions.assertThatThrownBy(() -> failing.enqueue("mail", "y"))
        .isInstanceOf(OutcomeUnknownException.class);

    chrome.reload();
    assertThat(chrome.text("[role=alert]")).startsWith("The engine is poisoned: ");
    chrome.click("More about the store");
    assertThat(chrome.text()).contains("The engine is poisoned");
    chrome.click("Open again…");
    chrome.click("Yes, do it");

    assertThat(notice()).isEqualTo("engine.reopen: reopened");
    assertThat(chrome.text()).contains("The engine is up");
    assertThat(failing.engine.get(job)).isPresent();
  }
}
