package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the system sees: every answer comes after a flush of all that was written for it. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Tag("slow")
class TracedSyncTest {

  private static final int LOG_NUMBER_MAX = 20;
  private static final Pattern LINE = Pattern.compile("(\\d+) +(.*)");
  private static final Pattern TOLD = Pattern.compile("write\\(\\d+<.*>, \"(ask|told) (\\d+).*");

  @TempDir Path outside;

  @BeforeEach
  void requireTracer() {
    Machine.require("strace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void fdatasync_takesLong_everyAnswerComesAfterAllOfItsWritesAreFlushed(String scheme)
      throws IOException {
    int jobs = Trials.count("traced.jobs", 5, 20, 100);
    int slowMs = 50 + new Random(Trials.seed()).nextInt(Trials.count("traced.ms", 1, 100, 451));
    Path log = outside.resolve("trace");

    try (FaultProcess process =
        FaultProcess.start(
            FaultProcess.World.behind(tracer(log, slowMs)),
            TracedWorker.class,
            scheme + ":" + outside.resolve("store"),
            outside.resolve("said"),
            jobs)) {
      process.findings();
    }

    Trace trace = new Trace();
    for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
      trace.read(line);
    }
    assertThat(trace.answers).hasSize(jobs).containsOnly("flushed");
    Trials.report(
        getClass(), scheme + ": " + jobs + " answers, each after its flush of " + slowMs + " ms");
  }

  private List<String> tracer(Path log, int slowMs) {
    List<String> command = new ArrayList<>(List.of("strace", "-f", "-y", "--seccomp-bpf"));
    command.addAll(List.of("-o", log.toString()));
    command.addAll(List.of("-e", "trace=fdatasync,write,writev,pwrite64"));
    command.addAll(List.of("-e", "inject=fdatasync:delay_enter=" + slowMs * 1_000));
    List<Path> files = new ArrayList<>(List.of(outside.resolve("said")));
    files.add(outside.resolve("store/data.mdb"));
    for (int number = 0; number < 3; number++) {
      files.add(outside.resolve("store/log/log-" + number));
    }
    for (int number = 1; number <= LOG_NUMBER_MAX; number++) {
      files.add(outside.resolve("store/data/%06d.log".formatted(number)));
    }
    files.forEach(file -> command.addAll(List.of("-P", file.toString())));
    return command;
  }

  /** System calls in the order in which they began and ended. */
  private static final class Trace {

    private final List<String> answers = new ArrayList<>();
    private final Map<String, Integer> flushing = new HashMap<>();
    private int index;
    private int askedAt;
    private int writtenAt;
    private int flushedUpTo;

    void read(String line) {
      index++;
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        return;
      }
      String thread = matcher.group(1);
      String call = matcher.group(2);
      Matcher told = TOLD.matcher(call);
      if (told.matches()) {
        tell(told.group(1));
      } else if (call.startsWith("fdatasync(") && call.endsWith("<unfinished ...>")) {
        flushing.put(thread, index);
      } else if (call.startsWith("fdatasync(") && call.contains("= 0")) {
        flushedUpTo = index;
      } else if (call.startsWith("<... fdatasync resumed>") && call.contains("= 0")) {
        flushedUpTo = flushing.remove(thread);
      } else if (call.matches("(write|writev|pwrite64)\\(.*")) {
        writtenAt = index;
      }
    }

    private void tell(String what) {
      if (what.equals("ask")) {
        askedAt = index;
        return;
      }
      boolean isFlushed = askedAt < writtenAt && writtenAt < flushedUpTo;
      answers.add(isFlushed ? "flushed" : "not flushed: line " + index);
    }
  }
}
