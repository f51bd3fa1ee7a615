package io.millrace.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.millrace.cli.Main;
import io.millrace.jmh.beside.BulkCalls;
import io.millrace.jmh.pick.Points;
import io.millrace.jmh.pick.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Tag("slow")
class BenchCommandTest {

  private static final String[] FIELDS = {
    "workload",
    "store",
    "durability",
    "producers",
    "consumers",
    "batch",
    "payload",
    "jobs_per_s",
    "enqueue_p50_us",
    "enqueue_p99_us",
    "claim_p50_us",
    "claim_p99_us",
    "floor_jobs_per_s",
    "ratio_to_floor",
    "strict_floor_jobs_per_s",
    "ratio_to_strict_floor",
    "ratio_to_raw",
    "allocated_bytes_per_job",
    "disk_bytes_per_job"
  };

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void bench_withJson_printsOneObjectWithAllFields() {
    int exit = run("cycle", "--store", "memory", "--seconds", "0.2", "--rounds", "1", "--json");

    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString().strip().lines()).hasSize(1);
    for (String field : FIELDS) {
      assertThat(out.toString()).contains("\"" + field + "\":");
    }
    assertThat(out.toString()).contains("\"exactly_once\":true");
  }

  @Test
  void bench_onLmdb_printsRatesAndLatencies() {
    int exit = run("cycle", "--seconds", "0.2", "--rounds", "1", "--batch", "10");

    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("cycle on lmdb, synced", "plain log", "p99", "completed exactly once");
  }

  @Test
  void bench_withoutWorkload_saysWhatIsMissing() {
    int exit = run();

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString()).contains("missing required parameter: 'WORKLOAD'");
  }

  @Test
  void bench_ofAnUnknownStore_namesTheKnownOnes() {
    int exit = run("cycle", "--store", "paper");

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString())
        .contains("unknown kind of store: paper; known are lmdb, memory, rocksdb");
  }

  @Test
  void bench_withAValueOutOfRange_namesOptionValueAndLimit() {
    int exit = run("cycle", "--payload", "3");

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString()).contains("--payload", "3", "16");
  }

  @Test
  void table_withAValueOutOfRange_namesOptionValueAndLimit() {
    int exit = run("table", "--passed", "-1");

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString()).contains("--passed", "-1", "least=0");
  }

  @Test
  @Tag("thorough")
  void table_ofSomeRows_printsThem() {
    int exit =
        run(
            "table",
            "--store",
            "lmdb",
            "--seconds",
            "0.1",
            "--backlog",
            "100",
            "--rows",
            "batches of 100|passed|wake|idle|open",
            "--passed",
            "1000");

    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains(
            "| cycle batches of 100 |",
            "passed: ",
            "parked claim woken",
            "idle for",
            "open with 100 waiting after a close",
            "open with 100 waiting after a halt");
  }

  @Test
  @Tag("thorough")
  void beside_ofCallsWithFew_printsThem() {
    Pattern rows = Pattern.compile("many|perKey|4 KiB");
    long callCount =
        BulkCalls.on("lmdb").stream().filter(call -> rows.matcher(call.name()).find()).count();

    int exit = run("beside", "--seconds", "0.01", "--backlog", "100", "--rows", rows.pattern());

    assertThat(exit).as(err.toString()).isZero();
    assertThat(callCount).isPositive();
    assertThat(out.toString().lines().filter(line -> line.startsWith("| ")))
        .hasSize(1 + (int) callCount)
        .allMatch(line -> !line.contains("NaN"));
  }

  @Test
  void beside_withJson_printsOneObjectWithAllFields() {
    int exit = run("beside", "--seconds", "0.01", "--rows", "^putAll", "--json");

    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString().strip().lines()).hasSize(1);
    assertThat(out.toString())
        .contains("\"p50_ms\":", "\"alone_p99_ms\":", "\"beside_p99_ms\":")
        .contains("\"nature\":\"one_commit\"", "\"store\":\"lmdb\"");
  }

  @Test
  void beside_ofNoCall_namesThem() {
    int exit = run("beside", "--rows", "nothing");

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString()).contains("nothing", "broadcast to many");
  }

  @Test
  @Tag("thorough")
  void pick_ofAllStores_recommendsOneThatKeepsItsJobs() {
    Path page = folder.resolve("page.html");

    int exit = run("pick", "--seconds", "0.05", "--payload", "100", "--html", page.toString());

    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString()).contains("For payloads of 100 B", "Charts: " + page);
    assertThat(out.toString()).doesNotContain("take memory");
    assertThat(page).exists();
  }

  @Test
  void pick_pageThatCannotBeWritten_isToldBeforeAnythingIsMeasured() {
    Path page = folder.resolve("none/page.html");

    int exit = run("pick", "--seconds", "3600", "--html", page.toString());

    assertThat(exit).isEqualTo(3);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "millrace: --html cannot be written: %s: no such file or folder; name another file,"
                    .formatted(page)
                + " nothing was measured");
    assertThat(folder.resolve("bench")).doesNotExist();
  }

  @Test
  void pick_pageThatIsThereAlready_isKeptUntilTheNewOneIsWritten() throws IOException {
    Path page = Files.writeString(folder.resolve("page.html"), "old");

    Report.requireWritable(page);
    Report.requireWritable(folder.resolve("new.html"));

    assertThat(page).hasContent("old");
    assertThat(folder.resolve("new.html")).doesNotExist();
  }

  @Test
  void pick_pageCannotBeWrittenAfterAll_printsTheTableAllTheSame() {
    assumeThat(Path.of("/dev/full")).exists();
    PickCommand pick =
        new PickCommand(
            (wish, length, folder, progress) ->
                List.of(Points.of("lmdb", 100, 2_000), Points.of("rocksdb", 100, 1_000)));

    int exit =
        Main.commandLine(pick)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute("pick", "--payload", "100", "--html", "/dev/full");

    assertThat(exit).isEqualTo(3);
    assertThat(out.toString())
        .contains("For payloads of 100 B", "lmdb", "rocksdb")
        .doesNotContain("Charts: ");
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "millrace: --html could not be written: /dev/full: No space left on device; what was"
                + " measured is above");
  }

  @Test
  void bench_withoutATerminal_drawsNoProgress() {
    int exit = run("cycle", "--store", "memory", "--seconds", "0.2", "--rounds", "1");

    assertThat(exit).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).doesNotContain("\r");
  }

  private int run(String... arguments) {
    CommandLine command =
        Main.commandLine(new BenchCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + 1];
    all[0] = "bench";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    boolean writes = arguments.length > 0;
    return writes ? command.execute(with(all)) : command.execute(all);
  }

  private String[] with(String[] arguments) {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--dir";
    all[arguments.length + 1] = folder.resolve("bench").toString();
    return all;
  }
}
