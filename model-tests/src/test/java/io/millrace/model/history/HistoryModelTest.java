package io.millrace.model.history;

import io.millrace.model.Coverage;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;

/**
 * Random histories on the model and on an engine side by side; one class for each kind of store.
 *
 * <p>A failure is reported with its seed and with the shortest history that still fails; {@code
 * -Dmillrace.seed=SEED} runs that history alone. The system property {@code jqwik.tries.default}
 * sets how many histories are run.
 */
abstract class HistoryModelTest {

  /** What jqwik itself asks a generator for. */
  private static final int GEN_SIZE = 1_000;

  private final StoreKind kind;
  private int historyCount;

  HistoryModelTest(StoreKind kind) {
    this.kind = kind;
  }

  @Property(shrinking = ShrinkingMode.OFF, afterFailure = AfterFailureMode.RANDOM_SEED)
  void history_anySteps_engineAnswersAsTheModel(@ForAll("seeds") long seed) {
    Random random = new Random(seed);
    Setup setup = Histories.setups().generator(GEN_SIZE).next(random).value();
    List<Op> steps = Histories.steps().generator(GEN_SIZE).next(random).value();
    historyCount++;
    try {
      ShortestFailure.check(steps, part -> run(kind, setup, part, new Coverage()));
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ", " + setup, e);
    }
  }

  @AfterProperty
  void report() {
    Trials.report(getClass(), historyCount + " histories on engine and model");
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
  Arbitrary<Long> seeds() {
    Long repeated = Long.getLong("millrace.seed");
    return repeated == null
        ? Arbitraries.longs().withDistribution(RandomDistribution.uniform())
        : Arbitraries.just(repeated);
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
