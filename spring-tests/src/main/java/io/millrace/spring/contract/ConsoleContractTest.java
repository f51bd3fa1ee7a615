package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The console in the server of an application that has a chain of Spring Security of its own. */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ConsoleContractTest {

  private static final String CONSOLE = "/shop/millrace";
  private static final QueueName MAIL = QueueName.of("mail");
  private static final Pattern FORM_TOKEN = Pattern.compile("name=\"_form\" value=\"([^\"]+)\"");

  private ConfigurableApplicationContext context;
  private Visits nobody;
  private JobQueues queues;
  private JobId job;

  @BeforeAll
  void start() {
    context =
        new SpringApplicationBuilder(ShopApplication.class)
            .web(WebApplicationType.SERVLET)
            .properties(
                "server.port=0",
                "server.servlet.context-path=/shop",
                "server.tomcat.threads.max=3",
                "server.tomcat.threads.min-spare=1",
                "millrace.location=memory:shop-" + getClass().getName(),
                "millrace.worker.enabled=false",
                "millrace.console.enabled=true",
                "millrace.console.role=OPS",
                "millrace.console.read-role=ROLE_STAFF")
            .run();
    nobody = Visits.to(context.getEnvironment().getRequiredProperty("local.server.port"));
    queues = context.getBean(JobQueues.class);
    job = queues.enqueue(JobType.of("mail", Codec.TEXT), "secret").jobId();
  }

  @AfterAll
  void stop() {
    context.close();
  }

  private boolean isPaused() {
    return queues.stats(MAIL).orElseThrow().serving() != QueueStats.Serving.ON;
  }

  /** Returns what the forms of a page have to carry. */
  private static String formToken(HttpResponse<String> page) {
    Matcher found = FORM_TOKEN.matcher(page.body());
    assertThat(found.find()).as(page.body()).isTrue();
    return found.group(1);
  }

  @Test
  void visitor_withoutLogin_isAskedForOne() {
    for (String path :
        List.of("/", "/jobs/" + job, "/api/v1/queues", "/live", "/assets/icon.svg")) {
      HttpResponse<String> answer = nobody.get(CONSOLE + path);
      assertThat(answer.statusCode()).as(path).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate"))
          .hasValueSatisfying(how -> assertThat(how).startsWith("Basic"));
    }
    assertThat(
            nobody.post(CONSOLE + "/api/v1/actions/queue.pause", "queueName", "mail").statusCode())
        .isEqualTo(401);
    assertThat(nobody.as("nobody").get(CONSOLE + "/").statusCode()).isEqualTo(401);
  }

  @Test
  void paths_thatTheApplicationOpened_areClosedInTheConsole(CapturedOutput output) {
    assertThat(nobody.get(CONSOLE + "/keys").statusCode()).isEqualTo(401);
    assertThat(nobody.as("ada").get(CONSOLE + "/keys").statusCode()).isEqualTo(200);
    assertThat(nobody.as("ada").get(CONSOLE + "/tables").statusCode()).isEqualTo(403);
    assertThat(output).contains("nobody gets into the console: no SecurityFilterChain");
  }

  @Test
  void visitor_withTheRole_seesEverythingBelowThePath() {
    for (String name : List.of("ada", "root")) {
      HttpResponse<String> page = nobody.as(name).get(CONSOLE + "/jobs/" + job);

      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body()).contains(name, "masked").doesNotContain("secret");
      assertThat(
              Pattern.compile("(?:href|src|action)=\"(/[^\"]*)\"").matcher(page.body()).results())
          .isNotEmpty()
          .allSatisfy(link -> assertThat(link.group(1)).startsWith(CONSOLE + "/"));
    }
    assertThat(nobody.as("ada").get(CONSOLE).statusCode()).isEqualTo(200);
    assertThat(nobody.as("ada").get(CONSOLE + "/assets/console.css").statusCode()).isEqualTo(200);
  }

  @Test
  void visitor_withTheRole_actsByForms() {
    Visits ada = nobody.as("ada");
    HttpResponse<String> page = ada.get(CONSOLE + "/queue?queueName=mail");
    Visits browser =
        ada.after(page)
            .with("Origin", nobody.root().toString())
            .with("Sec-Fetch-Site", "same-origin");

    HttpResponse<String> paused =
        browser.post(
            CONSOLE + "/actions/queue.pause",
            "_form",
            formToken(page),
            "back",
            "/queue?queueName=mail",
            "queueName",
            "mail");

    assertThat(paused.statusCode()).isEqualTo(303);
    assertThat(paused.headers().firstValue("Location")).hasValue(CONSOLE + "/queue?queueName=mail");
    assertThat(isPaused()).isTrue();
    assertThat(page.headers().firstValue("Set-Cookie"))
        .hasValueSatisfying(
            cookie ->
                assertThat(cookie)
                    .contains("Path=" + CONSOLE + "/", "HttpOnly", "SameSite=Strict")
                    .doesNotContain("Secure"));
    queues.queue(MAIL).resume();
  }

  @Test
  void forgedForm_withTheVisitorsLogin_changesNothing() {
    Visits ada = nobody.as("ada");
    HttpResponse<String> page = ada.get(CONSOLE + "/queue?queueName=mail");
    String[] form = {"_form", formToken(page), "queueName", "mail"};
    String action = CONSOLE + "/actions/queue.pause";

    assertThat(ada.after(page).post(action, "queueName", "mail").statusCode()).isEqualTo(403);
    assertThat(ada.post(action, form).statusCode()).isEqualTo(403);
    assertThat(
            ada.after(page)
                .with("Origin", "https://evil.example.com")
                .post(action, form)
                .statusCode())
        .isEqualTo(403);
    assertThat(ada.after(page).with("Sec-Fetch-Site", "cross-site").post(action, form).statusCode())
        .isEqualTo(403);
    assertThat(isPaused()).isFalse();
  }

  @Test
  void program_withTheRole_acts() {
    Visits program = nobody.as("ada").with("X-Requested-With", "curl");
    String actions = CONSOLE + "/api/v1/actions/";

    assertThat(program.post(actions + "queue.pause", "queueName", "mail").body())
        .contains("\"outcome\"");
    assertThat(isPaused()).isTrue();
    assertThat(program.post(actions + "queue.resume", "queueName", "mail").statusCode())
        .isEqualTo(200);
    assertThat(isPaused()).isFalse();
  }

  @Test
  void visitor_withTheReadRole_onlyLooks() {
    Visits sue = nobody.as("sue");

    HttpResponse<String> page = sue.get(CONSOLE + "/queue?queueName=mail");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("sue", "read only").doesNotContain("queue.pause");
    HttpResponse<String> acted =
        sue.after(page)
            .with("X-Requested-With", "curl")
            .post(CONSOLE + "/api/v1/actions/queue.pause", "queueName", "mail");
    assertThat(acted.statusCode()).isEqualTo(403);
    assertThat(acted.body()).contains("visitor may only look: visitor=sue");
    assertThat(isPaused()).isFalse();
  }

  @Test
  void visitor_withNeitherRole_seesNothing() {
    for (String path : List.of("/", "/jobs/" + job, "/api/v1/queues", "/live")) {
      HttpResponse<String> answer = nobody.as("eve").get(CONSOLE + path);
      assertThat(answer.statusCode()).as(path).isEqualTo(403);
      assertThat(answer.body()).contains("You may not use this console.");
    }
  }

  @Test
  void chainOfTheApplication_forOtherPaths_isWhatItWas() {
    Visits ada = nobody.as("ada");

    assertThat(nobody.get("/shop/open/hello").body()).isEqualTo("hello");
    assertThat(nobody.get("/shop/orders").statusCode()).isEqualTo(401);
    assertThat(ada.post("/shop/orders").statusCode()).isEqualTo(403);
    assertThat(ada.post("/shop/open/orders").statusCode()).isEqualTo(403);
    assertThat(ada.post("/shop/millraces").statusCode()).isEqualTo(403);
    for (String way :
        List.of("/millrace/../orders", "/millrace/%2e%2e/orders", "/millrace/..;/orders")) {
      assertThat(ada.post("/shop" + way).statusCode()).as(way).isBetween(400, 499);
    }
    assertThat(ada.get("/shop/orders").body()).isEqualTo("orders: 0");
  }

  @Test
  void liveFigures_ofMoreVisitorsThanTheServerHasThreads_comeAndLeaveItsThreadsAlone() {
    Visits ada = nobody.as("ada");
    List<Stream<String>> streams = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      HttpResponse<Stream<String>> live = ada.events(CONSOLE + "/live");
      assertThat(live.statusCode()).isEqualTo(200);
      assertThat(live.headers().firstValue("Content-Type")).hasValue("text/event-stream");
      streams.add(live.body());
    }

    assertThat(ada.get(CONSOLE + "/").statusCode()).isEqualTo(200);
    for (Stream<String> lines : streams) {
      assertThat(lines.filter(line -> line.startsWith("data:")).findFirst())
          .hasValueSatisfying(point -> assertThat(point).contains("\"ready\":"));
    }
    assertThat(nobody.as("eve").events(CONSOLE + "/live").statusCode()).isEqualTo(403);
    assertThat(ada.events(CONSOLE + "/nothing").statusCode()).isEqualTo(404);
  }

  @Test
  void requests_throughProxy_areOfTheNameThatPeopleUse() {
    Visits proxied =
        nobody
            .as("ada")
            .with("X-Forwarded-Proto", "https")
            .with("X-Forwarded-Host", "ops.example.org")
            .with("X-Forwarded-Prefix", "/front");

    HttpResponse<String> page = proxied.get(CONSOLE + "/queue?queueName=mail");
    HttpResponse<String> resumed =
        proxied
            .after(page)
            .with("Origin", "https://ops.example.org")
            .post(
                CONSOLE + "/actions/queue.resume",
                "_form",
                formToken(page),
                "back",
                "/queues",
                "queueName",
                "mail");

    assertThat(page.body()).contains("\"/front/millrace/queues\"").doesNotContain("\"/shop/");
    assertThat(page.headers().firstValue("Set-Cookie"))
        .hasValueSatisfying(
            cookie -> assertThat(cookie).contains("Path=/front/millrace/", "; Secure"));
    assertThat(resumed.statusCode()).isEqualTo(303);
    assertThat(resumed.headers().firstValue("Location"))
        .hasValueSatisfying(to -> assertThat(to).endsWith("/front/millrace/queues"));
  }

  @Test
  void form_withOtherLetters_arrivesAsItWasSent() {
    Visits program = nobody.as("ada").with("X-Requested-With", "curl");

    HttpResponse<String> answer =
        program.post(
            CONSOLE + "/api/v1/actions/job.update", "id", job.toString(), "payload", "Grüße & +1%");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(new String(queues.get(job).orElseThrow().payload(), StandardCharsets.UTF_8))
        .isEqualTo("Grüße & +1%");
  }

  @Test
  void address_thatIsNone_isRefused() {
    assertThat(nobody.as("ada").get(CONSOLE + "/jobs/none").statusCode()).isEqualTo(400);
    assertThat(nobody.as("ada").get(CONSOLE + "/nothing").statusCode()).isEqualTo(404);
  }
}
