package io.millrace.model.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.damage.Contents.Stop;
import io.millrace.model.damage.DamagedStore.Order;
import io.millrace.model.damage.Verdict.Kind;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that are gone, cut off or older than they were: the store says so and is not opened. Where
 * what is left once was the whole store, it is opened for whoever accepts the loss, and is sound.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("thorough")
class LostDataTest {

  private static final int ROUNDS = 2;

  @TempDir Path folder;

  private final Map<String, Map<Kind, Integer>> found = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();

  /** What is done to a store; the random numbers say where. */
  private interface Damage {
    void doTo(Path store, Path older, Random random) throws IOException;
  }

  /**
   * A way to lose data.
   *
   * @param isAcceptable whether what is left once was the whole store
   * @param mayBeHarmless whether it may hit nothing that counts
   */
  private record Loss(String name, boolean isAcceptable, boolean mayBeHarmless, Damage damage) {}

  private static final List<Loss> BOTH =
      List.of(
          new Loss("older data put back", true, false, LostDataTest::putBackOlder),
          new Loss("data deleted", true, false, (store, older, random) -> deleteData(store)));

  private static final List<Loss> LOG =
      List.of(
          new Loss("log cut off", true, true, cut("log-\\d+")),
          new Loss("log emptied", true, true, empty("log-\\d+")),
          new Loss("log deleted", true, true, delete("log-\\d+")));

  private static final List<Loss> LMDB =
      List.of(
          new Loss("data.mdb cut off", false, true, cut("data\\.mdb")),
          new Loss("data.mdb emptied", true, false, empty("data\\.mdb")));

  private static final List<Loss> ROCKSDB =
      List.of(
          new Loss("RocksDB's log cut off", true, true, cut(".*\\.log")),
          new Loss("table deleted", false, false, delete(".*\\.sst")),
          new Loss("table cut off", false, true, cut(".*\\.sst")),
          new Loss("MANIFEST cut off", false, true, cut("MANIFEST-.*")),
          new Loss("MANIFEST deleted", false, false, delete("MANIFEST-.*")),
          new Loss("CURRENT deleted", false, false, delete("CURRENT")),
          new Loss("CURRENT emptied", false, false, empty("CURRENT")));

  /** Returns losses which a log before the database may make up for, if there is one. */
  private static List<Loss> ofRocksDbsLog(boolean hasLogBefore) {
    return List.of(
        new Loss("RocksDB's log emptied", true, hasLogBefore, empty(".*\\.log")),
        new Loss("RocksDB's log deleted", true, hasLogBefore, delete(".*\\.log")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "lmdb?log=none", "rocksdb", "rocksdb?log=none"})
  void open_dataIsLost_isToldAndWhatIsLeftIsSoundForWhoAcceptsIt(String scheme) throws Exception {
    List<Loss> losses = new ArrayList<>(BOTH);
    boolean hasLog = !scheme.endsWith("?log=none");
    losses.addAll(hasLog ? LOG : List.of());
    losses.addAll(scheme.startsWith("lmdb") ? LMDB : ROCKSDB);
    losses.addAll(scheme.startsWith("lmdb") ? List.of() : ofRocksDbsLog(hasLog));
    int trials = Trials.count("lostData", 1, 1, 30) * losses.size();
    long seed = Trials.seed();
    for (Stop stop : Stop.values()) {
      Specimen specimen = Specimen.make(folder, scheme, stop, ROUNDS);
      try (Examiner examiner = new Examiner(folder, specimen.jobs())) {
        for (int trial = stop.ordinal(); trial < trials; trial += Stop.values().length) {
          lose(specimen, losses.get(trial % losses.size()), examiner, seed + trial);
        }
      }
    }

    Trials.report(getClass(), scheme + ", " + trials + " stores that lost data: " + found);
    assertThat(violations).isEmpty();
  }

  private void lose(Specimen specimen, Loss loss, Examiner examiner, long seed)
      throws IOException, InterruptedException {
    for (LostCommits lostCommits : LostCommits.values()) {
      Path store = folder.resolve("damaged");
      String location = specimen.copyTo(store);
      // Seeds that follow each other would have the same file damaged.
      Random random = new Random(new SplittableRandom(seed).nextLong());
      loss.damage.doTo(store, Specimen.older(specimen.folder()), random);
      Order order = Order.values()[random.nextInt(Order.values().length)];

      Verdict verdict = examiner.examine(location, lostCommits, order);

      found
          .computeIfAbsent(
              loss.name + (lostCommits == LostCommits.ACCEPT ? ", accepted" : ""),
              name -> new EnumMap<>(Kind.class))
          .merge(verdict.kind(), 1, Integer::sum);
      if (!expected(loss, lostCommits).contains(verdict.kind())) {
        violations.add(
            "seed "
                + seed
                + ", "
                + specimen.folder().getFileName()
                + ", "
                + loss.name
                + ", "
                + lostCommits
                + ", "
                + order
                + ": "
                + verdict);
      }
    }
  }

  /** Lost jobs are no surprise to whoever accepts the loss, but anything else is. */
  private static Set<Kind> expected(Loss loss, LostCommits lostCommits) {
    if (lostCommits == LostCommits.ACCEPT && loss.isAcceptable) {
      return Set.of(Kind.SILENT, Kind.UNHARMED);
    }
    return loss.mayBeHarmless ? Set.of(Kind.REFUSED, Kind.UNHARMED) : Set.of(Kind.REFUSED);
  }

  private static Damage cut(String name) {
    return (store, older, random) -> {
      Path file = pick(store, name, random);
      try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
        open.setLength(random.nextInt(BitRot.usedBytes(Files.readAllBytes(file))));
      }
    };
  }

  private static Damage empty(String name) {
    return (store, older, random) -> Files.write(pick(store, name, random), new byte[0]);
  }

  private static Damage delete(String name) {
    return (store, older, random) -> Files.delete(pick(store, name, random));
  }

  private static void deleteData(Path store) throws IOException {
    for (Path file : Specimen.files(store)) {
      boolean isOfFolder = Set.of("MILLRACE", "LOCK", "OWNER", "WATERMARK").contains(name(file));
      if (!isOfFolder) {
        Files.delete(file);
      }
    }
  }

  /** All but the watermark, which says that there was more. */
  private static void putBackOlder(Path store, Path older, Random random) throws IOException {
    byte[] watermark = Files.readAllBytes(store.resolve("WATERMARK"));
    deleteData(store);
    Specimen.copy(older, store);
    Files.write(store.resolve("WATERMARK"), watermark);
  }

  private static Path pick(Path store, String name, Random random) throws IOException {
    List<Path> files =
        Specimen.files(store).stream()
            .filter(file -> name(file).matches(name) && isInUse(file))
            .toList();
    return files.get(random.nextInt(files.size()));
  }

  /** Tells whether anything was ever written to a file: the log has some in reserve. */
  private static boolean isInUse(Path file) {
    try {
      return BitRot.usedBytes(Files.readAllBytes(file)) > 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }
}
