package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.test.TestEngine;
import io.millrace.workflow.StepFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Orders go the ways that docs/workflows.md tells of. */
class DurableWorkflowTest {

  private static final ClaimOptions NEXT = ClaimOptions.by("tester");

  private final TestEngine engine = TestEngine.create();
  private final Table<String, Long> stock = engine.table("stock", Codec.TEXT, Codec.LONG);
  private final World world = new World();
  private final DurableWorkflow shop = new DurableWorkflow(engine, world, world);

  /** Does what it is asked for unless a test says otherwise, and knows tokens again. */
  private static final class World implements DurableWorkflow.Bank, DurableWorkflow.Carrier {

    private final List<String> calls = new ArrayList<>();
    private final Map<String, String> receipts = new HashMap<>();
    private int failures;
    private int silences;
    private boolean isDeclined;
    private boolean hasAddress = true;

    @Override
    public String charge(String token, String item) throws IOException {
      calls.add("charge " + item);
      if (isDeclined) {
        throw new StepFailedException("the card is declined");
      }
      String receipt = receipts.computeIfAbsent(token, it -> "receipt " + receipts.size());
      if (failures-- > 0) {
        throw new IOException("no answer");
      }
      return receipt;
    }

    @Override
    public String refund(String token) throws IOException {
      if (silences-- > 0) {
        calls.add("no refund");
        throw new IOException("no answer");
      }
      calls.add("refund " + receipts.remove(token));
      return "paid back";
    }

    @Override
    public String ship(String token, String item) {
      calls.add("ship " + item);
      if (!hasAddress) {
        throw new StepFailedException("no such address");
      }
      return "parcel of " + item;
    }
  }

  DurableWorkflowTest() {
    stock.put("boots", 5L);
    shop.worker().start();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void order_approved_isShippedAfterTwoWeeks() throws Exception {
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);
    assertThat(engine.run()).isOne();
    assertThat(state(order)).isEqualTo(JobState.WAITING);
    assertThat(question()).isEqualTo(order);

    assertThat(shop.answer(order, "yes")).isEqualTo(SignalResult.WOKEN);
    assertThat(engine.run()).isOne();
    assertThat(engine.advance(Duration.ofDays(14).minusMillis(1))).isZero();
    assertThat(engine.advance(Duration.ofMillis(1))).isOne();

    assertThat(result(end)).isEqualTo("parcel of boots");
    assertThat(world.calls).containsExactly("charge boots", "ship boots");
    assertThat(stock.get("boots")).contains(4L);
  }

  @Test
  void order_answeredBeforeItAsks_doesNotWait() {
    JobId order = shop.order("boots");

    assertThat(shop.answer(order, "yes")).isEqualTo(SignalResult.KEPT);
    assertThat(engine.run()).isEqualTo(2);

    assertThat(state(order)).isEqualTo(JobState.DELAYED);
  }

  @Test
  void order_refused_isUndoneLastStepFirst() throws Exception {
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);
    engine.run();

    assertThat(shop.answer(order, "no")).isEqualTo(SignalResult.WOKEN);
    engine.run();

    assertThat(result(end)).isEqualTo("failed: not approved: no");
    assertUndone();
  }

  @Test
  void order_nobodyAnswers_isUndoneAfterThreeDays() throws Exception {
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);
    engine.run();
    assertThat(engine.advance(Duration.ofDays(3).minusMillis(1))).isZero();

    assertThat(engine.advance(Duration.ofMillis(1))).isOne();

    assertThat(result(end)).isEqualTo("failed: not approved: nobody answered");
    assertUndone();
  }

  @Test
  void order_noAddress_isUndoneAfterAllElseWasDone() throws Exception {
    world.hasAddress = false;
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);
    engine.run();
    assertThat(shop.answer(order, "yes")).isEqualTo(SignalResult.WOKEN);
    assertThat(engine.advance(Duration.ofDays(14))).isEqualTo(2);

    assertThat(result(end)).isEqualTo("failed: no such address");
    assertThat(world.calls).containsExactly("charge boots", "ship boots", "refund receipt 0");
    assertThat(stock.get("boots")).contains(5L);
  }

  @Test
  void order_nothingLeft_isNotCharged() throws Exception {
    CompletableFuture<JobEnd<byte[]>> end = engine.await(shop.order("sandals"));

    engine.run();

    assertThat(result(end)).isEqualTo("failed: no sandals left");
    assertThat(world.calls).isEmpty();
  }

  @Test
  void order_bankDoesNotAnswer_isTriedAgainWithTheSameToken() {
    world.failures = 2;
    JobId order = shop.order("boots");

    assertThat(engine.advance(Duration.ofMinutes(1))).isEqualTo(3);

    assertThat(state(order)).isEqualTo(JobState.WAITING);
    assertThat(world.calls).containsExactly("charge boots", "charge boots", "charge boots");
    assertThat(world.receipts).hasSize(1);
    assertThat(stock.get("boots")).contains(4L);
  }

  @Test
  void order_bankNeverAnswers_isUndoneAfterFiveTries() throws Exception {
    world.failures = Integer.MAX_VALUE;
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);

    assertThat(engine.advance(Duration.ofDays(1))).isEqualTo(5);

    assertThat(result(end))
        .isEqualTo("failed: charge: given up after 5 tries: java.io.IOException: no answer");
    assertThat(world.receipts).isEmpty();
    assertThat(stock.get("boots")).contains(5L);
  }

  @Test
  void order_declined_isUndone() throws Exception {
    world.isDeclined = true;
    CompletableFuture<JobEnd<byte[]>> end = engine.await(shop.order("boots"));

    engine.run();

    assertThat(result(end)).isEqualTo("failed: the card is declined");
    assertThat(world.calls).containsExactly("charge boots", "refund null");
    assertThat(stock.get("boots")).contains(5L);
  }

  @Test
  void order_declinedAndTheBankIsSilent_isUndoneAllTheSameAndNotChargedAnew() throws Exception {
    world.isDeclined = true;
    world.silences = 2;
    JobId order = shop.order("boots");
    CompletableFuture<JobEnd<byte[]>> end = engine.await(order);

    assertThat(engine.run()).isOne();
    assertThat(end).isNotDone();
    world.isDeclined = false;
    assertThat(engine.advance(Duration.ofMinutes(1))).isEqualTo(2);

    assertThat(result(end)).isEqualTo("failed: the card is declined");
    assertThat(world.calls)
        .containsExactly("charge boots", "no refund", "no refund", "refund null");
    assertThat(stock.get("boots")).contains(5L);
  }

  private void assertUndone() {
    assertThat(world.calls).containsExactly("charge boots", "refund receipt 0");
    assertThat(stock.get("boots")).contains(5L);
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
