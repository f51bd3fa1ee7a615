package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The builds that docs/setup.md offers: {@code consumer/check} runs them. */
class SetupPageTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern POM =
      Pattern.compile("(?ms)^```xml\\n(<\\?xml .*?</project>\\n)```$");
  private static final Pattern VERSION =
      Pattern.compile(
          "(?s)<artifactId>millrace-(?:parent|bom)</artifactId>\\s*<version>(.*?)</version>");

  @Test
  void pom_toCopy_isThatOfTheConsumer() throws IOException {
    List<String> poms =
        POM.matcher(text("docs/setup.md")).results().map(match -> match.group(1)).toList();

    assertThat(poms).containsExactly(text("consumer/quickstart/pom.xml"));
  }

  /** Compares texts alone: the build is run where Gradle is installed. */
  @Test
  void gradleBuild_toCopy_isThatOfTheConsumer() throws IOException {
    assertThat(text("docs/setup.md"))
        .contains("```kotlin\n" + text("consumer/gradle/build.gradle.kts") + "```\n");
    assertThat(text("consumer/gradle/build.gradle.kts"))
        .contains("(\"io.millrace:millrace-bom:" + version("pom.xml") + "\")");
  }

  /**
   * Checks that the plugin has a version: old Mavens take one that finds no test, and are green.
   */
  @Test
  void pom_toCopy_namesAPluginThatRunsTests() throws IOException {
    assertThat(text("consumer/quickstart/pom.xml"))
        .containsPattern("maven-surefire-plugin</artifactId>\\s*<version>3\\.");
  }

  @Test
  void poms_ofConsumersAndBom_nameTheVersionThatIsBuilt() throws IOException {
    String built = version("pom.xml");

    assertThat(
            List.of(
                version("bom/pom.xml"),
                version("consumer/quickstart/pom.xml"),
                version("consumer/modules/pom.xml"),
                version("consumer/versions/pom.xml"),
                version("consumer/spring/pom.xml"),
                version("consumer/kotlin/pom.xml"),
                version("consumer/junit5/pom.xml")))
        .containsOnly(built);
  }

  private static String version(String pom) throws IOException {
    Matcher matcher = VERSION.matcher(text(pom));
    assertThat(matcher.find()).as("%s names the parent or the BOM", pom).isTrue();
    return matcher.group(1);
  }

  private static String text(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }
}
