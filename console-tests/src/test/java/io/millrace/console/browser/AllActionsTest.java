package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The console's list of actions beside that of the tests that click on them. */
class AllActionsTest {

  private static final Pattern ACTION = Pattern.compile("/actions/([a-z.-]+)\"");

  private static final List<Class<?>> CLICKING =
      List.of(
          ChangedMeanwhileInBrowserTest.class,
          JobActionsInBrowserTest.class,
          ManyJobsInBrowserTest.class,
          OtherActionsInBrowserTest.class);

  @Test
  void actions_ofTheConsole_areEachClickedOnByATest() throws Exception {
    Set<String> clicked =
        CLICKING.stream()
            .flatMap(tests -> Arrays.stream(tests.getDeclaredMethods()))
            .flatMap(test -> Stream.ofNullable(test.getAnnotation(Clicks.class)))
            .flatMap(clicks -> Arrays.stream(clicks.value()))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(clicked).isEqualTo(actions());
  }

  /** Returns the actions of the document that tells programs of them. */
  private static Set<String> actions() throws Exception {
    try (Shown shown = Shown.withoutBrowser()) {
      HttpURLConnection connection =
          (HttpURLConnection) shown.uri("/api/v1/openapi.json").toURL().openConnection();
      connection.setRequestProperty("Authorization", "Bearer " + Shown.OPERATE);
      String document =
          new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return ACTION
          .matcher(document)
          .results()
          .map(found -> found.group(1))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
