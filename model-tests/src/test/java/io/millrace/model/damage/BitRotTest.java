package io.millrace.model.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.damage.BitRot.Spread;
import io.millrace.model.damage.Contents.Stop;
import io.millrace.model.damage.DamagedStore.Order;
import io.millrace.model.damage.Verdict.Kind;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bits that flip in a store's files: never a wrong payload, and never a loss that nobody is told.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
@Tag("thorough")
class BitRotTest {

  private static final Set<Kind> HARMLESS =
      Set.of(Kind.UNHARMED, Kind.REFUSED, Kind.TOLD, Kind.TOLD_BY_VERIFY);

  /** Every so many trials a file that holds no rows is damaged. */
  private static final int OTHER_FILES_EVERY = 4;

  /** Files that rows are in, or that say which rows count. */
  private static final String FILES_OF_ROWS = "data\\.mdb|log-\\d+|.*\\.sst|.*\\.log|MANIFEST-.*";

  private static final int ROUNDS = 3;

  /** More than an opening looks at. */
  private static final int ROUNDS_OF_LARGE_STORE = 260;

  @TempDir Path folder;

  private final Map<String, Map<Kind, Integer>> found = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "lmdb?log=none", "rocksdb", "rocksdb?log=none"})
  void flip_bitsOfAnyFile_noPayloadIsWrongAndNoLossIsHidden(String scheme) throws Exception {
    int trials = Trials.count("bitRot", 3, 8, 1_000);
    long seed = Trials.seed();

    for (Stop stop : Stop.values()) {
      Specimen specimen = Specimen.make(folder, scheme, stop, ROUNDS);
      try (Examiner examiner = new Examiner(folder, specimen.jobs())) {
        for (int trial = 0; trial < trials / Stop.values().length; trial++) {
          rot(specimen, examiner, seed + trial, trial % OTHER_FILES_EVERY == 0);
        }
      }
    }

    Trials.report(
        getClass(), scheme + ", " + trials + " stores with 1 to 40 flipped bits: " + found);
    assertThat(violations).isEmpty();
  }

  /**
   * Of a store that is larger than what an opening looks at, a page behind that may still lead LMDB
   * astray and take the process along: how often is said here, and that nothing else happens.
   */
  @Test
  @Tag("nightly")
  void flip_bitsOfALargeLmdbStore_noPayloadIsWrongAndNoLossIsHidden() throws Exception {
    int trials = Trials.count("largeBitRot", 20, 60, 60);
    long seed = Trials.seed();
    Specimen specimen = Specimen.make(folder, "lmdb", Stop.CLOSED, ROUNDS_OF_LARGE_STORE);

    try (Examiner examiner = new Examiner(folder, specimen.jobs())) {
      for (int trial = 0; trial < trials; trial++) {
        rot(specimen, examiner, seed + trial, false);
      }
    }

    long mebibytes = Files.size(specimen.folder().resolve("data.mdb")) >> 20;
    Trials.report(
        getClass(),
        "lmdb, " + trials + " stores of " + mebibytes + " MiB with 1 to 40 flipped bits: " + found);
    violations.removeIf(violation -> violation.contains(Kind.CRASHED.name()));
    assertThat(violations).isEmpty();
  }

  private void rot(Specimen specimen, Examiner examiner, long seed, boolean isOtherFile)
      throws IOException, InterruptedException {
    // Seeds that follow each other would have the same file damaged.
    Random random = new Random(new SplittableRandom(seed).nextLong());
    Path store = folder.resolve("damaged");
    String location = specimen.copyTo(store);
    List<Path> files =
        Specimen.files(store).stream()
            .filter(file -> isOfRows(file) != isOtherFile && file.toFile().length() > 0)
            .toList();
    Path file = files.get(random.nextInt(files.size()));
    Spread spread = Spread.values()[random.nextInt(Spread.values().length)];
    Order order = Order.values()[random.nextInt(Order.values().length)];
    String flipped = BitRot.flip(file, spread, seed);

    Verdict verdict = examiner.examine(location, LostCommits.REFUSE, order);

    found
        .computeIfAbsent(kindOf(file), kind -> new EnumMap<>(Kind.class))
        .merge(verdict.kind(), 1, Integer::sum);
    if (!HARMLESS.contains(verdict.kind())) {
      violations.add(
          "seed "
              + seed
              + ", "
              + specimen.folder().getFileName()
              + ", "
              + order
              + ", "
              + flipped
              + ": "
              + verdict);
    }
  }

  private static boolean isOfRows(Path file) {
    return file.getFileName().toString().matches(FILES_OF_ROWS);
  }

  /** The file's name without its number. */
  private static String kindOf(Path file) {
    return file.getFileName().toString().replaceAll("-?[0-9]+", "");
  }
}
