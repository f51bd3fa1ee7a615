package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoginInBrowserTest extends BrowserTest {

  private final Shown shown = show();

  @Test
  void link_thatTheConsolePrints_leadsInAndLeavesNoTokenInTheAddress() {
    chrome.open(shown.console.link());

    assertThat(chrome.heading()).isEqualTo("Overview");
    assertThat(chrome.text()).contains("operator").doesNotContain("read only");
    assertThat(chrome.path()).isEqualTo("/");
  }

  @Test
  void form_rightToken_leadsIn() {
    chrome.open(shown.uri("/queues"));
    assertThat(chrome.heading()).isEqualTo("Log in");
    assertThat(chrome.awaitLog(1)).singleElement().asString().contains("401");
    assertThat(chrome.js("return document.activeElement.name")).isEqualTo("token");

    chrome.fill("token", Shown.OPERATE);
    chrome.click("Log in");

    assertThat(chrome.heading()).isEqualTo("Overview");
  }

  @Test
  void form_wrongToken_saysSoAndAsksAgain() {
    chrome.open(shown.uri("/login"));

    chrome.fill("token", "a wrong one 0123456789");
    chrome.click("Log in");

    assertThat(chrome.text("[role=status]")).isEqualTo("That is not the token.");
    assertThat(chrome.awaitLog(1)).singleElement().asString().contains("401");
    chrome.fill("token", Shown.OPERATE);
    chrome.enter("token");
    assertThat(chrome.heading()).isEqualTo("Overview");
  }

  @Test
  void form_tenWrongTokens_takesNoFurtherOneForAWhile() {
    chrome.open(shown.uri("/login"));
    for (int i = 0; i < 10; i++) {
      chrome.fill("token", "wrong " + i);
      chrome.enter("token");
    }

    chrome.fill("token", Shown.OPERATE);
    chrome.enter("token");

    assertThat(chrome.heading()).startsWith("Error 4");
    assertThat(chrome.text()).contains("too many");
    assertThat(chrome.awaitLog(11)).hasSize(11);
  }

  @Test
  void logOut_thenAnyPage_asksForTheToken() {
    shown.enter();

    chrome.click("Log out");
    assertThat(chrome.heading()).isEqualTo("Log in");
    shown.open("/jobs");

    assertThat(chrome.heading()).isEqualTo("Log in");
    assertThat(chrome.awaitLog(1)).singleElement().asString().contains("401");
  }

  @Test
  void form_tokenOfAReader_leadsInAndSaysThatItIsReadOnly() {
    shown.enterAsReader();

    assertThat(chrome.heading()).isEqualTo("Overview");
    assertThat(chrome.texts(".badge")).isEqualTo(List.of("read only"));
  }
}
