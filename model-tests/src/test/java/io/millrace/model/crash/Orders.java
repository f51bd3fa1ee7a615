package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.VerifyReport;
import io.millrace.engine.JobEngine;
import io.millrace.examples.DurableWorkflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Orders that go the ways of the example {@link DurableWorkflow}, each of its own item, of which
 * there is one. What is to become of it the item says. However often the work on them is cut off,
 * each step has its effect once: in the stock, in the questions that are asked, and outside.
 */
public final class Orders {

  private static final QueueName ORDERS = QueueName.of("orders");

  /** The last attempt undoes: none may be the last for being cut off. */
  private static final EnqueueOptions OPTIONS =
      EnqueueOptions.DEFAULT
          .maxAttempts(1_000)
          .backoff(Backoff.fixed(Duration.ofMillis(1)))
          .resultRetention(Duration.ofDays(3_650));

  private final JobEngine engine;
  private final Ledger ledger;
  private final JobQueue orders;
  private final JobQueue questions;
  private final DurableWorkflow shop;
  private final Table<String, Long> stock;
  private final Table<String, String> issued;
  private final Table<String, Long> asked;

  /** What is to become of an order. */
  private enum Way {
    FINE,
    REFUSED,
    SILENT,
    DECLINED,
    NOWHERE,
    SOLD_OUT;

    String item(long number) {
      return name().toLowerCase(Locale.ROOT) + " " + number;
    }

    static Way of(String item) {
      String name = item.substring(0, item.indexOf(' '));
      return valueOf(name.toUpperCase(Locale.ROOT));
    }
  }

  public Orders(JobEngine engine, Ledger ledger) {
    this.engine = engine;
    this.ledger = ledger;
    this.orders = engine.queue(ORDERS);
    this.questions = engine.queue("questions");
    this.shop = new DurableWorkflow(engine, ledger, ledger);
    this.stock = engine.table("stock", Codec.TEXT, Codec.LONG);
    this.issued = engine.table("issued", Codec.TEXT, Codec.TEXT);
    this.asked = engine.table("asked", Codec.TEXT, Codec.LONG);
  }

  /** One more order comes in; now and then it is approved before anybody has asked. */
  public JobId issue(Random random) {
    Way way = Way.values()[random.nextInt(Way.values().length)];
    String item = way.item(random.nextLong() >>> 1);
    JobId order =
        engine
            .transact(
                tx -> {
                  JobId id = tx.enqueue(ORDERS, item.getBytes(UTF_8), OPTIONS);
                  tx.put(issued, id.toString(), item);
                  if (way != Way.SOLD_OUT) {
                    tx.put(stock, item, 1L);
                  }
                  return id;
                })
            .orThrow();
    if (way == Way.FINE && random.nextBoolean()) {
      shop.answer(order, "yes").isDone();
    }
    return order;
  }

  /** Works on the next order until it has to wait, if there is one. */
  public boolean workNext(ClaimOptions worker) {
    List<Lease> leases = orders.claim(worker);
    leases.forEach(
        lease -> new LeaseRun(engine, lease).run(DurableWorkflow.ORDER, shop.workflow()));
    return !leases.isEmpty();
  }

  /** Answers the next question, if there is one. */
  public boolean answerNext() {
    Optional<Lease> question = questions.claim(ClaimOptions.by("boss")).stream().findFirst();
    try {
      question.ifPresent(this::answer);
    } catch (LeaseLostException e) {
      // A day has passed meanwhile: the question comes again.
    }
    return question.isPresent();
  }

  private void answer(Lease question) {
    String id = new String(question.payload(), UTF_8);
    JobId order = JobId.parse(id);
    Way way = Way.of(issued.get(id).orElseThrow());
    engine
        .inTransaction(
            tx -> {
              tx.put(asked, id, tx.get(asked, id).orElse(0L) + 1);
              switch (way) {
                case FINE, NOWHERE -> tx.signal(order, "approval", "yes".getBytes(UTF_8));
                case REFUSED -> tx.signal(order, "approval", "no".getBytes(UTF_8));
                default -> {
                  // Nobody answers.
                }
              }
              tx.complete(question);
            })
        .orThrow();
  }

  /** How many orders are not done. */
  public long openCount() {
    QueueStats stats = orders.stats().orElse(null);
    long all = 0;
    if (stats != null) {
      for (JobState state : EnumSet.complementOf(EnumSet.of(JobState.DONE))) {
        all += stats.count(state);
      }
    }
    return all;
  }

  /** How many orders have come in. */
  public long issuedCount() {
    return issued.count();
  }

  /** What is not as it must be, at any moment. */
  public List<String> flaws() {
    List<String> flaws = new ArrayList<>();
    VerifyReport report = engine.verify();
    expect(flaws, "the store is sound: " + report, report.problemCount() == 0);
    Set<String> outside = ledger.lines();
    for (Map.Entry<String, String> order : rows(issued).entrySet()) {
      Optional<Job> job = engine.get(JobId.parse(order.getKey()));
      if (job.isEmpty() || job.get().state() == JobState.DEAD) {
        flaws.add("order is lost: " + order + " " + job);
      } else {
        check(flaws, order.getKey(), order.getValue(), job.get(), outside);
      }
    }
    for (String line : outside) {
      String id = line.substring(line.indexOf(' ') + 1, line.indexOf('/'));
      expect(flaws, "what happens is of an order: " + line, issued.get(id).isPresent());
    }
    return flaws;
  }

  private void check(List<String> flaws, String id, String item, Job job, Set<String> outside) {
    Way way = Way.of(item);
    boolean isCharged = outside.contains("charge " + id + "/charge");
    boolean isRefunded = outside.contains("refund " + id + "/charge");
    boolean isShipped = outside.contains("ship " + id + "/ship");
    long left = stock.get(item).orElse(0L);
    long questionCount = asked.get(id).orElse(0L);
    String is =
        "%s %s %s: charged %s, refunded %s, shipped %s, %d left, %d questions"
            .formatted(
                item, id, job.state(), isCharged, isRefunded, isShipped, left, questionCount);
    expect(flaws, "is asked once at most: " + is, questionCount <= 1);
    expect(flaws, "there is one at most: " + is, left == 0 || left == 1);
    expect(flaws, "what is shipped is paid for: " + is, !isShipped || isCharged && !isRefunded);
    if (job.state() == JobState.DONE) {
      String result = new String(job.result().orElseThrow(), UTF_8);
      boolean isParcel = result.equals("parcel of " + item);
      boolean isApproved = isParcel || result.equals("failed: no such address");
      boolean isAnswered = isApproved || result.startsWith("failed: not approved: ");
      // A charge that the bank did not answer may have had its effect.
      boolean isGivenUp = isGivenUp(result);
      String ended = result + ": " + is;
      boolean isSo = isGivenUp ? way != Way.SOLD_OUT : isWayOf(way, result.replace(item, "it"));
      expect(flaws, "ends so: " + ended, isSo);
      expect(flaws, "is charged if it can be: " + ended, isGivenUp || isCharged == isAnswered);
      expect(flaws, "is refunded if undone: " + ended, isRefunded == (isCharged && !isParcel));
      expect(flaws, "is shipped at the end: " + ended, isShipped == isParcel);
      boolean isThere = way != Way.SOLD_OUT && !isParcel;
      expect(flaws, "is put back if undone: " + ended, left == (isThere ? 1 : 0));
    }
  }

  private static boolean isGivenUp(String result) {
    return result.startsWith("failed: charge: given up after ");
  }

  private static boolean isWayOf(Way way, String result) {
    boolean isLate = result.equals("failed: not approved: nobody answered");
    return switch (way) {
      case FINE -> isLate || result.equals("parcel of it");
      case REFUSED -> isLate || result.equals("failed: not approved: no");
      case SILENT -> isLate;
      case DECLINED -> result.equals("failed: declined");
      case NOWHERE -> isLate || result.equals("failed: no such address");
      case SOLD_OUT -> result.equals("failed: no it left");
    };
  }

  /** What is not as it must be when all orders are done and all questions answered. */
  public List<String> flawsAtTheEnd() {
    List<String> flaws = flaws();
    expect(flaws, "all are done: " + openCount(), openCount() == 0);
    Set<String> outside = ledger.lines();
    rows(issued)
        .keySet()
        .forEach(
            id -> {
              boolean isGivenUp =
                  engine
                      .get(JobId.parse(id))
                      .flatMap(Job::result)
                      .map(result -> isGivenUp(new String(result, UTF_8)))
                      .orElse(false);
              boolean isPaid = outside.contains("charge " + id + "/charge") && !isGivenUp;
              long count = asked.get(id).orElse(0L);
              expect(
                  flaws, "each that is paid is asked about once: " + count, isPaid == (count == 1));
            });
    return flaws;
  }

  private static void expect(List<String> flaws, String what, boolean isSo) {
    if (!isSo) {
      flaws.add("not so: " + what);
    }
  }

  private static Map<String, String> rows(Table<String, String> table) {
    Map<String, String> rows = new TreeMap<>();
    PageRequest request = PageRequest.first(1_000);
    while (true) {
      Page<TableRow<String, String>> page = table.scan(TableRange.all(), request);
      page.items().forEach(row -> rows.put(row.key(), row.value()));
      if (page.next().isEmpty()) {
        return rows;
      }
      request = PageRequest.after(page.next().get(), 1_000);
    }
  }
}
