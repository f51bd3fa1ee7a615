package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.console.access.Guard;
import io.millrace.console.hook.Role;
import io.millrace.console.hook.Visitor;
import io.millrace.console.http.Parameters;
import io.millrace.console.http.Request;
import io.millrace.console.http.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {

  private final ConsoleRig rig = new ConsoleRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private Response ask(String method, String path, Map<String, String> headers, String form) {
    return rig.app.answer(ConsoleRig.request(method, path, headers, form));
  }

  private Response get(String path, Map<String, String> headers) {
    return ask("GET", path, headers, "");
  }

  private static Map<String, String> with(Map<String, String> headers, String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return more;
  }

  private static Map<String, String> bearer(String token) {
    return Map.of("authorization", "Bearer " + token);
  }

  /** Returns the token of the forms that a page has. */
  private String formToken(Map<String, String> browser) {
    rig.enqueue("mail", "x");
    Matcher matcher =
        Pattern.compile("name=\"_form\" value=\"([^\"]+)\"")
            .matcher(ConsoleRig.text(get("/queue?queueName=mail", browser)));
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  @Test
  void get_withoutToken_asksForIt() {
    Response page = get("/queues", Map.of());
    Response api = get("/api/v1/queues", Map.of());

    assertThat(page.status()).isEqualTo(401);
    assertThat(ConsoleRig.text(page)).contains("name=\"token\"");
    assertThat(api.status()).isEqualTo(401);
    assertThat(api.headers()).containsEntry("WWW-Authenticate", "Bearer");
    assertThat(ConsoleRig.text(api)).startsWith("{\"error\":\"A token is needed");
  }

  @Test
  void get_wrongToken_isRefused() {
    assertThat(get("/api/v1/queues", bearer("operate-012345678X")).status()).isEqualTo(401);
    assertThat(get("/queues", Map.of("cookie", Guard.COOKIE + "=made-up")).status()).isEqualTo(401);
  }

  @Test
  void login_rightToken_beginsASessionWhoseCookieScriptsAndOtherSitesDoNotSee() {
    Response response = ask("POST", "/login", Map.of(), "token=" + ConsoleRig.OPERATE);

    assertThat(response.status()).isEqualTo(303);
    assertThat(response.headers().get("Set-Cookie"))
        .contains("HttpOnly", "SameSite=Strict", "Path=/");
    assertThat(get("/queues", rig.loggedIn(ConsoleRig.OPERATE)).status()).isEqualTo(200);
  }

  @Test
  void login_byLink_leadsToTheAddressWithoutTheToken() {
    Response response = get("/?token=" + ConsoleRig.OPERATE, Map.of());

    assertThat(response.status()).isEqualTo(303);
    assertThat(response.headers()).containsEntry("Location", "/").containsKey("Set-Cookie");
  }

  @Test
  void login_tenWrongTokensInAMinute_triesNoMoreUntilItIsOver() {
    for (int i = 0; i < 10; i++) {
      assertThat(ask("POST", "/login", Map.of(), "token=wrong").status()).isEqualTo(401);
    }

    Response eleventh = ask("POST", "/login", Map.of(), "token=" + ConsoleRig.OPERATE);
    rig.nowNs.addAndGet(Duration.ofMinutes(1).toNanos());
    Response later = ask("POST", "/login", Map.of(), "token=" + ConsoleRig.OPERATE);

    assertThat(eleventh.status()).isEqualTo(429);
    assertThat(later.status()).isEqualTo(303);
  }

  @Test
  void login_wrongTokensFromElsewhere_lockNobodyOut() {
    for (int i = 0; i < 10; i++) {
      Request guess = ConsoleRig.request("POST", "/login", Map.of(), "token=wrong");
      assertThat(rig.app.answer(ConsoleRig.from("192.0.2." + i % 2, guess)).status())
          .isEqualTo(401);
    }

    Response here = ask("POST", "/login", Map.of(), "token=" + ConsoleRig.OPERATE);

    assertThat(here.status()).isEqualTo(303);
  }

  @Test
  void session_afterTwelveHours_isOver() {
    Map<String, String> browser = rig.loggedIn(ConsoleRig.OPERATE);
    rig.nowNs.addAndGet(Duration.ofHours(12).toNanos());

    assertThat(get("/queues", browser).status()).isEqualTo(401);
  }

  @Test
  void logout_endsTheSession() {
    Map<String, String> browser = rig.loggedIn(ConsoleRig.OPERATE);
    String form = "_form=" + formToken(browser);

    Response response = ask("POST", "/logout", browser, form);

    assertThat(response.status()).isEqualTo(303);
    assertThat(get("/queues", browser).status()).isEqualTo(401);
  }

  @Test
  void anything_forAnotherName_isRefused() {
    Response other =
        get("/queues", with(bearer(ConsoleRig.OPERATE), "host", "evil.example.com:7070"));
    Response own = get("/queues", with(bearer(ConsoleRig.OPERATE), "host", "ops.example.org"));
    Response six = get("/queues", with(bearer(ConsoleRig.OPERATE), "host", "[::1]:7070"));

    assertThat(other.status()).isEqualTo(421);
    assertThat(ConsoleRig.text(other)).contains("evil.example.com");
    assertThat(own.status()).isEqualTo(200);
    assertThat(six.status()).isEqualTo(200);
  }

  @Test
  void change_byReader_isRefused() {
    JobId job = rig.enqueue("mail", "x");

    Response response =
        ask("POST", "/api/v1/actions/job.cancel", bearer(ConsoleRig.READ), "id=" + job);

    assertThat(response.status()).isEqualTo(403);
    assertThat(rig.engine.get(job)).isPresent();
    assertThat(ConsoleRig.text(get("/jobs/" + job, bearer(ConsoleRig.READ))))
        .contains("read only")
        .doesNotContain("<button>Run now");
  }

  @Test
  void change_bySessionWithoutFormToken_isRefused() {
    JobId job = rig.enqueue("mail", "x");
    Map<String, String> browser = rig.loggedIn(ConsoleRig.OPERATE);

    Response without = ask("POST", "/actions/job.cancel", browser, "id=" + job);
    Response wrong = ask("POST", "/actions/job.cancel", browser, "_form=x&id=" + job);

    assertThat(without.status()).isEqualTo(403);
    assertThat(wrong.status()).isEqualTo(403);
    assertThat(rig.engine.get(job)).isPresent();
  }

  @Test
  void change_ofAnotherSite_isRefusedThoughTheFormTokenIsRight() {
    JobId job = rig.enqueue("mail", "x");
    Map<String, String> browser = rig.loggedIn(ConsoleRig.OPERATE);
    String form = "_form=" + formToken(browser) + "&id=" + job;

    Response origin =
        ask(
            "POST",
            "/actions/job.cancel",
            with(browser, "origin", "http://evil.example.com"),
            form);
    Response sandboxed = ask("POST", "/actions/job.cancel", with(browser, "origin", "null"), form);
    Response fetched =
        ask("POST", "/actions/job.cancel", with(browser, "sec-fetch-site", "cross-site"), form);
    boolean wasThere = rig.engine.get(job).isPresent();
    Response own =
        ask("POST", "/actions/job.cancel", with(browser, "origin", "http://127.0.0.1:7070"), form);

    assertThat(origin.status()).isEqualTo(403);
    assertThat(sandboxed.status()).isEqualTo(403);
    assertThat(fetched.status()).isEqualTo(403);
    assertThat(wasThere).isTrue();
    assertThat(own.status()).isEqualTo(303);
    assertThat(rig.engine.get(job)).isEmpty();
  }

  @Test
  void change_throughAProxyThatChangesTheName_isMadeIfTheBrowserSaysThatItIsOfTheSameSite() {
    JobId job = rig.enqueue("mail", "x");
    Map<String, String> browser = rig.loggedIn(ConsoleRig.OPERATE);
    String form = "_form=" + formToken(browser) + "&id=" + job;
    Map<String, String> proxied = with(browser, "origin", "https://ops.example.org");

    Response untold = ask("POST", "/actions/job.cancel", proxied, form);
    Response told =
        ask("POST", "/actions/job.cancel", with(proxied, "sec-fetch-site", "same-origin"), form);

    assertThat(untold.status()).isEqualTo(403);
    assertThat(told.status()).isEqualTo(303);
    assertThat(rig.engine.get(job)).isEmpty();
  }

  @Test
  void change_byGet_isNoChange() {
    JobId job = rig.enqueue("mail", "x");

    Response response = get("/api/v1/actions/job.cancel?id=" + job, bearer(ConsoleRig.OPERATE));

    assertThat(response.status()).isEqualTo(405);
    assertThat(rig.engine.get(job)).isPresent();
  }

  @Test
  void change_comesBackToThePageOfTheFormButToNoOtherSite() {
    Map<String, String> browser = rig.loggedIn(ConsoleRig.OPERATE);
    String form = "_form=" + formToken(browser) + "&queueName=mail&back=";

    assertThat(ask("POST", "/actions/queue.pause", browser, form + "/queues").headers())
        .containsEntry("Location", "/queues");
    assertThat(ask("POST", "/actions/queue.pause", browser, form + "//evil.com/").headers())
        .containsEntry("Location", "/");
    assertThat(ask("POST", "/actions/queue.pause", browser, form + "http://evil.com/").headers())
        .containsEntry("Location", "/");
  }

  @Test
  void change_isWrittenDown() {
    JobId job = rig.enqueue("mail", "x");

    rig.post("/api/v1/actions/job.cancel", "id=" + job);

    assertThat(rig.audited).hasSize(1);
    assertThat(rig.audited.get(0).visitor()).isEqualTo("operator");
    assertThat(rig.audited.get(0).action()).isEqualTo("job.cancel");
    assertThat(rig.audited.get(0).parameters()).containsEntry("id", job.toString());
    assertThat(rig.audited.get(0).outcome()).isEqualTo("CANCELLED");
  }

  @Test
  void everyAnswer_hasThePolicy() {
    for (String path : new String[] {"/", "/nothing", "/assets/console.css", "/api/v1/queues"}) {
      assertThat(get(path, bearer(ConsoleRig.OPERATE)).headers().get("Content-Security-Policy"))
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
    }
  }

  @Test
  void program_tenWrongTokensInAMinute_triesNoMoreButPeopleStillLogIn() {
    for (int i = 0; i < 10; i++) {
      assertThat(get("/api/v1/queues", bearer("wrong")).status()).isEqualTo(401);
    }

    assertThat(get("/api/v1/queues", bearer(ConsoleRig.OPERATE)).status()).isEqualTo(429);
    assertThat(get("/queues", rig.loggedIn(ConsoleRig.OPERATE)).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/\t/evil.com",
        "/\n/evil.com",
        "/\\evil.com",
        "//evil.com",
        "http://evil.com",
        "javascript:1"
      })
  void back_ofAnotherSite_isTakenNeitherByActionsNorByQuestions(String back) {
    Map<String, String> browser = rig.loggedIn(ConsoleRig.OPERATE);
    String given = "queueName=mail&back=" + Parameters.encoded(back);
    String form = "_form=" + formToken(browser) + "&" + given;

    Response done = ask("POST", "/actions/queue.pause", browser, form);
    Response question = get("/confirm?action=queue.delete&" + given, browser);

    assertThat(done.headers()).containsEntry("Location", "/");
    assertThat(ConsoleRig.text(question)).contains("href=\"/\">No").doesNotContain("evil.com");
  }

  @Test
  void consoles_onPortsOfOneHost_leaveEachOthersCookiesAlone() {
    Map<String, String> browser = rig.loggedIn(ConsoleRig.OPERATE);
    Response other =
        ask("POST", "/login", Map.of("host", "127.0.0.1:7071"), "token=" + ConsoleRig.OPERATE);

    assertThat(other.headers().get("Set-Cookie").split("=")[0])
        .isNotEqualTo(String.valueOf(browser.get("cookie")).split("=")[0]);
    Response odd =
        ask("POST", "/login", Map.of("host", "localhost:1;x=2"), "token=" + ConsoleRig.OPERATE);
    assertThat(odd.headers().get("Set-Cookie")).startsWith(Guard.COOKIE + "_12=");
  }

  @Test
  void anything_forTheLoopbackInAnotherForm_isAnswered() {
    for (String host : List.of("[0:0:0:0:0:0:0:1]:7070", "[::1]", "LOCALHOST:7070")) {
      assertThat(get("/queues", with(bearer(ConsoleRig.OPERATE), "host", host)).status())
          .as(host)
          .isEqualTo(200);
    }
    assertThat(get("/queues", with(bearer(ConsoleRig.OPERATE), "host", "[::2]")).status())
        .isEqualTo(421);
  }

  @Test
  void check_thatThrows_refusesAndTellsNobodyWhy() {
    try (ConsoleRig own =
        ConsoleRig.checkedBy(
            request -> {
              throw new IllegalArgumentException("session of ada is damaged");
            })) {
      Response response = own.app.answer(ConsoleRig.request("GET", "/queues", Map.of(), ""));

      assertThat(response.status()).isEqualTo(403);
      assertThat(ConsoleRig.text(response)).doesNotContain("ada");
    }
  }

  @Test
  void check_programThatAsksOften_endsNobodysSession() {
    try (ConsoleRig own =
        ConsoleRig.checkedBy(
            request -> request.header("x-user").map(user -> new Visitor(user, Role.OPERATE)))) {
      own.enqueue("mail", "x");
      Map<String, String> ada = Map.of("x-user", "ada");
      Response page = own.app.answer(ConsoleRig.request("GET", "/queue?queueName=mail", ada, ""));
      String cookie = page.headers().get("Set-Cookie").split(";")[0];
      String token =
          ConsoleRig.text(page).replaceAll("(?s).*?name=\"_form\" value=\"([^\"]+).*", "$1");
      for (int i = 0; i < 1_001; i++) {
        own.app.answer(
            ConsoleRig.request("GET", "/api/v1/history", Map.of("x-user", "monitor"), ""));
      }

      Response change =
          own.app.answer(
              ConsoleRig.request(
                  "POST",
                  "/actions/queue.pause",
                  with(ada, "cookie", cookie),
                  "queueName=mail&_form=" + token));
      Response without =
          own.app.answer(
              ConsoleRig.request("POST", "/api/v1/actions/queue.pause", ada, "queueName=mail"));

      Response byProgram =
          own.app.answer(
              ConsoleRig.request(
                  "POST",
                  "/api/v1/actions/queue.pause",
                  with(ada, "x-requested-with", "deploy"),
                  "queueName=mail"));

      assertThat(change.status()).isEqualTo(303);
      assertThat(without.status()).isEqualTo(403);
      assertThat(byProgram.status()).isEqualTo(200);
    }
  }

  @Test
  void change_isWrittenDownWithAllStatesAndWithoutPayload() {
    JobId job = rig.enqueue("mail", "x");

    rig.post("/api/v1/actions/job.update", "payload=secret&id=" + job);
    rig.post("/api/v1/actions/queue.purge", "queueName=mail&state=ready&state=dead");

    assertThat(rig.audited.get(0).parameters()).containsEntry("payload", "6 characters");
    assertThat(rig.audited.get(1).parameters()).containsEntry("state", "ready,dead");
  }

  @Test
  void change_auditThatThrows_isDoneAndWrittenDownOnce() {
    List<String> outcomes = new ArrayList<>();
    try (ConsoleRig own =
        new ConsoleRig(
            entry -> {
              outcomes.add(entry.outcome());
              throw new IllegalStateException("the database of audits is away");
            })) {
      JobId job = own.enqueue("mail", "x");

      Response response = own.post("/api/v1/actions/job.cancel", "id=" + job);

      assertThat(response.status()).isEqualTo(200);
      assertThat(outcomes).containsExactly("CANCELLED");
    }
  }
}
