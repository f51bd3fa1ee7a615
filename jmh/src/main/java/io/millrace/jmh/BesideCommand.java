package io.millrace.jmh;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.cli.command.CommonOptions;
import io.millrace.cli.command.ExitCode;
import io.millrace.cli.text.JsonLines;
import io.millrace.jmh.beside.BesideRun;
import io.millrace.jmh.beside.BulkCall;
import io.millrace.jmh.beside.BulkCalls;
import io.millrace.jmh.load.LoadJson;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.Progress;
import io.millrace.jmh.load.RunFolder;
import io.millrace.options.Checks;
import io.millrace.spi.StoreFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command that measures how long a caller of one queue waits beside each call at its limits on
 * another.
 */
@Command(
    name = "beside",
    description = {
      "Measures enqueues of one caller, alone and beside each call that does as much as one may on"
          + " another queue.",
      "Wanted is that one of a hundred waits at most four times as long as alone, and for one"
          + " commit of a call that cannot be divided."
    })
final class BesideCommand implements Callable<Integer> {

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreArguments on = new StoreArguments();
  @Mixin private RowArguments rows = new RowArguments();
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      description = "How long each call is to run in all (default: ${DEFAULT-VALUE}).")
  private double seconds = 2;

  @Option(
      names = "--backlog",
      paramLabel = "N",
      defaultValue = "100000",
      description = "How many are \"many\" (default: ${DEFAULT-VALUE}).")
  private int backlog = 100_000;

  @Override
  public Integer call() {
    CommandSpec command = Optional.ofNullable(spec).orElseThrow();
    StoreFactory factory = Stores.named(on.store, command);
    PrintWriter out = command.commandLine().getOut();
    Progress progress = Given.progress(command);
    BesideRun.Options options = Given.checked(command, this::options);
    List<BulkCall> calls = BulkCalls.on(on.store);
    rows.requireRow(command, calls.stream().map(BulkCall::name).toList());
    RunFolder.create(rows.dir).close();
    if (!rows.isJson) {
      begin(out);
    }
    for (BulkCall call : calls.stream().filter(each -> rows.isWanted(each.name())).toList()) {
      progress.begin(call.name());
      BesideRun.Result result = BesideRun.run(factory, options, call);
      progress.end();
      if (rows.isJson) {
        JsonLines.print(out, json -> write(result, json));
      } else {
        print(result, out);
      }
      out.flush();
    }
    return ExitCode.OK;
  }

  private BesideRun.Options options() {
    Checks.inRange("--backlog", backlog, 1, LoadOptions.BACKLOG_COUNT_MAX);
    return new BesideRun.Options(on.durability, Given.length(seconds, 1), backlog, rows.dir);
  }

  private void begin(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s, %s, many are %,d, Java %s, %d processors%n%n",
        on.store,
        LoadJson.label(on.durability),
        backlog,
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors());
    out.println(
        "| beside | calls | of p50 / p99 ms | enqueue alone p50 / p99 ms | beside p50 / p99 / max"
            + " ms | p99 wanted ms | p99 of alone |");
    out.println("|---|--:|--:|--:|--:|--:|--:|");
    out.flush();
  }

  private static void print(BesideRun.Result result, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "| %s | %,d | %,.0f / %,.0f | %.2f / %.2f | %.2f / %.2f / %.1f | %s%.1f | %.1f |%n",
        result.call().name(),
        result.calls().count(),
        result.calls().p50Ms(),
        result.calls().p99Ms(),
        result.alone().p50Ms(),
        result.alone().p99Ms(),
        result.beside().p50Ms(),
        result.beside().p99Ms(),
        result.beside().maxMs(),
        result.beside().p99Ms() <= result.wantedMs() ? "" : "**missed** ",
        result.wantedMs(),
        result.ratio());
  }

  private void write(BesideRun.Result result, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("row", result.call().name());
    json.writeStringField("store", on.store);
    json.writeStringField("durability", LoadJson.label(on.durability));
    json.writeStringField("nature", result.call().nature().name().toLowerCase(Locale.ROOT));
    write("", result.calls(), json);
    write("alone_", result.alone(), json);
    write("beside_", result.beside(), json);
    json.writeNumberField("wanted_p99_ms", result.wantedMs());
    json.writeEndObject();
  }

  private static void write(String prefix, BesideRun.Waits waits, JsonGenerator json)
      throws IOException {
    json.writeNumberField(prefix + "calls", waits.count());
    json.writeNumberField(prefix + "p50_ms", waits.p50Ms());
    json.writeNumberField(prefix + "p99_ms", waits.p99Ms());
    json.writeNumberField(prefix + "max_ms", waits.maxMs());
  }
}
