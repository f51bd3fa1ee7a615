package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.millrace.api.JobQueues;
import io.millrace.console.hook.AccessCheck;
import io.millrace.console.hook.Role;
import io.millrace.console.hook.Visitor;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;

/** The ways into the console of an application, and what is said where there is none. */
@Tag("thorough")
@ExtendWith(OutputCaptureExtension.class)
public abstract class ConsoleAccessContractTest {

  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final String SECURITY = "org.springframework.security";
  private static final String TOKEN = "a-token-of-the-test";
  private static final Pattern LOGGED = Pattern.compile("path=/millrace/\\?token=([\\w-]{43});");

  /** Starts an application with a server; without one package, as if that were not there. */
  private static ConfigurableApplicationContext start(
      Class<?> application, @Nullable String missing, String... properties) {
    List<String> all = new ArrayList<>(Arrays.asList(properties));
    all.addAll(
        List.of(
            "server.port=0",
            "millrace.location=memory:console-" + NAMES.incrementAndGet(),
            "millrace.console.enabled=true"));
    ClassLoader loader =
        missing == null
            ? ConsoleAccessContractTest.class.getClassLoader()
            : new FilteredClassLoader(missing);
    return new SpringApplicationBuilder(new DefaultResourceLoader(loader), application)
        .web(WebApplicationType.SERVLET)
        .properties(all.toArray(String[]::new))
        .run();
  }

  private static Visits visits(ConfigurableApplicationContext context) {
    return Visits.to(context.getEnvironment().getRequiredProperty("local.server.port"));
  }

  @Test
  void application_withoutChainOfItsOwn_staysClosedAsSpringBootCloses() {
    try (var context =
        start(
            Contexts.Empty.class,
            null,
            "millrace.console.role=OPS",
            "spring.security.user.name=ada",
            "spring.security.user.password=ada",
            "spring.security.user.roles=OPS")) {
      Visits nobody = visits(context);

      assertThat(nobody.get("/anything").statusCode()).isEqualTo(401);
      assertThat(nobody.get("/millrace/").statusCode()).isEqualTo(401);
      assertThat(nobody.as("ada").get("/millrace/").statusCode()).isEqualTo(200);
      context.getBean(JobQueues.class).queue("mail").enqueue(new byte[0]);
      assertThat(
              nobody
                  .as("ada")
                  .with("X-Requested-With", "curl")
                  .post("/millrace/api/v1/actions/queue.pause", "queueName", "mail")
                  .statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void console_withoutSpringSecurity_asksForTheTokenOfTheRun(CapturedOutput output) {
    try (var context = start(Contexts.Empty.class, SECURITY)) {
      Matcher logged = LOGGED.matcher(output.getOut());
      assertThat(logged.find()).as(output.getOut()).isTrue();
      Visits nobody = visits(context);

      HttpResponse<String> entered = nobody.get("/millrace/?token=" + logged.group(1));

      assertThat(nobody.get("/millrace/queues").statusCode()).isEqualTo(401);
      assertThat(nobody.get("/millrace/?token=wrong").statusCode()).isEqualTo(401);
      assertThat(entered.statusCode()).isEqualTo(303);
      assertThat(entered.headers().firstValue("Location")).hasValue("/millrace/");
      assertThat(nobody.after(entered).get("/millrace/queues").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void console_withTokens_letsInByThemAndEndsWithTheApplication(CapturedOutput output) {
    long beganNs;
    Stream<String> live;
    try (var context =
        start(
            Contexts.Empty.class,
            SECURITY,
            "millrace.console.token=" + TOKEN,
            "millrace.console.read-token=" + TOKEN + "-to-look",
            "millrace.console.path=/ops/jobs")) {
      Visits operator = visits(context).with("Authorization", "Bearer " + TOKEN);
      Visits reader = visits(context).with("Authorization", "Bearer " + TOKEN + "-to-look");
      String pause = "/ops/jobs/api/v1/actions/queue.pause";
      context.getBean(JobQueues.class).queue("mail").enqueue(new byte[0]);

      assertThat(reader.get("/ops/jobs/queues").statusCode()).isEqualTo(200);
      assertThat(reader.post(pause, "queueName", "mail").statusCode()).isEqualTo(403);
      assertThat(operator.post(pause, "queueName", "mail").statusCode()).isEqualTo(200);
      assertThat(operator.get("/millrace/").statusCode()).isEqualTo(404);
      live = operator.events("/ops/jobs/live").body();
      assertThat(output).doesNotContain("console has a token for this run");
      beganNs = System.nanoTime();
    }

    assertThat(live.toList()).isNotEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(Duration.ofSeconds(15));
  }

  @Test
  void context_stoppedAndStarted_hasTheConsoleAgain() {
    try (var context = start(Contexts.Empty.class, SECURITY, "millrace.console.token=" + TOKEN)) {
      context.stop();
      context.start();
      Visits operator = visits(context).with("Authorization", "Bearer " + TOKEN);

      assertThat(operator.get("/millrace/queues").statusCode()).isEqualTo(200);
    }
  }

  /** An application that knows its visitors by a header. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Checked {

    @Bean
    AccessCheck check() {
      return request -> request.header("x-user").map(name -> new Visitor(name, Role.READ));
    }
  }

  @Test
  void console_withCheckOfTheApplication_letsInWhomThatKnows() {
    try (var context = start(Checked.class, SECURITY)) {
      Visits nobody = visits(context);

      assertThat(nobody.get("/millrace/queues").statusCode()).isEqualTo(403);
      assertThat(nobody.with("x-user", "ada").get("/millrace/queues").body())
          .contains("ada", "read only");
    }
    try (var context = start(Checked.class, null, "spring.security.user.password=user")) {
      Visits user = visits(context).as("user");

      assertThat(user.get("/millrace/queues").statusCode()).isEqualTo(403);
      assertThat(user.with("x-user", "ada").get("/millrace/queues").statusCode()).isEqualTo(200);
      assertThat(user.with("x-user", "ada").events("/millrace/live").statusCode()).isEqualTo(200);
    }
  }

  private static WebApplicationContextRunner web(String... properties) {
    return new WebApplicationContextRunner()
        .withUserConfiguration(Contexts.Empty.class)
        .withPropertyValues(
            "millrace.location=memory:console-" + NAMES.incrementAndGet(),
            "millrace.console.enabled=true")
        .withPropertyValues(properties);
  }

  private static void refuses(
      AbstractApplicationContextRunner<?, ?, ?> application, String... sentences) {
    application.run(
        context -> {
          assertThat(context.getStartupFailure()).isNotNull();
          assertThat(
                  Stream.iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause)
                      .map(Throwable::getMessage)
                      .collect(Collectors.joining("\n")))
              .contains(sentences);
        });
  }

  @Test
  void start_withSecurityAndNobodyNamed_saysWhatToSet() {
    refuses(web(), "nothing says who may use the console", "Set millrace.console.role");
  }

  @Test
  void start_withRoleThatNobodyKnows_saysWhatToAdd() {
    refuses(
        web("millrace.console.role=OPS").withClassLoader(new FilteredClassLoader(SECURITY)),
        "millrace.console.role is set, and there is no Spring Security",
        "millrace.console.token");
  }

  @Test
  void start_withTwoWaysIn_isRefused() {
    refuses(
        web("millrace.console.role=OPS", "millrace.console.token=" + TOKEN),
        "there are two ways into the console");
    refuses(
        web("millrace.console.role=OPS").withUserConfiguration(Checked.class),
        "there are two ways into the console");
    refuses(web("millrace.console.read-role=OPS"), "millrace.console.read-role is set without");
  }

  @Test
  void start_withWrongPathOrToken_saysWhich() {
    for (String path : List.of("/", "/millrace/")) {
      refuses(
          web("millrace.console.role=OPS", "millrace.console.path=" + path),
          "millrace.console.path is no path below that of the application: value=" + path);
    }
    refuses(web("millrace.console.token=short"), "a token of the console is wrong", "16");
  }

  @Test
  void start_withoutTheConsolesJar_namesIt() {
    refuses(
        web("millrace.console.role=OPS")
            .withClassLoader(new FilteredClassLoader("io.millrace.console")),
        "the console is not on the class path",
        "io.millrace:millrace-console");
  }

  @Test
  void start_ofReactiveServer_saysThatItTakesNoServlets() {
    refuses(
        new ReactiveWebApplicationContextRunner()
            .withUserConfiguration(Contexts.Empty.class)
            .withPropertyValues(
                "millrace.location=memory:console-" + NAMES.incrementAndGet(),
                "millrace.console.enabled=true",
                "millrace.console.token=" + TOKEN),
        "the application's server takes no servlets (WebFlux)");
  }

  @Test
  void application_withoutServer_isToldThatThereIsNoConsole(CapturedOutput output) {
    Contexts.with()
        .withPropertyValues("millrace.console.enabled=true")
        .run(
            context -> {
              assertThat(context).hasNotFailed().doesNotHaveBean("millraceConsole");
              assertThat(output).contains("console is not shown");
            });
  }

  @Test
  void application_thatDoesNotAsk_hasNoConsole() {
    web("millrace.console.enabled=false")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("millraceConsole"));
  }

  @Test
  void application_withoutServletsSecurityAndConsole_works() {
    ApplicationContextRunner bare =
        Contexts.with()
            .withClassLoader(
                new FilteredClassLoader("jakarta.servlet", SECURITY, "io.millrace.console"));

    assertThatCode(() -> bare.run(context -> assertThat(context).hasNotFailed()))
        .doesNotThrowAnyException();
  }
}
