package io.millrace.model.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.soak.SoakReport.Sample;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One job in, one job out, for a while. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Tag("thorough")
class SoakTest {

  private static final long MIB = 1 << 20;

  /** Below this a percentile of a claim is that of the machine's other work. */
  private static final long NOISE_NS = TimeUnit.MICROSECONDS.toNanos(100);

  /** A console lists and verifies all at least as often as that, over the whole of the time. */
  private static final int SECONDS_PER_LOOK = 15;

  /** A data file grows in steps of this. */
  private static final long FILE_STEP = 16 * MIB;

  /** RocksDB's cache of blocks, and as much again that malloc does not give back. */
  private static final long SCANS_BYTES = 64 * MIB;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"memory", "lmdb", "rocksdb"})
  void soak_short_leavesEverythingInPlace(String scheme) throws Exception {
    int seconds = Trials.count("soakSmokeSeconds", 1, 2, 5);

    SoakReport report = run(scheme, seconds);

    assertInPlace(report);
    assertThat(report.samples()).extracting(Sample::fileBytes).allMatch(b -> b < 1_024 * MIB);
    Trials.report(getClass(), scheme + ", seconds=" + seconds + ", " + report);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(strings = {"memory", "lmdb", "rocksdb"})
  void soak_long_takesNoMoreAtTheEndThanAtTheBegin(String scheme) throws Exception {
    int seconds = Trials.count("soakSeconds", 20, 300, 300);

    SoakReport report = run(scheme, seconds);

    Trials.report(getClass(), scheme + ", seconds=" + seconds + ", " + figures(report));
    assertInPlace(report);
    assertThat(report.get("lastP99Ns"))
        .as("99th percentile of a claim in the last minute")
        .isLessThanOrEqualTo(2 * Math.max(NOISE_NS, report.get("firstP99Ns")));
    assertThat(report.get("verifications"))
        .as("times that the store was listed and verified while others worked")
        .isGreaterThanOrEqualTo(seconds / SECONDS_PER_LOOK);
    assertThat(report.get("oldestReaderMs")).as("reads are cut at 1 s").isLessThan(3_000);
    for (SoakPhase later : List.of(SoakPhase.SCANNED, SoakPhase.LAST)) {
      assertThat(report.most(later, Sample::fileBytes))
          .as("bytes of files, %s", later)
          .isLessThanOrEqualTo(report.most(SoakPhase.FIRST, Sample::fileBytes) * 2 + FILE_STEP);
    }
    assertThat(report.most(SoakPhase.LAST, Sample::heapBytes))
        .as("bytes of heap after a collection")
        .isLessThanOrEqualTo(report.most(SoakPhase.FIRST, Sample::heapBytes) + 8 * MIB);
    assertThat(report.most(SoakPhase.SCANNED, Sample::nativeBytes))
        .as("bytes of native memory, with what scans leave in caches")
        .isLessThanOrEqualTo(report.most(SoakPhase.FIRST, Sample::nativeBytes) + SCANS_BYTES);
    assertThat(report.most(SoakPhase.LAST, Sample::nativeBytes))
        .as("bytes of native memory once nobody scans any more")
        .isLessThanOrEqualTo(report.most(SoakPhase.SCANNED, Sample::nativeBytes) + 8 * MIB);
  }

  private static void assertInPlace(SoakReport report) {
    assertThat(report.get("problems")).isZero();
    assertThat(report.get("leased")).isZero();
    assertThat(report.get("completed")).isPositive();
    assertThat(report.get("verifications")).isPositive();
    // A claim of the one may meet the job that the other has just taken back, and so on.
    assertThat(report.get("ready")).isBetween((long) SoakWorker.BACKLOG, SoakWorker.BACKLOG + 2L);
  }

  private static String figures(SoakReport report) {
    StringBuilder text = new StringBuilder(report.toString());
    for (SoakPhase phase : List.of(SoakPhase.FIRST, SoakPhase.SCANNED, SoakPhase.LAST)) {
      text.append(", ").append(phase).append(": files=");
      text.append(report.most(phase, Sample::fileBytes) / MIB).append(" MiB, heap=");
      text.append(report.most(phase, Sample::heapBytes) / MIB).append(" MiB, native=");
      text.append(report.most(phase, Sample::nativeBytes) / MIB).append(" MiB");
    }
    return text.toString();
  }

  private SoakReport run(String scheme, int seconds) throws IOException, InterruptedException {
    Path store = folder.resolve("store");
    String place = scheme.equals("memory") ? "soak" : store.toString();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms192m", "-Xmx192m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch"));
    if (Machine.isNativeAccessAsked()) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(List.of("-ea", "-cp", classPath, SoakWorker.class.getName()));
    command.addAll(List.of(scheme + ":" + place, store.toString(), "" + seconds));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor()).as("exit status of the run").isZero();
    return SoakReport.parse(lines);
  }
}
