package io.millrace.jmh.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark runs; how fast is not for a test to say. */
@Tag("thorough")
class SuitesTest {

  @Test
  void suites_runOnce_allAnswer() throws IOException, RunnerException {
    Options once =
        new OptionsBuilder()
            .include("io\\.millrace\\.jmh\\.suite\\..*")
            .forks(0)
            .mode(Mode.SingleShotTime)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(50))
            .param("store", "memory")
            .param("dir", "target/bench")
            .param("durability", "BUFFERED")
            .param("payloadBytes", "64")
            .param("waiting", "20")
            .param("batch", "1")
            .param(
                "crowd", "BACKLOG:0", "BACKLOG:20", "FIVE_PRIORITIES:20", "DELAYED:20", "QUEUES:20")
            .param("ahead", "0", "20")
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();

    Collection<RunResult> results = new Runner(once).run();

    Set<String> suites =
        results.stream()
            .map(result -> result.getParams().getBenchmark())
            .map(name -> name.replaceAll("io\\.millrace\\.jmh\\.suite\\.(\\w+)\\.\\w+", "$1"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(suites).isEqualTo(written());
    assertThat(Ratios.of(results).all())
        .as("three numbers of callers, two suites that have limits")
        .hasSize(6)
        .allSatisfy(
            ratio -> {
              assertThat(ratio.ofRaw()).isPresent();
              assertThat(ratio.ofFloor()).isPresent();
            });
  }

  /** Returns the names of the benchmarks in the folder of this package. */
  private static Set<String> written() throws IOException {
    Path folder = Path.of("src", "main", "java", "io", "millrace", "jmh", "suite");
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Benchmark.java"))
          .map(name -> name.replace(".java", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
