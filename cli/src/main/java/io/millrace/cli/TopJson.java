package io.millrace.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.api.QueueStats;
import io.millrace.cli.text.JobJson;
import io.millrace.cli.text.JsonLines;
import io.millrace.management.DistributionSnapshot;
import io.millrace.management.HealthSnapshot;
import io.millrace.management.MetricsSnapshot;
import io.millrace.management.SpreadSnapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/** Two samples of an engine as one JSON document: what there is now, and what happened between. */
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
   */
  void print(String location, long pid) {
    JsonLines.print(
        out,
        json -> {
          json.writeStartObject();
          json.writeStringField("at", Instant.ofEpochMilli(now.metrics().getAtMs()).toString());
          json.writeStringField("store", location);
          json.writeNumberField("pid", pid);
          writeHealth(now.metrics().getHealth(), json);
          writeHoldings(now.metrics(), json);
          writeOperations(json);
          writeTimes(json);
          writeQueues(json);
          json.writeEndObject();
        });
  }

  private static void writeHealth(HealthSnapshot health, JsonGenerator json) throws IOException {
    json.writeStringField("status", health.getStatus());
    if (!health.getReason().isEmpty()) {
      json.writeStringField("reason", health.getReason());
    }
    json.writeArrayFieldStart("warnings");
    for (String warning : health.getWarnings()) {
      json.writeString(warning);
    }
    json.writeEndArray();
    json.writeNumberField("clockAheadMs", health.getClockDivergenceMs());
  }

  private static void writeHoldings(MetricsSnapshot metrics, JsonGenerator json)
      throws IOException {
    json.writeNumberField("openForMs", metrics.getOpenForMs());
    json.writeNumberField("ringDepth", metrics.getRingDepth());
    json.writeNumberField("ringSize", metrics.getRingSize());
    json.writeNumberField("leases", metrics.getLeaseCount());
    json.writeNumberField("queueLeases", metrics.getQueueLeaseCount());
    json.writeNumberField("waitingClaims", metrics.getParkedClaimCount());
    json.writeNumberField("rateBuckets", metrics.getRateBucketCount());
    json.writeNumberField("rateLimitedQueues", metrics.getRateLimitedQueueCount());
    json.writeNumberField("tenantNames", metrics.getTenantNameCount());
    json.writeNumberField("tenantTurns", metrics.getTenantTurnCount());
    json.writeNumberField("broadcasts", metrics.getBroadcastCount());
    json.writeNumberField("awaitedEnds", metrics.getAwaitCount());
    json.writeNumberField("jobListeners", metrics.getListenerCount());
    json.writeNumberField("waitingEvents", metrics.getWaitingEventCount());
    json.writeNumberField("missedEvents", metrics.getMissedEventCount());
    json.writeNumberField("duplicates", metrics.getDuplicateCount());
    json.writeNumberField("storeBytes", metrics.getStoreBytes());
    json.writeNumberField("memoryBytes", metrics.getWindowBytes());
    Long readerAgeMs = metrics.getOldestReaderAgeMs();
    if (readerAgeMs != null) {
      json.writeNumberField("oldestReaderAgeMs", readerAgeMs);
    }
    json.writeNumberField("setAside", metrics.getSetAsideCount());
    json.writeNumberField("tableRowsPut", metrics.getTableRowsPut());
    json.writeNumberField("tableRowsDeleted", metrics.getTableRowsDeleted());
    json.writeNumberField("transactions", metrics.getTransactionCount());
    json.writeNumberField("transactionCalls", metrics.getTransactionCallCount());
    json.writeNumberField("transactionConflicts", metrics.getTransactionConflictCount());
  }

  private void writeOperations(JsonGenerator json) throws IOException {
    Map<String, Long> earlier = before.metrics().getOperations();
    json.writeObjectFieldStart("jobs");
    for (Map.Entry<String, Long> entry : now.metrics().getOperations().entrySet()) {
      json.writeNumberField(word(entry), entry.getValue());
    }
    json.writeEndObject();
    json.writeObjectFieldStart("jobsPerSecond");
    for (Map.Entry<String, Long> entry : now.metrics().getOperations().entrySet()) {
      long past = earlier.getOrDefault(entry.getKey(), 0L);
      json.writeNumberField(word(entry), now.perSecond(before, past, entry.getValue()));
    }
    json.writeEndObject();
  }

  private static String word(Map.Entry<String, Long> operation) {
    return operation.getKey().toLowerCase(Locale.ROOT);
  }

  private void writeTimes(JsonGenerator json) throws IOException {
    MetricsSnapshot earlier = before.metrics();
    MetricsSnapshot metrics = now.metrics();
    write("commitMs", metrics.getCommitNs(), NS_PER_MS, json);
    json.writeNumberField("commitsPerSecond", rate(earlier.getCommitNs(), metrics.getCommitNs()));
    write("syncMs", metrics.getSyncNs(), NS_PER_MS, json);
    json.writeNumberField("syncsPerSecond", rate(earlier.getSyncNs(), metrics.getSyncNs()));
    write("groupRequests", metrics.getGroupRequests(), 1, json);
  }

  private long rate(SpreadSnapshot earlier, SpreadSnapshot later) {
    return now.perSecond(
        before, earlier.getSinceOpening().getCount(), later.getSinceOpening().getCount());
  }

  /** Of about the last minute. */
  private static void write(String field, SpreadSnapshot spread, double unit, JsonGenerator json)
      throws IOException {
    DistributionSnapshot recent = spread.getRecent();
    json.writeObjectFieldStart(field);
    json.writeNumberField("p50", recent.getP50() / unit);
    json.writeNumberField("p90", recent.getP90() / unit);
    json.writeNumberField("p99", recent.getP99() / unit);
    json.writeNumberField("max", recent.getMax() / unit);
    json.writeEndObject();
  }

  private void writeQueues(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("queues");
    for (QueueStats stats : now.queues().values()) {
      JobJson.write(stats, json);
    }
    json.writeEndArray();
    json.writeBooleanField("moreQueues", now.isMore());
  }
}
