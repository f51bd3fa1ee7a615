package io.millrace.model.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Engines that are closed while eight threads call all that they have: in a process of their own,
 * for a call into a store that is freed would take the process along.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("slow")
class CloseUnderLoadTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void close_underLoadOfEveryCall_everyoneIsAnsweredAndNothingIsLostOrLeftBehind(String scheme)
      throws Exception {
    int rounds = Trials.count("closes", 5, 30, 600);
    long seed = Trials.seed();
    List<String> command = new ArrayList<>(Machine.java());
    List<String> flags =
        List.of(
            "-ea",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + folder.resolve("crash"),
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
    command.addAll(1, flags);
    command.addAll(List.of(CloseProcess.class.getName(), scheme + ":" + folder.resolve("store")));
    command.addAll(List.of(folder.toString(), Integer.toString(rounds), Long.toString(seed)));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    int status = process.waitFor();

    List<String> lines = Files.readAllLines(output);
    assertThat(lines).noneMatch(line -> line.startsWith(CloseProcess.VIOLATION));
    assertThat(status).as("seed %d: %s", seed, lines).isZero();
    assertThat(folder.resolve("crash")).doesNotExist();
    Trials.report(getClass(), scheme + ", " + lines.get(lines.size() - 1));
  }
}
