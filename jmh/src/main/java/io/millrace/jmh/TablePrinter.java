package io.millrace.jmh;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.Durability;
import io.millrace.cli.text.JsonLines;
import io.millrace.jmh.load.Figures;
import io.millrace.jmh.load.IdleRun;
import io.millrace.jmh.load.LoadJson;
import io.millrace.jmh.load.LoadResult;
import io.millrace.jmh.load.OpenRun;
import io.millrace.jmh.load.PairRun;
import io.millrace.jmh.load.WakeRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/** A printer of rows as soon as each is measured: in Markdown, as the docs have it, or as JSON. */
final class TablePrinter {

  private final PrintWriter out;
  private final boolean isJson;

  TablePrinter(PrintWriter out, boolean isJson) {
    this.out = out;
    this.isJson = isJson;
  }

  void begin(String store, Durability durability) {
    if (isJson) {
      return;
    }
    out.printf(
        Locale.ROOT,
        "%s, %s, payload %d B, Java %s, %d processors%n%n",
        store,
        durability.name().toLowerCase(Locale.ROOT),
        TableRows.PAYLOAD_BYTES,
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors());
    out.println(
        "| load | jobs/s | spread | of raw | of floor | of strict | enqueue p50 / p99 µs | claim"
            + " p50 / p99 µs | complete p50 / p99 µs | B allocated | jobs a commit | write / sync /"
            + " rest µs |");
    out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    out.flush();
  }

  void load(String name, LoadResult result) {
    if (isJson) {
      JsonLines.print(out, json -> LoadJson.write(name, result, json));
    } else {
      out.printf(
          Locale.ROOT,
          "| %s | %,.0f | %s | %s | %s | %s | %s | %s | %s | %,.0f | %,.1f | %s |%n",
          name,
          result.engine().jobsPerSecond(),
          Figures.percent(result.engine().spread()),
          Figures.ratio(result.raw().engineRatio()),
          Figures.ratio(result.floor().engineRatio()),
          Figures.ratio(result.strictFloor().engineRatio()),
          percentiles(result.latency().enqueue()),
          percentiles(result.latency().claim()),
          percentiles(result.latency().complete()),
          result.cost().allocatedBytes(),
          result.commits().jobsPerBatch(),
          commitTime(result.time()));
      result.findings().forEach(finding -> out.println("WRONG: " + finding));
    }
    out.flush();
  }

  void pair(TableRows.Pair pair, PairRun.Result result) {
    if (isJson) {
      JsonLines.print(out, json -> pair(pair, result, json));
    } else {
      out.printf(
          Locale.ROOT,
          "%n%s: %,.0f jobs/s against %,.0f, ratio %s (spread %s); claims %s against %s"
              + " µs; write / sync / rest %s against %s µs a job%n",
          pair.name(),
          result.jobsPerSecond(),
          result.lightJobsPerSecond(),
          Figures.ratio(result.ratio()),
          Figures.percent(result.spread()),
          percentiles(result.claim()),
          percentiles(result.lightClaim()),
          commitTime(result.time()),
          commitTime(result.lightTime()));
      result.findings().forEach(finding -> out.println("WRONG: " + finding));
    }
    out.flush();
  }

  private static void pair(TableRows.Pair pair, PairRun.Result result, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("row", pair.name());
    json.writeStringField("store", pair.light().store());
    json.writeStringField("durability", LoadJson.label(pair.light().durability()));
    json.writeNumberField("jobs_per_s", result.jobsPerSecond());
    json.writeNumberField("light_jobs_per_s", result.lightJobsPerSecond());
    json.writeNumberField("ratio", result.ratio());
    json.writeNumberField("spread", result.spread());
    json.writeNumberField("claim_p50_us", result.claim().p50Us());
    json.writeNumberField("claim_p99_us", result.claim().p99Us());
    json.writeNumberField("light_claim_p50_us", result.lightClaim().p50Us());
    json.writeNumberField("light_claim_p99_us", result.lightClaim().p99Us());
    LoadJson.commitTime(json, "", result.time());
    LoadJson.commitTime(json, "light_", result.lightTime());
    json.writeBooleanField("exactly_once", result.findings().isEmpty());
    json.writeEndObject();
  }

  private static String commitTime(LoadResult.CommitTime time) {
    return String.format(
        Locale.ROOT, "%,.1f / %,.1f / %,.1f", time.writeUs(), time.syncUs(), time.restUs());
  }

  private static String percentiles(LoadResult.Percentiles percentiles) {
    return percentiles.p50Us() == 0
        ? ""
        : String.format(Locale.ROOT, "%,.0f / %,.0f", percentiles.p50Us(), percentiles.p99Us());
  }

  void wake(WakeRun.Result result) {
    if (isJson) {
      JsonLines.print(
          out,
          json -> {
            json.writeStartObject();
            json.writeStringField("row", "wake");
            json.writeStringField("waiter", result.waiter().toString());
            json.writeNumberField("wakes", result.wakeCount());
            json.writeNumberField("wake_p50_us", result.p50Us());
            json.writeNumberField("wake_p99_us", result.p99Us());
            json.writeNumberField("wake_max_us", result.maxUs());
            json.writeEndObject();
          });
    } else {
      out.printf(
          Locale.ROOT,
          "%n%s woken after the enqueue returned: p50 %,.0f µs, p99 %,.0f µs, max %,.0f"
              + " µs (%,d times)%n",
          result.waiter(),
          result.p50Us(),
          result.p99Us(),
          result.maxUs(),
          result.wakeCount());
    }
    out.flush();
  }

  void idle(IdleRun.Result result) {
    if (isJson) {
      JsonLines.print(
          out,
          json -> {
            json.writeStartObject();
            json.writeStringField("row", "idle");
            json.writeNumberField("seconds", result.seconds());
            json.writeNumberField("cpu_share", result.cpuShare());
            json.writeNumberField("cpu_share_without", result.cpuShareWithout());
            json.writeNumberField("writes", result.writeCount());
            json.writeNumberField("syncs", result.syncCount());
            json.writeNumberField("written_bytes", result.writtenBytes());
            json.writeEndObject();
          });
    } else {
      out.printf(
          Locale.ROOT,
          "idle for %.0f s: %.3f %% of a core, %.3f %% without an engine and a worker; %d writes"
              + " and %d syncs of the store, %d B sent to the disk by the process%n",
          result.seconds(),
          100 * result.cpuShare(),
          100 * result.cpuShareWithout(),
          result.writeCount(),
          result.syncCount(),
          result.writtenBytes());
    }
    out.flush();
  }

  void open(OpenRun.Result result) {
    String ending = result.ending().name().toLowerCase(Locale.ROOT);
    if (isJson) {
      JsonLines.print(
          out,
          json -> {
            json.writeStartObject();
            json.writeStringField("row", "open");
            json.writeStringField("after", ending);
            json.writeNumberField("waiting", result.waitingCount());
            json.writeNumberField("open_ms", result.openMs());
            json.writeNumberField("first_claim_ms", result.firstClaimMs());
            json.writeNumberField("heap_bytes", result.heapBytes());
            json.writeNumberField("disk_bytes_per_job", result.diskBytesPerJob());
            json.writeEndObject();
          });
    } else {
      out.printf(
          Locale.ROOT,
          "open with %,d waiting after a %s: %.1f ms, first claim after %.1f ms, heap %,.1f MiB,"
              + " %,.0f B on disk for each job%n",
          result.waitingCount(),
          ending,
          result.openMs(),
          result.firstClaimMs(),
          result.heapBytes() / 1048576.0,
          result.diskBytesPerJob());
    }
    out.flush();
  }
}
