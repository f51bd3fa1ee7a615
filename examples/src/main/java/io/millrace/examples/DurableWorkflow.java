package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import io.millrace.worker.JobSteps;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerSetup;
import io.millrace.workflow.StepFailedException;
import io.millrace.workflow.Steps;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The example of docs/workflows.md: an order that is reserved, charged, approved by a person, left
 * alone for two weeks and shipped; or undone, if any of these steps is not possible.
 */
public final class DurableWorkflow {

  /** The type of orders; the payload is the item. */
  public static final JobType<String> ORDER = JobType.of("orders", Codec.TEXT);

  /** The type of questions whether an order is approved; the payload is the order's id. */
  public static final JobType<String> QUESTION = JobType.of("questions", Codec.TEXT);

  private final JobQueues queues;
  private final Table<String, Long> stock;
  private final Bank bank;
  private final Carrier carrier;
  private final Duration timeToThink;

  /** The bank that moves the money. Charges with the same token are one payment. */
  public interface Bank {

    /** Charges for an item; returns the receipt. */
    String charge(String token, String item) throws IOException;

    /**
     * Gives back the money that was charged with the token, if it was, and charges nothing more
     * with it; returns the receipt.
     */
    String refund(String token) throws IOException;
  }

  /** The carrier that brings the goods. Calls with the same token are one parcel. */
  public interface Carrier {

    /** Ships an item; returns the parcel's number. */
    String ship(String token, String item) throws IOException;
  }

  /** The undoing of a step. */
  private interface Undo {
    void run() throws Exception;
  }

  /**
   * Creates a shop with orders in these queues, paid by this bank and shipped by this carrier,
   * after two weeks.
   */
  public DurableWorkflow(JobQueues queues, Bank bank, Carrier carrier) {
    this(queues, bank, carrier, Duration.ofDays(14));
  }

  private DurableWorkflow(JobQueues queues, Bank bank, Carrier carrier, Duration timeToThink) {
    this.queues = queues;
    this.stock = queues.table("stock", Codec.TEXT, Codec.LONG);
    this.bank = bank;
    this.carrier = carrier;
    this.timeToThink = timeToThink;
  }

  /** Runs the example, in which two weeks are a second. */
  static void run(JobQueues queues, Consumer<String> log) {
    queues.table("stock", Codec.TEXT, Codec.LONG).put("boots", 12L);
    DurableWorkflow shop =
        new DurableWorkflow(queues, bank(log), carrier(log), Duration.ofSeconds(1));
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = queues.await(order);
    Worker worker =
        shop.worker()
            .handle(
                QUESTION,
                (id, job) -> {
                  log.accept("somebody says yes");
                  shop.answer(JobId.parse(id), "yes").orThrow();
                })
            .start();
    JobEnd.Completed<byte[]> done = (JobEnd.Completed<byte[]>) end.join();
    log.accept("done: " + new String(done.result(), UTF_8));
    worker.close();
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
  String fulfil(String item, Steps order) throws Exception {
    Deque<Undo> undos = new ArrayDeque<>();
    try {
      order.step("reserve", Codec.LONG, tx -> take(tx, item));
      undos.push(() -> order.step("put back", Codec.LONG, tx -> putBack(tx, item)));

      undos.push(() -> order.step("refund", () -> bank.refund(order.token("charge"))));
      order
          .attempts(5) // and then given up, and undone
          .step("charge", Codec.TEXT, () -> bank.charge(order.token("charge"), item));

      order.step("ask", Codec.TEXT, tx -> ask(tx, order.job().jobId()));
      String answer =
          order.await("approval", Codec.TEXT, Duration.ofDays(3)).orElse("nobody answered");
      if (!answer.equals("yes")) {
        throw new StepFailedException("not approved: " + answer);
      }

      order.sleep("time to think it over", timeToThink);
      return order.step("ship", Codec.TEXT, () -> carrier.ship(order.token("ship"), item));
    } catch (StepFailedException e) {
      while (!undos.isEmpty()) {
        undos.pop().run(); // the last first: the money goes back, then the goods
      }
      return "failed: " + e.reason();
    }
  }

  // endregion

  // region reserve
  private long take(Transaction tx, String item) {
    long left = tx.get(stock, item).orElse(0L);
    if (left == 0) {
      throw new StepFailedException("no " + item + " left");
    }
    tx.put(stock, item, left - 1);
    return left - 1;
  }

  private long putBack(Transaction tx, String item) {
    long left = tx.get(stock, item).orElse(0L) + 1;
    tx.put(stock, item, left);
    return left;
  }

  // endregion

  private static String ask(Transaction tx, JobId order) {
    return tx.enqueue(QUESTION, order.toString()).toString();
  }

  /** Takes an order. */
  public JobId order(String item) {
    // region order
    JobId order = queues.enqueue(ORDER, item).jobId();
    // endregion
    return order;
  }

  /** Answers the question whether an order is approved. */
  public SignalResult answer(JobId order, String answer) {
    // region answer
    SignalResult result = queues.signal(order, "approval", Codec.TEXT, answer);
    // endregion
    return result;
  }

  /** Returns the handler of orders. */
  public JobSteps<String> workflow() {
    return Steps.workflow(Codec.TEXT, this::fulfil);
  }

  /** Sets up a worker for orders. */
  public WorkerSetup worker() {
    // region workflow
    WorkerSetup worker = Worker.on(queues).steps(ORDER, Steps.workflow(Codec.TEXT, this::fulfil));
    // endregion
    return worker;
  }
}
