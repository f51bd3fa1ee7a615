package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.engine.JobEngine;
import io.millrace.examples.Workflow.FailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Orders go the ways that docs/workflows.md tells of. */
class DurableWorkflowTest {

  private static final ClaimOptions NEXT = ClaimOptions.by("tester");

  private final AtomicLong passedNs = new AtomicLong();
  private final JobEngine engine =
      JobEngine.open("memory:workflow", EngineOptions.DEFAULT.clock(new ClockAhead(passedNs)));
  private final Table<String, Long> stock = engine.table("stock", Codec.TEXT, Codec.LONG);
  private final World world = new World();
  private final DurableWorkflow shop = new DurableWorkflow(engine, world, world);

  /** The machine's clock, and so much more. */
  private record ClockAhead(AtomicLong passedNs) implements EngineClock {

    private static final long PARK_NS_MAX = 1_000_000;

    @Override
    public long epochMs() {
      return System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(passedNs.get());
    }

    @Override
    public long monotonicNs() {
      return System.nanoTime() + passedNs.get();
    }

    @Override
    public void parkNs(long durationNs) {
      LockSupport.parkNanos(this, Math.min(durationNs, PARK_NS_MAX));
    }
  }

  /** Does what it is asked for unless a test says otherwise, and knows tokens again. */
  private static final class World implements DurableWorkflow.Bank, DurableWorkflow.Carrier {

    private final List<String> calls = new ArrayList<>();
    private final Map<String, String> receipts = new HashMap<>();
    private int failures;
    private boolean isDeclined;
    private boolean hasAddress = true;

    @Override
    public String charge(String token, String item) throws IOException {
      calls.add("charge " + item);
      if (isDeclined) {
        throw new FailedException("the card is declined");
      }
      String receipt = receipts.computeIfAbsent(token, it -> "receipt " + receipts.size());
      if (failures-- > 0) {
        throw new IOException("no answer");
      }
      return receipt;
    }

    @Override
    public String refund(String token) {
      calls.add("refund " + receipts.remove(token));
      return "paid back";
    }

    @Override
    public String ship(String token, String item) {
      calls.add("ship " + item);
      if (!hasAddress) {
        throw new FailedException("no such address");
      }
      return "parcel of " + item;
    }
  }

  DurableWorkflowTest() {
    stock.put("boots", 5L);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void run_asItStands_tellsEachStep() {
    List<String> told = new ArrayList<>();

    DurableWorkflow.run("memory:shop", told::add);

    assertThat(told)
        .containsExactly(
            "charges for boots",
            "the answer is yes: WOKEN",
            "two weeks are enough: OK",
            "ships boots",
            "done: parcel 4");
  }

  @Test
  void order_approved_isShippedAfterTwoWeeks() throws Exception {
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);
    assertThat(shop.work(NEXT)).isOne();
    assertThat(state(order)).isEqualTo(JobState.WAITING);
    assertThat(question()).isEqualTo(order);

    assertThat(shop.answer(order, "yes")).isEqualTo(SignalResult.WOKEN);
    assertThat(shop.work(NEXT)).isOne();
    pass(Duration.ofDays(13));
    assertThat(shop.work(NEXT)).isZero();
    pass(Duration.ofDays(1));
    assertThat(shop.work(NEXT)).isOne();

    assertThat(result(end)).isEqualTo("parcel of boots");
    assertThat(world.calls).containsExactly("charge boots", "ship boots");
    assertThat(stock.get("boots")).contains(4L);
    assertNoStepsAreLeft();
  }

  @Test
  void order_answeredBeforeItAsks_doesNotWait() {
    JobId order = shop.order("boots");

    assertThat(shop.answer(order, "yes")).isEqualTo(SignalResult.KEPT);
    assertThat(shop.work(NEXT)).isOne();
    assertThat(shop.work(NEXT)).isOne();

    assertThat(state(order)).isEqualTo(JobState.DELAYED);
  }

  @Test
  void order_refused_isUndoneLastStepFirst() throws Exception {
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);
    shop.work(NEXT);

    assertThat(shop.answer(order, "no")).isEqualTo(SignalResult.WOKEN);
    shop.work(NEXT);

    assertThat(result(end)).isEqualTo("failed: not approved: no");
    assertUndone();
  }

  @Test
  void order_nobodyAnswers_isUndoneAfterThreeDays() throws Exception {
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);
    shop.work(NEXT);
    pass(Duration.ofDays(2));
    assertThat(shop.work(NEXT)).isZero();

    pass(Duration.ofDays(1));
    assertThat(shop.work(NEXT)).isOne();

    assertThat(result(end)).isEqualTo("failed: not approved: nobody answered");
    assertUndone();
  }

  @Test
  void order_noAddress_isUndoneAfterAllElseWasDone() throws Exception {
    world.hasAddress = false;
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);
    shop.work(NEXT);
    assertThat(shop.answer(order, "yes")).isEqualTo(SignalResult.WOKEN);
    shop.work(NEXT);
    pass(Duration.ofDays(14));
    shop.work(NEXT);

    assertThat(result(end)).isEqualTo("failed: no such address");
    assertThat(world.calls).containsExactly("charge boots", "ship boots", "refund receipt 0");
    assertThat(stock.get("boots")).contains(5L);
    assertNoStepsAreLeft();
  }

  @Test
  void order_nothingLeft_isNotCharged() throws Exception {
    CompletableFuture<JobEnd<byte[]>> end = engine.await(shop.order("sandals"));

    shop.work(NEXT);

    assertThat(result(end)).isEqualTo("failed: no sandals left");
    assertThat(world.calls).isEmpty();
    assertNoStepsAreLeft();
  }

  @Test
  void order_bankDoesNotAnswer_isTriedAgainWithTheSameToken() {
    world.failures = 2;
    JobId order = shop.order("boots");

    for (int i = 0; i < 3; i++) {
      assertThat(shop.work(NEXT)).isOne();
      pass(Duration.ofMinutes(1));
    }

    assertThat(state(order)).isEqualTo(JobState.WAITING);
    assertThat(world.calls).containsExactly("charge boots", "charge boots", "charge boots");
    assertThat(world.receipts).hasSize(1);
    assertThat(stock.get("boots")).contains(4L);
  }

  @Test
  void order_bankNeverAnswers_isUndoneInItsLastAttempt() throws Exception {
    world.failures = Integer.MAX_VALUE;
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);

    for (int attempt = 1; attempt <= 20; attempt++) {
      assertThat(end).isNotDone();
      assertThat(shop.work(NEXT)).isOne();
      pass(Duration.ofDays(1));
    }

    assertThat(result(end)).isEqualTo("failed: charge: no answer");
    assertThat(world.receipts).isEmpty();
    assertThat(stock.get("boots")).contains(5L);
    assertNoStepsAreLeft();
  }

  @Test
  void order_declined_isUndone() throws Exception {
    world.isDeclined = true;
    CompletableFuture<JobEnd<byte[]>> end = engine.await(shop.order("boots"));

    shop.work(NEXT);

    assertThat(result(end)).isEqualTo("failed: the card is declined");
    assertThat(world.calls).containsExactly("charge boots", "refund null");
    assertThat(stock.get("boots")).contains(5L);
  }

  @Test
  void workflow_failedBefore_beginsNoStepAnew() throws Exception {
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);
    // The process died when it had just been kept that the card was declined.
    engine.table("steps", Codec.TEXT, Codec.TEXT).put(order + "/failure", "the card is declined");

    shop.work(NEXT);

    assertThat(result(end)).isEqualTo("failed: the card is declined");
    assertThat(world.calls).isEmpty();
    assertThat(stock.get("boots")).contains(5L);
  }

  @Test
  void step_leaseIsLost_doesNothing() {
    JobId order = shop.order("boots");
    Lease stale = engine.queue("orders").claim(NEXT).get(0);
    // The lease ends, and the job backs off: when exactly is the engine's own business.
    int minutes = 0;
    do {
      assertThat(++minutes).isLessThan(10);
      pass(Duration.ofMinutes(1));
    } while (shop.work(NEXT) == 0);

    Workflow.run(
        engine,
        stale,
        flow -> {
          flow.step(
              "once more",
              tx -> {
                tx.put(stock, "boots", 0L);
                return "";
              });
          return "";
        });

    assertThat(state(order)).isEqualTo(JobState.WAITING);
    assertThat(stock.get("boots")).contains(4L);
  }

  private void assertUndone() {
    assertThat(world.calls).containsExactly("charge boots", "refund receipt 0");
    assertThat(stock.get("boots")).contains(5L);
    assertNoStepsAreLeft();
  }

  private void assertNoStepsAreLeft() {
    assertThat(engine.table("steps", Codec.TEXT, Codec.TEXT).count()).isZero();
  }

  private void pass(Duration time) {
    passedNs.addAndGet(time.toNanos());
  }

  private JobId question() {
    Lease question = engine.queue("questions").claim(NEXT).get(0);
    return JobId.parse(new String(question.payload(), UTF_8));
  }

  private JobState state(JobId order) {
    return engine.get(order).orElseThrow().state();
  }

  private static String result(CompletableFuture<JobEnd<byte[]>> end) throws Exception {
    JobEnd<byte[]> known = end.get(20, TimeUnit.SECONDS);
    return new String(((JobEnd.Completed<byte[]>) known).result(), UTF_8);
  }
}
