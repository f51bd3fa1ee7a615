package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.seeds.Caller;
import io.millrace.model.seeds.SeededEngine;
import io.millrace.model.seeds.Trace;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A seed is replayed bit for bit: every call of the store with all its bytes, and every answer, in
 * the same order, however busy the machine is.
 *
 * <p>{@code -Dmillrace.seedReplays=COUNT} sets for how many seeds.
 */
@Timeout(value = 4, unit = TimeUnit.HOURS)
@Tag("slow")
class SeededReplayModelTest {

  private static final int SEED_COUNT = Trials.count("seedReplays", 20, 100, 5_000);
  private static final int SEED_COUNT_ELSEWHERE = Math.min(SEED_COUNT, 1_000);

  @Test
  void history_runTwice_makesTheSameCallsAndAnswers() {
    long firstSeed = Trials.seed();
    long events = 0;
    List<Caller> callers = SeededEngine.callers(SeededCrashModelTest.CALLER_COUNT);
    for (int i = 0; i < SEED_COUNT; i++) {
      Trace first = Trace.ofLines();
      Trace second = Trace.ofLines();

      run(firstSeed + i, callers, first);
      run(firstSeed + i, callers, second);

      assertThat(second.lines()).as("seed " + (firstSeed + i)).isEqualTo(first.lines());
      assertThat(second.hash()).isEqualTo(first.hash());
      events += first.eventCount();
    }
    callers.forEach(Caller::end);
    Trials.report(
        getClass(),
        "%d seeds from %d run twice, the same in all of %d events"
            .formatted(SEED_COUNT, firstSeed, events));
  }

  @Test
  void history_runInAnotherProcess_makesTheSameCallsAndAnswers() throws IOException {
    long firstSeed = Trials.seed();
    List<String> here = hashes(firstSeed, SEED_COUNT_ELSEWHERE);

    List<String> command = Machine.java();
    command.add("-ea");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
    command.add(SeededReplayModelTest.class.getName());
    command.add(Long.toString(firstSeed));
    command.add(Integer.toString(SEED_COUNT_ELSEWHERE));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(Machine.join(process)).isZero();
    assertThat(output.lines().toList()).isEqualTo(here);
    Trials.report(
        getClass(),
        "%d seeds from %d run in another process, all the same"
            .formatted(SEED_COUNT_ELSEWHERE, firstSeed));
  }

  @Test
  void history_otherSeeds_makesOtherCalls() {
    Set<String> distinct = new HashSet<>();

    for (String line : hashes(1, 50)) {
      distinct.add(line.split(" ")[1]);
    }

    assertThat(distinct).hasSize(50);
  }

  /** Arguments: first seed, how many. Prints a line for each. */
  public static void main(String[] args) {
    hashes(Long.parseLong(args[0]), Integer.parseInt(args[1])).forEach(System.out::println);
  }

  private static List<String> hashes(long firstSeed, int count) {
    List<String> lines = new ArrayList<>();
    List<Caller> callers = SeededEngine.callers(SeededCrashModelTest.CALLER_COUNT);
    for (int i = 0; i < count; i++) {
      Trace trace = Trace.ofHash();
      run(firstSeed + i, callers, trace);
      lines.add((firstSeed + i) + " " + trace.hash() + " " + trace.eventCount());
    }
    callers.forEach(Caller::end);
    return lines;
  }

  private static void run(long seed, List<Caller> callers, Trace trace) {
    new SeededRun(SeededHistories.of(seed), callers, trace, new SeededTally()).run();
  }
}
