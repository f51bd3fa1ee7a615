package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program at the top of the README, run as it stands. */
@Tag("slow")
@Timeout(60)
class QuickstartTest {

  @TempDir private Path folder;

  @Test
  void main_runs_sendsBothMailsAndStopsWhenItIsTold() throws IOException {
    String location = "lmdb:" + folder.resolve("jobs");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Quickstart.class.getName(),
                location)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = process.inputReader()) {
      List<String> sent = List.of(out.readLine(), out.readLine());
      process.destroy(); // SIGTERM: the worker stops, then the engine is closed

      assertThat(sent).containsExactly("sent: Hello, Ada", "sent: Hello, Bob");
      assertThat(process.onExit().join().exitValue()).isEqualTo(128 + 15);
    }
    try (JobReader reader = JobEngine.inspect(location)) {
      assertThat(reader.stats(QueueName.of("mail")).orElseThrow().count(JobState.LEASED)).isZero();
      assertThat(reader.stats(QueueName.of("mail")).orElseThrow().count(JobState.READY)).isZero();
    }
  }
}
