package io.millrace.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;

import io.millrace.api.AfterCommit;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.api.UpdateOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Transactions. */
final class TransactionScripts {

  static final Map<String, SameAnswersTest.Script> ALL =
      Map.ofEntries(
          entry("rows in transactions", TransactionScripts::rows),
          entry("rows that others change", TransactionScripts::changed),
          entry("new jobs in transactions", TransactionScripts::enqueues),
          entry("unique keys in transactions", TransactionScripts::uniqueKeys),
          entry("batches in transactions", TransactionScripts::batches),
          entry("jobs in transactions", TransactionScripts::jobs),
          entry("calls inside of functions", TransactionScripts::inside),
          entry("wrong transactions", TransactionScripts::wrong),
          entry("rows that stay", TransactionScripts::rowsThatStay),
          entry("refused jobs in transactions", TransactionScripts::refusedJobs));

  private static final QueueName MAIL = QueueName.of("mail");
  private static final JobId NONE = new JobId(1, 2);

  private TransactionScripts() {}

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static void rows(JobQueues queues, Told told) {
    Table<String, Long> stock = queues.table("stock", Codec.TEXT, Codec.LONG);
    Table<String, String> notes = queues.table("notes", Codec.TEXT, Codec.TEXT);
    List<AfterCommit<?>> after = new ArrayList<>();
    told.of("nothing", () -> queues.transact(tx -> "x"));
    told.of(
        "all kinds",
        () ->
            queues.transact(
                tx -> {
                  after.clear();
                  told.of("get none", () -> tx.get(stock, "boots"));
                  tx.put(stock, "boots", 3L);
                  told.of("get own", () -> tx.get(stock, "boots"));
                  after.add(tx.add(stock, "boots", 4L));
                  after.add(tx.add(stock, "hats", 5L));
                  after.add(tx.max(stock, "caps", -2L));
                  after.add(tx.append(notes, "n", "one"));
                  after.add(tx.append(notes, "n", ", two"));
                  after.add(tx.delete(stock, "none"));
                  told.of("too early", () -> after.get(0).get());
                  told.of("getAll", () -> tx.getAll(stock, List.of("boots", "x", "boots")));
                  told.of("scan", () -> tx.scan(stock, TableRange.all(), 10));
                  return "done";
                }));
    after.forEach(answer -> told.of("after", answer::get));
    told.of("stock", () -> stock.scan(TableRange.all(), PageRequest.first(10)));
    told.of("notes", () -> notes.scan(TableRange.all(), PageRequest.first(10)));
    told.of(
        "merge of a row that is read",
        () ->
            queues.transact(
                tx -> {
                  told.of("get", () -> tx.get(stock, "hats"));
                  after.add(tx.add(stock, "hats", 1L));
                  after.add(tx.delete(stock, "caps"));
                  return tx.get(stock, "hats");
                }));
    told.of("after", () -> after.get(after.size() - 2).get());
    told.of("after", () -> after.get(after.size() - 1).get());
  }

  private static void rowsThatStay(JobQueues queues, Told told) {
    Table<String, Long> stock = queues.table("stock", Codec.TEXT, Codec.LONG);
    stock.put("boots", 7L);
    told.of(
        "thrown",
        () ->
            queues.transact(
                tx -> {
                  tx.put(stock, "boots", 99L);
                  throw new IllegalStateException("no");
                }));
    told.of("boots", () -> stock.get("boots"));
    told.of(
        "sum too great",
        () ->
            queues.transact(
                tx -> {
                  var unused = tx.add(stock, "boots", Long.MAX_VALUE);
                  return 1;
                }));
    told.of("null result", () -> queues.transact(tx -> null));
    told.of("inTransaction", () -> queues.inTransaction(tx -> tx.put(stock, "z", 1L)));
    told.of(
        "buffered",
        () ->
            queues
                .with(Durability.BUFFERED)
                .transact(
                    tx -> {
                      tx.put(stock, "z", 2L);
                      return "b";
                    }));
    told.of("z", () -> stock.get("z"));
  }

  private static void changed(JobQueues queues, Told told) {
    Table<String, Long> stock = queues.table("stock", Codec.TEXT, Codec.LONG);
    stock.put("a", 1L);
    AtomicInteger calls = new AtomicInteger();
    told.of(
        "read, changed, read again",
        () ->
            queues.transact(
                tx -> {
                  long seen = tx.get(stock, "a").orElse(0L);
                  if (calls.incrementAndGet() == 1) {
                    elsewhere(() -> stock.put("a", 10L));
                  }
                  tx.put(stock, "b", seen);
                  return seen;
                }));
    told.of("calls", calls::get);
    told.of("b", () -> stock.get("b"));
    calls.set(0);
    told.of(
        "thrown for what was not true",
        () ->
            queues.transact(
                tx -> {
                  long seen = tx.get(stock, "a").orElse(0L);
                  if (calls.incrementAndGet() == 1) {
                    elsewhere(() -> stock.put("a", 11L));
                    throw new IllegalStateException("seen " + seen);
                  }
                  return seen;
                }));
    told.of("calls", calls::get);
    calls.set(0);
    told.of(
        "never quick enough",
        () ->
            queues.transact(
                tx -> {
                  long seen = tx.get(stock, "a").orElse(0L);
                  elsewhere(() -> stock.put("a", 100L + calls.incrementAndGet()));
                  return seen;
                }));
    told.of("calls", calls::get);
    told.of(
        "conflict",
        () ->
            queues
                .transact(
                    tx -> {
                      tx.get(stock, "a");
                      elsewhere(() -> stock.put("a", 1_000L + calls.incrementAndGet()));
                      return 1;
                    })
                .orThrow());
  }

  /** Makes a change on another thread, as somebody else would. */
  private static void elsewhere(Runnable change) {
    Thread thread = new Thread(change);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void enqueues(JobQueues queues, Told told) {
    Table<String, String> orders = queues.table("orders", Codec.TEXT, Codec.TEXT);
    JobType<String> mail = JobType.of("mail", Codec.TEXT).queue("mail");
    AtomicReference<JobId> first = new AtomicReference<>();
    told.of(
        "enqueue",
        () ->
            queues.transact(
                tx -> {
                  JobId id = tx.enqueue(MAIL, bytes("p"), EnqueueOptions.DEFAULT.priority(3));
                  first.set(id);
                  tx.put(orders, "ada", id.toString());
                  return id;
                }));
    told.of("order names the job", () -> orders.get("ada").get().equals(first.get().toString()));
    told.of("job", () -> queues.get(first.get()));
    told.of(
        "typed",
        () -> queues.transact(tx -> List.of(tx.enqueue(mail, "ada"), tx.enqueue(mail, "eve"))));
    told.of("peek", () -> queues.queue(MAIL).peek(JobState.READY, PageRequest.first(9)));
    told.of(
        "thrown",
        () ->
            queues.transact(
                tx -> {
                  tx.enqueue(MAIL, bytes("never"));
                  throw new IllegalArgumentException("no");
                }));
  }

  private static void refusedJobs(JobQueues queues, Told told) {
    queues.queue("full").configure(q -> q.depthMax(1));
    told.of(
        "full",
        () ->
            queues.transact(
                tx -> {
                  tx.enqueue(QueueName.of("full"), bytes("1"));
                  tx.enqueue(QueueName.of("full"), bytes("2"));
                  return 1;
                }));
    told.of(
        "full",
        () ->
            queues
                .transact(
                    tx -> {
                      tx.enqueue(QueueName.of("full"), bytes("1"));
                      tx.enqueue(QueueName.of("full"), bytes("2"));
                      return 1;
                    })
                .orThrow());
    AtomicInteger calls = new AtomicInteger();
    told.of(
        "queue is deleted meanwhile",
        () ->
            queues.transact(
                tx -> {
                  JobId id = tx.enqueue(QueueName.of("other"), bytes("x"));
                  if (calls.incrementAndGet() == 1) {
                    elsewhere(
                        () -> {
                          queues.queue("other").enqueue(bytes("y"));
                          queues.queue("other").delete();
                        });
                  }
                  return id != null;
                }));
    told.of("other", () -> queues.queue("other").stats().map(stats -> stats.count(JobState.READY)));
  }

  private static void uniqueKeys(JobQueues queues, Told told) {
    EnqueueOptions unique = EnqueueOptions.DEFAULT.unique("k");
    AtomicInteger calls = new AtomicInteger();
    AtomicReference<JobId> first = new AtomicReference<>();
    told.of(
        "first",
        () ->
            queues.transact(
                tx -> {
                  first.set(tx.enqueue(MAIL, bytes("1"), unique));
                  return 1;
                }));
    told.of(
        "held",
        () ->
            queues.transact(
                tx -> {
                  calls.incrementAndGet();
                  return tx.enqueue(MAIL, bytes("2"), unique).equals(first.get());
                }));
    told.of("calls", calls::get);
    told.of("ready", () -> queues.queue(MAIL).stats().map(stats -> stats.count(JobState.READY)));
    told.of(
        "two of one key",
        () ->
            queues.transact(
                tx -> {
                  JobId one = tx.enqueue(MAIL, bytes("3"), EnqueueOptions.DEFAULT.unique("l"));
                  JobId two = tx.enqueue(MAIL, bytes("4"), EnqueueOptions.DEFAULT.unique("l"));
                  return one.equals(two);
                }));
  }

  private static void batches(JobQueues queues, Told told) {
    AtomicReference<BatchId> begun = new AtomicReference<>();
    List<AfterCommit<?>> after = new ArrayList<>();
    told.of(
        "start",
        () ->
            queues.transact(
                tx -> {
                  begun.set(
                      tx.start(
                          Batch.of("b")
                              .add(MAIL, NewJob.of(bytes("1")))
                              .add(MAIL, NewJob.of(bytes("2")))));
                  return 1;
                }));
    told.of("batch", () -> queues.batches().get(begun.get()).map(stats -> stats.total()));
    told.of(
        "open, and add",
        () ->
            queues.transact(
                tx -> {
                  BatchId id = tx.open(Batch.of("open"));
                  begun.set(id);
                  tx.enqueue(MAIL, bytes("3"), EnqueueOptions.DEFAULT.batch(id));
                  return 1;
                }));
    told.of(
        "seal",
        () ->
            queues.transact(
                tx -> {
                  after.clear();
                  after.add(tx.seal(begun.get()));
                  after.add(tx.seal(begun.get()));
                  return 1;
                }));
    after.forEach(answer -> told.of("after", answer::get));
    told.of("batch", () -> queues.batches().get(begun.get()).map(stats -> stats.total()));
  }

  private static void jobs(JobQueues queues, Told told) {
    List<AfterCommit<?>> after = new ArrayList<>();
    JobId one = queues.queue(MAIL).enqueue(bytes("1")).jobId();
    JobId two = queues.queue(MAIL).enqueue(bytes("2")).jobId();
    Lease running = queues.queue(MAIL).claim(ClaimOptions.by("w")).get(0);
    told.of("running", () -> running.jobId().equals(one));
    told.of(
        "all",
        () ->
            queues.transact(
                tx -> {
                  after.clear();
                  after.add(tx.reschedule(two, Instant.parse("2200-01-01T00:00:00Z")));
                  after.add(tx.update(two, UpdateOptions.NOTHING.priority(7)));
                  after.add(tx.cancelIfWaiting(one));
                  after.add(tx.cancel(one));
                  after.add(tx.release(one));
                  after.add(tx.release(NONE));
                  after.add(tx.cancel(NONE));
                  after.add(tx.cancel(two));
                  after.add(tx.redrive(two));
                  after.add(tx.update(NONE, UpdateOptions.NOTHING.priority(7)));
                  return 1;
                }));
    after.forEach(answer -> told.of("after", answer::get));
    Lease dead = TransactionLeaseScripts.leased(queues);
    told.of("dies", () -> dead.fail("no", FailOptions.PERMANENT));
    told.of("redrive", () -> queues.transact(tx -> tx.redrive(dead.jobId())).orThrow().get());
  }

  private static void inside(JobQueues queues, Told told) {
    Table<String, Long> stock = queues.table("stock", Codec.TEXT, Codec.LONG);
    JobId job = queues.queue(MAIL).enqueue(bytes("1")).jobId();
    told.of(
        "calls",
        () ->
            queues.transact(
                tx -> {
                  told.done("enqueue", () -> queues.queue(MAIL).enqueue(bytes("x")));
                  told.of("cancel", () -> queues.cancel(job));
                  told.done("put", () -> stock.put("a", 1L));
                  told.done("pause", () -> queues.queue(MAIL).pause());
                  told.of("transact", () -> queues.transact(inner -> 1));
                  told.of("get", () -> queues.get(job).isPresent());
                  told.of("now", () -> queues.now() != null);
                  told.of("stats", () -> queues.queue(MAIL).stats().isPresent());
                  return 1;
                }));
  }

  private static void wrong(JobQueues queues, Told told) {
    Table<String, Long> stock = queues.table("stock", Codec.TEXT, Codec.LONG);
    Lease lease = TransactionLeaseScripts.leased(queues);
    told.of("null", () -> queues.transact(null));
    told.of(
        "wrong",
        () ->
            queues.transact(
                tx -> {
                  told.of("null key", () -> tx.get(stock, null));
                  told.of("null lease", () -> tx.release((Lease) null));
                  told.done("long key", () -> tx.put(stock, "k".repeat(5_000), 1L));
                  told.of("limit", () -> tx.scan(stock, TableRange.all(), 0));
                  told.of("signal", () -> tx.signal(NONE, "", new byte[0]));
                  told.of(
                      "long state",
                      () -> tx.checkpoint(lease, new byte[Limits.CHECKPOINT_BYTES_MAX + 1]));
                  told.of("short", () -> tx.extend(lease, Duration.ofMillis(1)));
                  tx.complete(lease);
                  told.of("twice", () -> tx.release(lease));
                  told.of("append", () -> tx.append(stock, "a", 1L));
                  return 1;
                }));
    AtomicReference<Transaction> kept = new AtomicReference<>();
    told.of(
        "kept",
        () -> {
          TransactionResult<Integer> result =
              queues.transact(
                  tx -> {
                    kept.set(tx);
                    return 1;
                  });
          kept.get().put(stock, "a", 1L);
          return result;
        });
    told.of(
        "too many",
        () ->
            queues.transact(
                tx -> {
                  for (int i = 0; i <= Limits.TRANSACTION_OPERATION_COUNT_MAX; i++) {
                    tx.put(stock, "a" + i, 1L);
                  }
                  return 1;
                }));
    told.of("stock", stock::count);
  }
}
