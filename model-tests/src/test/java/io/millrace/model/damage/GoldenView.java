package io.millrace.model.damage;

import io.millrace.api.BatchStats;
import io.millrace.api.Codec;
import io.millrace.api.Explanation;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.SignalWait;
import io.millrace.api.TableRange;
import io.millrace.api.TableReader;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.engine.JobEngine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All that can be seen of a golden store, in text: times are in seconds since the store was begun,
 * payloads by their names.
 */
final class GoldenView {

  private GoldenView() {}

  /** What somebody sees who only looks. */
  static List<String> of(JobReader reader) {
    List<String> lines = new ArrayList<>();
    for (QueueName name : reader.queues(PageRequest.first(50)).items()) {
      lines.add(queue(name, reader));
    }
    lines.addAll(jobs(reader));
    lines.addAll(tables(reader));
    Page.stream(page -> reader.batches().list(page)).forEach(batch -> lines.add(batch(batch)));
    VerifyReport report = reader.verify();
    lines.add(
        "verified: queues="
            + report.queueCount()
            + ", jobs="
            + report.jobCount()
            + ", problems="
            + report.problems()
            + ", quarantined="
            + report.quarantinedCount());
    return lines;
  }

  /** The settings of all queues, which only an engine tells. */
  static List<String> settings(JobEngine engine) {
    return engine.queues(PageRequest.first(50)).items().stream()
        .map(name -> text(name) + " has " + settings(engine.queue(name).settings()))
        .toList();
  }

  /** Every job with everything that is known of it, in the order of the list of all jobs. */
  private static List<String> jobs(JobReader reader) {
    List<String> jobs = new ArrayList<>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(10));
    while (next.isPresent()) {
      Page<Job> page = reader.list(JobFilter.ALL, next.get());
      for (Job job : page.items()) {
        jobs.add(job(reader.get(job.id()).orElseThrow()) + blockedBy(job, reader));
      }
      next = page.next().map(cursor -> PageRequest.after(cursor, 10));
    }
    return jobs;
  }

  private static String job(Job job) {
    StringBuilder text = new StringBuilder(name(job.payload()));
    text.append(' ').append(job.id()).append(' ').append(job.state());
    text.append(" priority ").append(job.priority()).append(" weight ").append(job.weight());
    text.append(" attempts ").append(job.attempts()).append('/').append(job.maxAttempts());
    text.append(" enqueued ").append(time(job.enqueuedAt()));
    job.visibleAt().ifPresent(at -> text.append(" visible ").append(time(at)));
    job.expiresAt().ifPresent(at -> text.append(" expires ").append(time(at)));
    job.completedAt().ifPresent(at -> text.append(" completed ").append(time(at)));
    job.result().ifPresent(result -> text.append(" result ").append(name(result)));
    job.signalWait().ifPresent(wait -> text.append(wait(wait)));
    job.batch().ifPresent(batch -> text.append(" of batch ").append(batch));
    job.waitsForBatch().ifPresent(batch -> text.append(" after batch ").append(batch));
    job.diedAt().ifPresent(at -> text.append(" died ").append(time(at)));
    job.lastError().ifPresent(error -> text.append(" error '").append(error).append('\''));
    if (!job.headers().isEmpty()) {
      text.append(' ').append(new TreeMap<>(job.headers()));
    }
    job.uniqueKey().ifPresent(key -> text.append(" unique '").append(key).append('\''));
    job.concurrencyKey().ifPresent(key -> text.append(" key '").append(key).append('\''));
    job.engineConcurrencyKey()
        .ifPresent(key -> text.append(" key of the engine '").append(key).append('\''));
    text.append(' ').append(job.backoff());
    job.history().forEach(attempt -> text.append("; ").append(attempt(attempt)));
    return text.toString().replace('\n', '~');
  }

  private static String wait(SignalWait wait) {
    return " waits for '"
        + wait.signal()
        + "' since "
        + time(wait.since())
        + wait.deadline().map(deadline -> " until " + time(deadline)).orElse("");
  }

  private static String batch(BatchStats batch) {
    return "batch "
        + batch.id()
        + " '"
        + batch.name()
        + "'"
        + batch.outer().map(outer -> " within " + outer).orElse("")
        + (batch.isSealed() ? " sealed" : " open")
        + (batch.isCancelled() ? " cancelled" : "")
        + " left "
        + batch.left()
        + " running "
        + batch.running()
        + " succeeded "
        + batch.succeeded()
        + " dead "
        + batch.dead()
        + " failed "
        + batch.failed()
        + " cancelled "
        + batch.cancelled()
        + " expired "
        + batch.expired()
        + " purged "
        + batch.purged()
        + " lost "
        + batch.lost()
        + " kept "
        + batch.retention()
        + " started "
        + time(batch.startedAt())
        + batch.endedAt().map(at -> " ended " + time(at)).orElse("");
  }

  /** Every row of users' tables, and those tables that have none. */
  private static List<String> tables(JobReader reader) {
    List<String> lines = new ArrayList<>();
    for (String table : reader.tables(PageRequest.first(50)).items()) {
      TableReader<String, byte[]> rows = reader.table(table, Codec.TEXT, Codec.BYTES);
      lines.add("table " + table + " has " + rows.count() + " rows");
      rows.scan(TableRange.all(), PageRequest.first(50))
          .items()
          .forEach(row -> lines.add("row '" + row.key() + "' of " + table + " " + bytes(row)));
    }
    return lines;
  }

  private static String bytes(TableRow<String, byte[]> row) {
    String name = name(row.value());
    return name.equals(Labels.WRONG) ? HexFormat.of().formatHex(row.value()) : "is " + name;
  }

  /** Who has the slots that a blocked job waits for; empty for others. */
  private static String blockedBy(Job job, JobReader reader) {
    return job.state() == JobState.BLOCKED
        ? reader.explain(job.id()).orElseThrow().reasons().stream()
            .filter(Explanation.KeyTaken.class::isInstance)
            .map(reason -> blockedBy((Explanation.KeyTaken) reason, reader))
            .collect(Collectors.joining())
        : "";
  }

  private static String blockedBy(Explanation.KeyTaken taken, JobReader reader) {
    return " blocked by "
        + taken.holderCount()
        + " of "
        + taken.limit()
        + taken.holders().stream()
            .map(holder -> name(reader.get(holder.jobId()).orElseThrow().payload()))
            .toList()
        + " behind "
        + taken.ahead().count();
  }

  private static String attempt(FinishedAttempt attempt) {
    return attempt.attempt()
        + " by "
        + attempt.worker()
        + " "
        + time(attempt.startedAt())
        + " to "
        + time(attempt.endedAt())
        + attempt.error().map(error -> " '" + error + "'").orElse("");
  }

  private static String queue(QueueName name, JobReader reader) {
    QueueStats stats = reader.stats(name).orElseThrow();
    String counts =
        Arrays.stream(JobState.values())
            .filter(state -> stats.count(state) > 0)
            .map(state -> state + "=" + stats.count(state))
            .collect(Collectors.joining(" "));
    String totals =
        Arrays.stream(QueueStats.Total.values())
            .filter(total -> stats.total(total) > 0)
            .map(total -> total + "=" + stats.total(total))
            .collect(Collectors.joining(" "));
    return text(name) + " holds " + counts + ", counted " + totals;
  }

  private static String settings(QueueSettings settings) {
    return "lease "
        + settings.leaseDuration()
        + " depth "
        + settings.depthMax()
        + " expiry "
        + settings.expiry()
        + " results "
        + settings.resultRetention()
        + " dead "
        + settings.deadRetention()
        + ofKeys(settings);
  }

  /** What there is no default for, or another than the default. */
  private static String ofKeys(QueueSettings settings) {
    StringBuilder text = new StringBuilder();
    if (settings.perKey() != QueueSettings.DEFAULT.perKey()) {
      text.append(" per key ").append(settings.perKey());
    }
    settings.rateLimit().ifPresent(limit -> text.append(" rate ").append(limit));
    settings.rateLimitPerKey().ifPresent(limit -> text.append(" rate per key ").append(limit));
    if (settings.share() != QueueSettings.DEFAULT.share()) {
      text.append(" share ").append(settings.share());
    }
    return text.toString();
  }

  private static String text(QueueName name) {
    return name.toString().replace('\0', '~');
  }

  private static String name(byte[] payload) {
    return Labels.name(payload);
  }

  private static String time(Instant at) {
    long ms = at.toEpochMilli() - GoldenStores.START_MS;
    return ms % 1_000 == 0 ? Long.toString(ms / 1_000) : ms + "ms";
  }
}
