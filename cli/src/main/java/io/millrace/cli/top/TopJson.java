package io.millrace.cli.top;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.Distribution;
import io.millrace.api.EngineMetrics;
import io.millrace.api.QueueStats;
import io.millrace.cli.text.JsonLines;
import io.millrace.console.text.DescribedJson;
import io.millrace.describe.Description.Attribute;
import io.millrace.describe.Descriptions;
import io.millrace.describe.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.OptionalLong;

/** Two samples of an engine as one JSON document: the state now, and the events between them. */
final class TopJson {

  private static final double NS_PER_MS = 1e6;

  private final TopSample before;
  private final TopSample now;
  private final PrintWriter out;

  TopJson(TopSample before, TopSample now, PrintWriter out) {
    this.before = before;
    this.now = now;
    this.out = out;
  }

  /**
   * Writes the document on a line of its own.
   *
   * @param location the store of the engine
   * @param pid its process, if that is known
   */
  void print(String location, OptionalLong pid) {
    JsonLines.print(
        out,
        json -> {
          json.writeStartObject();
          for (Attribute<EngineMetrics, ?> attribute : Descriptions.METRICS.attributes()) {
            DescribedJson.write(attribute, now.metrics(), json);
            if (attribute.accessor().equals("at")) {
              json.writeStringField("store", location);
              if (pid.isPresent()) {
                json.writeNumberField("pid", pid.getAsLong());
              }
              DescribedJson.writeAttributes(Descriptions.HEALTH, now.metrics().health(), json);
            }
          }
          writeRates(json);
          writeTimes(json);
          writeQueues(json);
          json.writeEndObject();
        });
  }

  private void writeRates(JsonGenerator json) throws IOException {
    Map<QueueStats.Total, Long> earlier = before.metrics().operations();
    json.writeObjectFieldStart("jobsPerSecond");
    for (Map.Entry<QueueStats.Total, Long> entry : now.metrics().operations().entrySet()) {
      long past = earlier.getOrDefault(entry.getKey(), 0L);
      json.writeNumberField(
          Kind.word(entry.getKey()), now.perSecond(before, past, entry.getValue()));
    }
    json.writeEndObject();
  }

  private void writeTimes(JsonGenerator json) throws IOException {
    EngineMetrics earlier = before.metrics();
    EngineMetrics metrics = now.metrics();
    write("commitMs", metrics.commitNs(), NS_PER_MS, json);
    json.writeNumberField("commitsPerSecond", rate(earlier.commitNs(), metrics.commitNs()));
    write("syncMs", metrics.syncNs(), NS_PER_MS, json);
    json.writeNumberField("syncsPerSecond", rate(earlier.syncNs(), metrics.syncNs()));
    write("groupRequests", metrics.groupRequests(), 1, json);
  }

  private long rate(EngineMetrics.Spread earlier, EngineMetrics.Spread later) {
    return now.perSecond(before, earlier.sinceOpening().count(), later.sinceOpening().count());
  }

  /** Writes the distribution of about the last minute. */
  private static void write(
      String field, EngineMetrics.Spread spread, double unit, JsonGenerator json)
      throws IOException {
    Distribution recent = spread.recent();
    json.writeObjectFieldStart(field);
    json.writeNumberField("p50", recent.p50() / unit);
    json.writeNumberField("p90", recent.p90() / unit);
    json.writeNumberField("p99", recent.p99() / unit);
    json.writeNumberField("max", recent.max() / unit);
    json.writeEndObject();
  }

  private void writeQueues(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("queues");
    for (QueueStats stats : now.queues().values()) {
      DescribedJson.write(Descriptions.QUEUE, stats, json);
    }
    json.writeEndArray();
    json.writeBooleanField("moreQueues", now.isMore());
  }
}
