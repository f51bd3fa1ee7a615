package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import io.millrace.engine.JobEngine;
import io.millrace.examples.Workflow.FailedException;
import io.millrace.examples.Workflow.Parked;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The example of docs/workflows.md: an order that is reserved, charged, approved by somebody, left
 * alone for two weeks and shipped; or undone, if anything of that cannot be.
 */
public final class DurableWorkflow {

  private final JobQueues queues;
  private final JobQueue orders;
  private final JobQueue questions;
  private final Table<String, Long> stock;
  private final Bank bank;
  private final Carrier carrier;

  /** Who moves the money. What has the same token is one payment. */
  public interface Bank {

    /** Answers the receipt. */
    String charge(String token, String item) throws IOException;

    /**
     * Gives back what was charged with the token, if it was, and charges nothing more with it;
     * answers the receipt.
     */
    String refund(String token) throws IOException;
  }

  /** Who brings the goods. What has the same token is one parcel. */
  public interface Carrier {

    /** Answers the parcel's number. */
    String ship(String token, String item) throws IOException;
  }

  /** Orders in these queues, paid by this bank and shipped by this carrier. */
  public DurableWorkflow(JobQueues queues, Bank bank, Carrier carrier) {
    this.queues = queues;
    this.orders = queues.queue("orders");
    this.questions = queues.queue("questions");
    this.stock = queues.table("stock", Codec.TEXT, Codec.LONG);
    this.bank = bank;
    this.carrier = carrier;
  }

  /** Takes the store's location, by default {@code lmdb:data/jobs}. */
  public static void main(String[] args) {
    run(args.length == 0 ? "lmdb:data/jobs" : args[0], System.out::println);
  }

  static void run(String location, Consumer<String> log) {
    try (JobEngine engine = JobEngine.open(location)) {
      engine.table("stock", Codec.TEXT, Codec.LONG).put("boots", 12L);
      DurableWorkflow shop = new DurableWorkflow(engine, bank(log), carrier(log));
      ClaimOptions next = ClaimOptions.by("worker-1");

      JobId order = shop.order("boots");
      CompletableFuture<JobEnd<byte[]>> end = engine.await(order);
      shop.work(next); // reserves, charges, asks, and waits for an answer
      log.accept("the answer is yes: " + shop.answer(order, "yes"));
      shop.work(next); // sleeps
      log.accept("two weeks are enough: " + engine.reschedule(order, Instant.now()));
      shop.work(next); // ships
      JobEnd.Completed<byte[]> done = (JobEnd.Completed<byte[]>) end.join();
      log.accept("done: " + new String(done.result(), UTF_8));
    }
  }

  private static Bank bank(Consumer<String> log) {
    return new Bank() {
      @Override
      public String charge(String token, String item) {
        log.accept("charges for " + item);
        return "receipt 17";
      }

      @Override
      public String refund(String token) {
        log.accept("gives the money back");
        return "receipt 18";
      }
    };
  }

  private static Carrier carrier(Consumer<String> log) {
    return (token, item) -> {
      log.accept("ships " + item);
      return "parcel 4";
    };
  }

  // region fulfil
  String fulfil(Workflow order, String item) throws Parked {
    order.step("reserve", tx -> take(tx, item), tx -> putBack(tx, item));
    order.call("charge", token -> bank.charge(token, item), token -> bank.refund(token));

    order.step("ask", tx -> ask(tx, order.id()));
    String answer = order.waitFor("approval", Duration.ofDays(3), "nobody answered");
    if (!answer.equals("yes")) {
      throw new FailedException("not approved: " + answer); // the money goes back, then the goods
    }

    order.sleep("time to think it over", Duration.ofDays(14));
    return order.call("ship", token -> carrier.ship(token, item));
  }

  // endregion

  // region reserve
  private String take(Transaction tx, String item) {
    long left = tx.get(stock, item).orElse(0L);
    if (left == 0) {
      throw new FailedException("no " + item + " left");
    }
    tx.put(stock, item, left - 1);
    return left - 1 + " left";
  }

  private String putBack(Transaction tx, String item) {
    long left = tx.get(stock, item).orElse(0L) + 1;
    tx.put(stock, item, left);
    return left + " left";
  }

  // endregion

  private String ask(Transaction tx, JobId order) {
    return tx.enqueue(questions, order.toString().getBytes(UTF_8)).toString();
  }

  /** An order comes in. */
  public JobId order(String item) {
    // region order
    JobId order = orders.enqueue(item.getBytes(UTF_8)).jobId();
    // endregion
    return order;
  }

  /** Somebody answers the question whether an order is approved. */
  public SignalResult answer(JobId order, String answer) {
    // region answer
    SignalResult result = queues.signal(order, "approval", answer.getBytes(UTF_8));
    // endregion
    return result;
  }

  /** Works on the next orders; answers how many there were. */
  public int work(ClaimOptions next) {
    // region work
    List<Lease> leases = orders.claim(next);
    for (Lease lease : leases) {
      Workflow.run(queues, lease, order -> fulfil(order, new String(lease.payload(), UTF_8)));
    }
    // endregion
    return leases.size();
  }
}
