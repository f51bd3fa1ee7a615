package io.millrace.examples;

import static io.millrace.jackson.JsonCodec.json;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.EngineListener;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Reason;
import io.millrace.api.FailOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobListening;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.MatchingJobs;
import io.millrace.api.Page;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings.Setting;
import io.millrace.api.RateLimit;
import io.millrace.api.RowResult;
import io.millrace.api.SignalResult;
import io.millrace.api.Submitted;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.api.TransactionResult;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The examples of docs/guide.md, one for each of its chapters. */
final class Guide {

  private Guide() {}

  static void retry(JobQueue mail) {
    // region retry
    mail.configure(
        settings ->
            settings.retry(
                8,
                Backoff.list(Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofHours(1))));
    // endregion
  }

  static void names(JobQueues queues) {
    // region names
    queues.admin().configure("mail", settings -> settings.depthMax(1_000)); // each tenant's
    JobQueue acme = queues.queue("mail", "acme");
    acme.configure(settings -> settings.depthMax(50_000)); // but not this one's
    acme.configure(settings -> settings.inherit(Setting.DEPTH_MAX)); // 1,000 again
    // endregion
  }

  static void rates(JobQueue mail) {
    // region rates
    mail.configure(
        settings ->
            settings
                .rateLimit(RateLimit.of(100, Duration.ofSeconds(1)).burst(20))
                .perKey(5)
                .rateLimitPerKey(RateLimit.of(1, Duration.ofMinutes(1))));
    // endregion
  }

  static void engineRates(JobQueues engine) {
    // region engine-rates
    EnqueueOptions viaRelay =
        EnqueueOptions.DEFAULT.engineRateLimit("relay", RateLimit.of(20, Duration.ofSeconds(1)));
    engine.queue(new QueueName("mail", "acme")).enqueue("mail 1".getBytes(UTF_8), viaRelay);
    engine.queue(new QueueName("mail", "globex")).enqueue("mail 2".getBytes(UTF_8), viaRelay);
    engine.queue("invoices").enqueue("invoice 3".getBytes(UTF_8), viaRelay);
    // endregion
  }

  /** An invoice, the payload of a reminder. */
  record Invoice(long number, LocalDate due) {}

  static void types(JobQueues queues, Consumer<String> welcome, Consumer<Invoice> remind) {
    // region types
    JobType<String> newcomer = JobType.of("newcomer", Codec.TEXT).queue("mail");
    JobType<Invoice> unpaid =
        JobType.of("unpaid", json(Invoice.class))
            .queue("mail")
            .defaults(options -> options.maxAttempts(8));

    queues.enqueue(newcomer, "Ada");
    Invoice invoice = new Invoice(17, LocalDate.of(2026, 11, 30));
    queues.enqueue(unpaid, invoice, options -> options.delay(Duration.ofDays(14)));
    // endregion

    // region typed-claims
    for (Lease lease : queues.queue("mail").claim(ClaimOptions.by("worker-1"))) {
      try (lease) {
        switch (lease.type()) {
          case "newcomer" -> welcome.accept(lease.payload(newcomer));
          case "unpaid" -> remind.accept(lease.payload(unpaid));
          default -> { // for a newer worker: no attempt is counted
            lease.snooze(Duration.ofMinutes(1)).orThrow();
            continue;
          }
        }
        lease.complete().orThrow();
      }
    }
    // endregion
  }

  static void await(JobQueue reports, Consumer<String> show) {
    // region await
    Submitted<byte[]> report = reports.submit("2026-11".getBytes(UTF_8));
    report
        .end()
        .orTimeout(1, TimeUnit.HOURS) // who gives up leaves nothing behind
        .thenAccept(
            end -> {
              if (end instanceof JobEnd.Completed<byte[]> completed) {
                show.accept(new String(completed.result(), UTF_8));
              } else if (end instanceof JobEnd.Died<byte[]> died) {
                show.accept("no report: " + died.error());
              } else { // cancelled, or dropped
                show.accept("no report");
              }
            });
    // endregion
  }

  static void checkpoints(Lease lease, Consumer<String> table) {
    // region checkpoints
    String[] rows = new String(lease.payload(), UTF_8).split("\n");
    int first =
        lease.checkpointed().map(state -> Integer.parseInt(new String(state, UTF_8))).orElse(0);
    for (int i = first; i < rows.length; i++) {
      table.accept(rows[i]);
      if ((i + 1) % 100 == 0) { // lengthens the lease, too
        lease.checkpoint(Integer.toString(i + 1).getBytes(UTF_8)).orThrow();
      }
    }
    lease.complete().orThrow();
    // endregion
  }

  static long redrive(JobQueue imports) {
    // region redrive
    long count =
        imports
            .deadLetters()
            .redriveAll(DeadFilter.ALL.errorContains("unknown column"), Checkpointed.CLEAR);
    // endregion
    return count;
  }

  /** Sends jobs to another system, which works on them. */
  interface Sender {
    void send(byte[] payload, String job, long token) throws IOException;
  }

  static void handOver(JobQueue videos, Sender sender) {
    // region handover
    ClaimOptions next = ClaimOptions.by("sender").leaseDuration(Duration.ofHours(1));
    for (Lease lease : videos.claim(next)) { // not closed here: it goes on
      try {
        sender.send(lease.payload(), lease.jobId().toString(), lease.token());
      } catch (IOException e) {
        lease.fail(e.toString()).orThrow();
      }
    }
    // endregion
  }

  static void answered(JobQueues queues, String job, long token) {
    // region answered
    try {
      queues.lease(JobId.parse(job), token).complete().orThrow();
    } catch (LeaseLostException e) { // it took too long, and somebody else has the job
      System.err.println(e.getMessage());
    }
    // endregion
  }

  static JobListening events(JobEngine engine, Consumer<String> alarm) {
    // region events
    JobListening listening =
        engine.listen(
            QueueName.of("mail"),
            EnumSet.of(Kind.DIED, Kind.DROPPED),
            event -> alarm.accept(event.type() + " " + event.kind() + event.error().orElse("")));
    // endregion
    return listening;
  }

  static void waiting(JobQueue orders, Consumer<String> ship) {
    // region waiting
    for (Lease lease : orders.claim(ClaimOptions.by("worker-1"))) {
      try (lease) {
        Optional<String> paid = lease.signalled("paid", Codec.TEXT);
        if (paid.isPresent()) {
          ship.accept(paid.get());
          lease.complete().orThrow();
        } else if (lease.hasTimedOut("paid")) {
          lease.fail("nobody paid within a week", FailOptions.PERMANENT).orThrow();
        } else {
          lease.waitFor("paid", Duration.ofDays(7)).orThrow();
        }
      }
    }
    // endregion
  }

  static SignalResult paid(JobQueues queues, JobId order) {
    // region signal
    SignalResult result = queues.signal(order, "paid", Codec.TEXT, "invoice 17");
    // endregion
    return result;
  }

  static void why(JobQueues queues, JobId id, Consumer<String> show) {
    // region explain
    for (Reason reason : queues.explain(id).orElseThrow().reasons()) {
      show.accept(reason.sentence());
      if (reason instanceof Explanation.KeyTaken key) {
        key.holders().forEach(holder -> show.accept(holder.jobId() + " is " + holder.state()));
      }
    }
    // endregion
  }

  static String withdraw(JobQueues queues, JobId order) {
    // region cancel
    return switch (queues.cancelIfWaiting(order)) {
      case CANCELLED -> "withdrawn";
      case RUNNING -> "too late: it is being worked on";
      default -> "too late: it is done";
    };
    // endregion
  }

  static String takeAway(JobQueues queues, JobId report) {
    // region release-job
    return switch (queues.admin().release(report)) {
      case RELEASED -> "another worker may have it";
      case CANCELLED -> "it was to be cancelled, and is gone";
      case NOT_RUNNING -> "nobody works on it";
      case GONE -> "it has ended";
    };
    // endregion
  }

  static Map<CancelResult, Long> cancelAll(JobQueues queues, Consumer<String> print) {
    // region cancel-all
    MatchingJobs letters =
        MatchingJobs.of(queues, JobFilter.ALL.queueName("mail").type("newsletter"));
    print.accept(letters.count() + " jobs");
    Map<CancelResult, Long> ended = letters.cancelIfWaiting(); // how many ended how
    // endregion
    return ended;
  }

  static String tables(JobQueues queues) {
    // region tables
    Table<String, Long> stock = queues.table("stock", Codec.TEXT, Codec.LONG);
    stock.put("tea/black", 12L);
    stock.put("tea/green", 3L);
    stock.put("coffee", 40L);

    long tea =
        Page.stream(page -> stock.scan(TableRange.prefix("tea/"), page))
            .mapToLong(TableRow::value)
            .sum();

    RowResult<Long> sold = stock.replace("tea/green", 3L, 2L); // only if nobody was faster
    if (sold instanceof RowResult.Other<Long> other) {
      return "there are " + other.found() + " now";
    }
    // endregion
    return "tea=" + tea;
  }

  static TransactionResult<Boolean> pack(JobQueues queues, Table<String, Long> stock, Lease order) {
    // region transactions
    return queues.inTransaction(
        tx -> {
          long left = tx.get(stock, "boots").orElse(0L);
          if (left == 0) {
            tx.waitFor(order, "delivered", Duration.ofDays(1)); // until there are some again
          } else {
            tx.put(stock, "boots", left - 1);
            tx.enqueue(QueueName.of("shipping"), order.payload());
            tx.complete(order);
          }
        });
    // endregion
  }

  static EngineOptions options(EngineListener alarm) {
    // region options
    EngineOptions options =
        EngineOptions.DEFAULT
            .callTimeout(Duration.ofSeconds(10))
            .reopenAfter(List.of(Duration.ofSeconds(1), Duration.ofMinutes(1)))
            .closeAtShutdown(false)
            .listener(alarm);
    // endregion
    return options;
  }

  // region queues
  static int workOff(JobQueues queues, String name, Consumer<byte[]> work) {
    JobQueue queue = queues.queue(name);
    int count = 0;
    Optional<Lease> next = queue.claim("worker-1", Duration.ofSeconds(30));
    while (next.isPresent()) {
      try (Lease lease = next.get()) {
        work.accept(lease.payload());
        lease.complete().orThrow();
      }
      count++;
      next = queue.claim("worker-1", Duration.ofSeconds(30));
    }
    return count;
  }
  // endregion
}
