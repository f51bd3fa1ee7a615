package io.millrace.jmh;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.cli.text.JsonLines;
import io.millrace.jmh.load.Figures;
import io.millrace.jmh.load.LoadResult.Percentiles;
import io.millrace.jmh.load.PeersRun;
import io.millrace.jmh.servers.ServerPeer;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** A printer of what the engine and servers came to under each load, in Markdown or as JSON. */
final class ServersPrinter {

  private final PrintWriter out;
  private final boolean isJson;

  ServersPrinter(PrintWriter out, boolean isJson) {
    this.out = out;
    this.isJson = isJson;
  }

  void begin(List<ServerPeer> servers, int payloadBytes, Duration warmUp) {
    if (isJson) {
      return;
    }
    out.printf(
        Locale.ROOT,
        "All synced, payload %d B, warmed up for %.1f s a row, Java %s, %d processors%n%n",
        payloadBytes,
        warmUp.toMillis() / 1e3,
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors());
    out.printf("* embedded: %s in this process%n", ServerRows.STORE);
    servers.forEach(server -> out.printf("* %s: %s%n", server.name(), server.setting()));
    out.println();
    out.println(
        "| load | server | jobs/s | spread | of embedded | enqueue p50 / p99 µs | complete p50 /"
            + " p99 µs | processor µs a job: callers + server |");
    out.println("|---|---|--:|--:|--:|--:|--:|--:|");
    out.flush();
  }

  void result(TableRows.Row row, PeersRun.Result result) {
    if (isJson) {
      JsonLines.print(out, json -> write(row, result, json));
    } else {
      out.printf(
          Locale.ROOT,
          "| %s | %s | %,.0f | %s | %s | %s | %s | %,.1f + %,.1f |%n",
          row.name(),
          result.name(),
          result.jobsPerSecond(),
          Figures.percent(result.spread()),
          Figures.ratio(result.ratio()),
          percentiles(result.enqueue()),
          percentiles(result.complete()),
          result.processor().ownUs(),
          result.processor().serverUs());
      result.findings().forEach(finding -> out.println("WRONG: " + finding));
    }
    out.flush();
  }

  /** Prints that a server has no such call as the row is about. */
  void without(TableRows.Row row, String server) {
    if (!isJson) {
      out.printf("| %s | %s | - | - | - | - | - | - |%n", row.name(), server);
      out.flush();
    }
  }

  private static String percentiles(Percentiles percentiles) {
    return percentiles.p50Us() == 0
        ? ""
        : String.format(Locale.ROOT, "%,.0f / %,.0f", percentiles.p50Us(), percentiles.p99Us());
  }

  private static void write(TableRows.Row row, PeersRun.Result result, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("row", row.name());
    json.writeStringField("server", result.name());
    json.writeNumberField("payload", row.options().payloadBytes());
    json.writeNumberField("producers", row.options().callers().producerCount());
    json.writeNumberField("consumers", row.options().callers().consumerCount());
    json.writeNumberField("batch", row.options().callers().batchCount());
    json.writeNumberField("jobs_per_s", result.jobsPerSecond());
    json.writeNumberField("spread", result.spread());
    json.writeNumberField("ratio_to_embedded", result.ratio());
    write("enqueue", result.enqueue(), json);
    write("claim", result.claim(), json);
    write("complete", result.complete(), json);
    json.writeNumberField("own_processor_us_per_job", result.processor().ownUs());
    json.writeNumberField("server_processor_us_per_job", result.processor().serverUs());
    json.writeBooleanField("exactly_once", result.findings().isEmpty());
    json.writeArrayFieldStart("findings");
    for (String finding : result.findings()) {
      json.writeString(finding);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(String call, Percentiles percentiles, JsonGenerator json)
      throws IOException {
    json.writeNumberField(call + "_p50_us", percentiles.p50Us());
    json.writeNumberField(call + "_p99_us", percentiles.p99Us());
  }
}
