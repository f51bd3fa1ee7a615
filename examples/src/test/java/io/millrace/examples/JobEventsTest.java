package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.QueueStats.Total;
import io.millrace.engine.JobEngine;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.ObjectName;
import jdk.jfr.Configuration;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the snippets of docs/job-events.md. */
class JobEventsTest {

  private static final Path DOCS = Path.of("..", "docs");
  private static final Path PAGE = DOCS.resolve("job-events.md");
  private static final Path SETTINGS = DOCS.resolve("millrace-jobs.jfc");
  private static final Path EXAMPLE =
      Path.of("src", "main", "java", "io", "millrace", "examples", "SlowJobs.java");

  private static final Pattern COMMAND = Pattern.compile("(?m)^jcmd PID JFR\\.(.*)$");
  private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)\\n```$");
  private static final Pattern REGION =
      Pattern.compile("(?ms)^ *// region [^\\n]*\\n(.*?)\\n *// endregion$");

  /** A row of the table of outcomes begins with those that it is about. */
  private static final Pattern OUTCOMES = Pattern.compile("(?m)^\\| ((?:`[A-Z_]+`(?:, )?)+) \\|");

  @TempDir private Path folder;

  @Test
  void commands_ofThePage_recordWhatTheySay() throws Exception {
    List<String> commands = groups(COMMAND, Files.readString(PAGE));
    assertThat(commands).hasSize(4);

    run(commands.get(0));
    work();
    run(commands.get(1));
    run(commands.get(2));

    assertThat(recorded())
        .contains("io.millrace.JobEnqueued", "io.millrace.JobClaimed", "io.millrace.JobEnded")
        .contains("io.millrace.Commit", "io.millrace.Recovery");
  }

  @Test
  void command_thatNamesOneEvent_recordsNoOtherOfJobs() throws Exception {
    run(groups(COMMAND, Files.readString(PAGE)).get(3));
    work();
    run("dump name=failures filename=/path/to/jobs.jfr");
    run("stop name=failures");

    assertThat(recorded())
        .contains("io.millrace.JobEnded", "io.millrace.Commit")
        .doesNotContain("io.millrace.JobEnqueued", "io.millrace.JobClaimed");
  }

  @Test
  void settings_beside_thePage_switchOnEachEventThatItNames() throws Exception {
    Set<String> switchedOn =
        Configuration.create(SETTINGS).getSettings().entrySet().stream()
            .filter(setting -> setting.getValue().equals("true"))
            .map(setting -> setting.getKey().replace("#enabled", ""))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(switchedOn)
        .containsExactly(
            "io.millrace.Commit",
            "io.millrace.JobClaimed",
            "io.millrace.JobEnded",
            "io.millrace.JobEnqueued",
            "io.millrace.Recovery",
            "io.millrace.Sync");
  }

  @Test
  void outcomes_inTheTable_areAllThatCountAnEnd() throws Exception {
    Set<String> listed =
        groups(OUTCOMES, Files.readString(PAGE)).stream()
            .flatMap(cell -> Arrays.stream(cell.replace("`", "").split(", ")))
            .collect(Collectors.toCollection(TreeSet::new));

    Set<String> ends =
        EnumSet.complementOf(EnumSet.of(Total.ENQUEUED, Total.CLAIMED, Total.REDRIVEN, Total.WOKEN))
            .stream()
            .map(Total::name)
            .collect(Collectors.toCollection(TreeSet::new));
    ends.add("QUEUE_DELETED");
    assertThat(listed).isEqualTo(ends);
  }

  @Test
  void snippet_ofThePage_isARegionOfTheExample() throws Exception {
    List<String> regions =
        groups(REGION, Files.readString(EXAMPLE)).stream().map(String::stripIndent).toList();

    assertThat(groups(SNIPPET, Files.readString(PAGE))).isNotEmpty().isEqualTo(regions);
  }

  @Test
  void slowJobs_attemptLongerThanAllowed_isTold() throws Exception {
    CompletableFuture<String> told = new CompletableFuture<>();

    RecordingStream events = SlowJobs.watch(Duration.ofMillis(-1), told::complete);
    try {
      work();
      assertThat(told.get(20, TimeUnit.SECONDS)).startsWith("mail ").endsWith(": COMPLETED");
    } finally {
      events.close();
    }
  }

  private static void work() {
    try (JobEngine engine = JobEngine.open("memory:job-events")) {
      JobQueue mail = engine.queue("mail");
      mail.enqueue("Hello, Ada".getBytes(UTF_8));
      for (Lease lease : mail.claim(ClaimOptions.by("worker-1"))) {
        lease.complete().orThrow();
      }
    }
  }

  /** Runs what jcmd would, in this process. */
  private void run(String command) throws Exception {
    String[] words =
        command
            .replace("/path/to/jobs.jfr", file().toString())
            .replace("/path/to/millrace-jobs.jfc", SETTINGS.toRealPath().toString())
            .split(" ");
    String name = words[0].substring(0, 1).toUpperCase(Locale.ROOT) + words[0].substring(1);
    Object[] arguments = {Arrays.copyOfRange(words, 1, words.length)};
    ManagementFactory.getPlatformMBeanServer()
        .invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "jfr" + name,
            arguments,
            new String[] {String[].class.getName()});
  }

  private Path file() {
    return folder.resolve("jobs.jfr");
  }

  private Set<String> recorded() throws Exception {
    Stream<RecordedEvent> events = RecordingFile.readAllEvents(file()).stream();
    return events.map(event -> event.getEventType().getName()).collect(Collectors.toSet());
  }

  private static List<String> groups(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
  }
}
