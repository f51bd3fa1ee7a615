package io.millrace.jmh.load;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.jmh.load.LoadResult.CommitTime;
import io.millrace.jmh.load.LoadResult.Percentiles;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** A result as one JSON object. */
public final class LoadJson {

  private LoadJson() {}

  /** Writes the result as one object. Its names never change. */
  public static void write(LoadResult result, JsonGenerator json) throws IOException {
    json.writeStartObject();
    writeFields(result, json);
    json.writeEndObject();
  }

  /** Writes the result as the object of a row of a table. */
  public static void write(String row, LoadResult result, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("row", row);
    writeFields(result, json);
    json.writeEndObject();
  }

  private static void writeFields(LoadResult result, JsonGenerator json) throws IOException {
    writeOptions(result.options(), json);
    writeMeasures(result, json);
    writeEnd(result.findings(), json);
  }

  private static void writeEnd(List<String> findings, JsonGenerator json) throws IOException {
    json.writeNumberField("cpus", Runtime.getRuntime().availableProcessors());
    json.writeStringField("java", System.getProperty("java.version"));
    json.writeBooleanField("exactly_once", findings.isEmpty());
    json.writeArrayFieldStart("findings");
    for (String finding : findings) {
      json.writeString(finding);
    }
    json.writeEndArray();
  }

  /** Writes the fields of a run beside much in the store, without the braces of an object. */
  public static void writeFields(GrowthRun.Result result, JsonGenerator json) throws IOException {
    writeOptions(result.options(), json);
    json.writeStringField("threads", label(result.options().callers().threads()));
    json.writeNumberField("keys", result.options().queues().keyCount());
    number(json, "jobs_per_s", result.jobsPerSecond(), 1);
    number(json, "spread", result.spread(), 3);
    percentiles(json, "enqueue", result.latency().enqueue());
    percentiles(json, "claim", result.latency().claim());
    percentiles(json, "complete", result.latency().complete());
    number(json, "strict_floor_jobs_per_s", result.logJobsPerSecond(), 1);
    number(json, "ratio_to_strict_floor", result.logRatio(), 3);
    number(json, "allocated_bytes_per_job", result.allocatedBytes(), 1);
    json.writeNumberField("heap_bytes", result.heapBytes());
    if (result.kept().isPresent()) {
      GrowthRun.Kept kept = result.kept().get();
      number(json, "open_ms", kept.openMs(), 2);
      number(json, "first_claim_ms", kept.firstClaimMs(), 2);
      json.writeNumberField("opened_heap_bytes", kept.heapBytes());
      json.writeNumberField("disk_bytes", kept.diskBytes());
    }
    writeEnd(result.findings(), json);
  }

  private static void writeOptions(LoadOptions options, JsonGenerator json) throws IOException {
    json.writeStringField("workload", options.workload().label());
    json.writeStringField("store", options.store());
    json.writeStringField("durability", label(options.durability()));
    json.writeNumberField("producers", options.callers().producerCount());
    json.writeNumberField(
        "consumers", options.workload().hasConsumers() ? options.callers().consumerCount() : 0);
    json.writeNumberField("batch", options.callers().batchCount());
    json.writeNumberField("in_flight", options.callers().inFlightCount());
    json.writeBooleanField("server", options.callers().isRemote());
    json.writeNumberField("payload", options.payloadBytes());
    json.writeNumberField("backlog", options.backlogCount());
    json.writeNumberField("queues", options.queues().count());
    json.writeStringField("load_on", label(options.queues().loadOn()));
    json.writeNumberField("rate", options.timing().jobsPerSecond());
    json.writeNumberField("seconds", options.timing().measured().toMillis() / 1_000.0);
    json.writeNumberField("rounds", options.timing().roundCount());
  }

  private static void writeMeasures(LoadResult result, JsonGenerator json) throws IOException {
    number(json, "jobs_per_s", result.engine().jobsPerSecond(), 1);
    number(json, "spread", result.engine().spread(), 3);
    number(json, "first_round_jobs_per_s", result.engine().firstJobsPerSecond(), 1);
    number(json, "last_round_jobs_per_s", result.engine().lastJobsPerSecond(), 1);
    percentiles(json, "enqueue", result.latency().enqueue());
    percentiles(json, "claim", result.latency().claim());
    percentiles(json, "complete", result.latency().complete());
    percentiles(json, "lateness", result.latency().lateness());
    number(json, "floor_jobs_per_s", result.floor().jobsPerSecond(), 1);
    number(json, "ratio_to_floor", result.floor().engineRatio(), 3);
    number(json, "strict_floor_jobs_per_s", result.strictFloor().jobsPerSecond(), 1);
    number(json, "ratio_to_strict_floor", result.strictFloor().engineRatio(), 3);
    number(json, "raw_jobs_per_s", result.raw().jobsPerSecond(), 1);
    number(json, "ratio_to_raw", result.raw().engineRatio(), 3);
    number(json, "allocated_bytes_per_job", result.cost().allocatedBytes(), 1);
    number(json, "disk_bytes_per_job", result.cost().diskBytes(), 1);
    number(json, "jobs_per_commit", result.commits().jobsPerBatch(), 2);
    number(json, "commits_per_s", result.commits().batchesPerSecond(), 1);
    number(json, "syncs_per_s", result.commits().syncsPerSecond(), 1);
    commitTime(json, "", result.time());
  }

  /** Returns an option's value as on the command line. */
  public static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static void percentiles(JsonGenerator json, String call, Percentiles percentiles)
      throws IOException {
    number(json, call + "_p50_us", percentiles.p50Us(), 1);
    number(json, call + "_p99_us", percentiles.p99Us(), 1);
    number(json, call + "_p999_us", percentiles.p999Us(), 1);
  }

  /** Writes the parts of the commit thread's time, under names that begin with the prefix. */
  public static void commitTime(JsonGenerator json, String prefix, CommitTime time)
      throws IOException {
    number(json, prefix + "write_us_per_job", time.writeUs(), 2);
    number(json, prefix + "sync_us_per_job", time.syncUs(), 2);
    number(json, prefix + "rest_us_per_job", time.restUs(), 2);
  }

  private static void number(JsonGenerator json, String name, double value, int digits)
      throws IOException {
    double scale = Math.pow(10, digits);
    json.writeNumberField(name, Math.round(value * scale) / scale);
  }
}
