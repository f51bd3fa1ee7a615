package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Backoff;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.ResultJobType;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.Transaction;
import io.millrace.engine.JobEngine;
import io.millrace.workflow.Steps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Workflows whose pages are rendered by many jobs, some of which add one more to their batch.
 * However often the work is cut off, each page is rendered once, no page is of no report, and each
 * report has its pages in their order.
 */
public final class Reports {

  private static final int PAGE_COUNT_MAX = 6;

  private static final JobType<Long> REPORT =
      JobType.of("report", Codec.LONG).defaults(Reports::untilItSucceeds);

  private static final ResultJobType<String, String> PAGE =
      JobType.of("page", Codec.TEXT).returning(Codec.TEXT).defaults(Reports::untilItSucceeds);

  private final JobEngine engine;
  private final Table<String, Long> issued;
  private final Table<String, Long> rendered;
  private final Table<String, String> bound;

  public Reports(JobEngine engine) {
    this.engine = engine;
    this.issued = engine.table("issued", Codec.TEXT, Codec.LONG);
    this.rendered = engine.table("rendered", Codec.TEXT, Codec.LONG);
    this.bound = engine.table("bound", Codec.TEXT, Codec.TEXT);
  }

  private static EnqueueOptions untilItSucceeds(EnqueueOptions options) {
    return options.maxAttempts(1_000).backoff(Backoff.fixed(Duration.ofMillis(1)));
  }

  /** One more report is asked for. */
  public void issue(Random random) {
    long pageCount = random.nextInt(PAGE_COUNT_MAX + 1);
    engine
        .inTransaction(tx -> tx.put(issued, tx.enqueue(REPORT, pageCount).toString(), pageCount))
        .orThrow();
  }

  /** Works on the next report until it has to wait, if there is one. */
  public boolean workNext(ClaimOptions worker) {
    List<Lease> leases = engine.queue(REPORT.queueName()).claim(worker);
    leases.forEach(
        lease -> new LeaseRun(engine, lease).run(REPORT, Steps.workflow(this::bindPages)));
    return !leases.isEmpty();
  }

  private void bindPages(long pageCount, Steps steps) {
    JobId id = steps.job().jobId();
    List<String> pages = steps.all("pages", PAGE, pages(id.toString(), pageCount));
    steps.step("bind", Codec.TEXT, tx -> bind(tx, id.toString(), String.join(" ", pages)));
  }

  private String bind(Transaction tx, String id, String pages) {
    String before = tx.get(bound, id).map(text -> text + "; ").orElse("");
    tx.put(bound, id, before + pages);
    return pages;
  }

  private static List<String> pages(String id, long count) {
    return IntStream.range(0, (int) count).mapToObj(page -> id + "/" + page).toList();
  }

  /** Renders the next page, unless the worker fails, or falls silent. */
  public boolean renderNext(ClaimOptions worker, Random random) {
    List<Lease> leases = engine.queue(PAGE.queueName()).claim(worker);
    for (Lease lease : leases) {
      switch (random.nextInt(6)) {
        case 0 -> lease.fail("no paper").isDone();
        case 1 -> {
          // The lease runs out.
        }
        default -> render(lease);
      }
    }
    return !leases.isEmpty();
  }

  private void render(Lease lease) {
    String page = new String(lease.payload(), UTF_8);
    BatchId own = lease.batch().orElseThrow();
    engine
        .transact(
            tx -> {
              tx.put(rendered, page, tx.get(rendered, page).orElse(0L) + 1);
              if (hasAppendix(page)) {
                tx.enqueue(PAGE, page + "+", options -> options.batch(own));
              }
              tx.complete(lease, (page + "!").getBytes(UTF_8));
              return page;
            })
        .isDone();
  }

  private static boolean hasAppendix(String page) {
    return page.endsWith("1") || page.endsWith("4");
  }

  /** How many reports have been asked for. */
  public long issuedCount() {
    return issued.count();
  }

  /** How many reports are not bound yet. */
  public long openCount() {
    return issuedCount() - bound.count();
  }

  /** What is not as it must be, at any moment. */
  public List<String> flaws() {
    List<String> flaws = new ArrayList<>();
    engine.verify().problems().forEach(problem -> flaws.add("the store is not sound: " + problem));
    rows(rendered)
        .forEach(
            (page, count) -> {
              String id = page.substring(0, page.indexOf('/'));
              expect(flaws, "is of a report: " + page, issued.get(id).isPresent());
              expect(flaws, "is rendered once: " + page + " " + count, count == 1);
            });
    rows(bound)
        .forEach(
            (id, pages) -> {
              long pageCount = issued.get(id).orElseThrow();
              String all =
                  String.join(" ", pages(id, pageCount).stream().map(p -> p + "!").toList());
              expect(flaws, "has its pages in order: " + id + ": " + pages, pages.equals(all));
              for (String page : pages(id, pageCount)) {
                expect(flaws, "is rendered: " + page, rendered.get(page).isPresent());
                boolean hasOne = rendered.get(page + "+").isPresent();
                expect(flaws, "has what was added: " + page, hasOne == hasAppendix(page));
              }
            });
    return flaws;
  }

  /** What is not as it must be when all reports are bound. */
  public List<String> flawsAtTheEnd() {
    List<String> flaws = flaws();
    expect(flaws, "all are bound: " + openCount(), openCount() == 0);
    List<BatchStats> batches =
        Page.stream(page -> engine.batches().list(new PageRequest(100, page.cursor()))).toList();
    expect(flaws, "each is started once: " + batches.size(), batches.size() == issuedCount());
    for (BatchStats batch : batches) {
      boolean isDone = batch.isOver() && batch.succeeded() == batch.total();
      expect(flaws, "has succeeded: " + batch, isDone);
    }
    return flaws;
  }

  private static <V> Map<String, V> rows(Table<String, V> table) {
    Map<String, V> rows = new TreeMap<>();
    Page.stream(page -> table.scan(TableRange.all(), page))
        .forEach(row -> rows.put(row.key(), row.value()));
    return rows;
  }

  private static void expect(List<String> flaws, String what, boolean isSo) {
    if (!isSo) {
      flaws.add("not so: " + what);
    }
  }
}
