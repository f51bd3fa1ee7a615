package io.millrace.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Random histories on the model and on an engine side by side; one class for each kind of store.
 *
 * <p>A failure is reported with its seed, which is tried first in the next run, and with the
 * shortest history that still fails. The system property {@code jqwik.tries.default} sets how many
 * histories are run.
 */
abstract class HistoryModelTest {

  private final StoreKind kind;

  HistoryModelTest(StoreKind kind) {
    this.kind = kind;
  }

  @Property(shrinking = ShrinkingMode.OFF, afterFailure = AfterFailureMode.RANDOM_SEED)
  void history_anySteps_engineAnswersAsTheModel(
      @ForAll("setups") Setup setup, @ForAll("steps") List<Op> steps) {
    ShortestFailure.check(steps, part -> run(kind, setup, part, new Coverage()));
  }

  /** Runs a history on a store of its own; answers what it fails of. */
  static Optional<Throwable> run(StoreKind kind, Setup setup, List<Op> steps, Coverage coverage) {
    try {
      Path folder = Files.createTempDirectory("millrace-history");
      try (HistoryRunner runner = new HistoryRunner(kind, folder, setup, coverage)) {
        runner.run(steps);
        return Optional.empty();
      } catch (AssertionError | RuntimeException e) {
        return Optional.of(e);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Provide
  Arbitrary<Setup> setups() {
    return Histories.setups();
  }

  @Provide
  Arbitrary<List<Op>> steps() {
    return Histories.steps();
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
