package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.AfterCommit;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobQueues;
import io.millrace.api.Limits;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.api.TableRange;
import io.millrace.api.TableRow;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Rows that transactions add to without having read them. */
@Tag("calls")
class RowMergeTrapsTest extends TrapTest {

  private static final QueueName SHIP = QueueName.of("ship");

  /** Numbers as text. */
  private static final class Decimal implements Codec<Long> {

    @Override
    public byte[] encode(Long value) {
      return Codec.TEXT.encode(value.toString());
    }

    @Override
    public Long decode(byte[] bytes) {
      return Long.valueOf(Codec.TEXT.decode(bytes));
    }
  }

  private static Table<String, Long> counts(EngineHarness harness) {
    return harness.queues().table("counts", Codec.TEXT, Codec.LONG);
  }

  private static Table<String, String> notes(EngineHarness harness) {
    return harness.queues().table("notes", Codec.TEXT, Codec.TEXT);
  }

  private static long add(JobQueues queues, Table<String, Long> counts, String key, long delta) {
    return queues.transact(tx -> tx.add(counts, key, delta)).orThrow().get();
  }

  @ParameterizedTest
  @EachStoreKind
  void add_manyInOneGroup_eachIsCarriedOutAtOnce(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind);
    Table<String, Long> counts = counts(harness);
    harness.store().holdNextWrite();
    CompletableFuture<EnqueueResult> before =
        mail(harness).offerAsync(new byte[1], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();

    List<CompletableFuture<Long>> sums =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> add(harness.queues(), counts, "a", 10),
                        task -> new Thread(task).start()))
            .toList();
    awaitRingDepth(harness, 4);
    harness.store().letGo();

    assertThat(join(before).isDone()).isTrue();
    assertThat(sums.stream().map(TrapTest::join).toList())
        .containsExactlyInAnyOrder(10L, 20L, 30L, 40L);
    counts.put("b", 0L); // its group is counted by then, and those before it
    assertThat(harness.engine().metrics().transactionCallCount()).isEqualTo(4);
    harness.crash();
    assertThat(counts(harness).get("a")).hasValue(40L);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void add_beforeAndAfterOtherChangesOfTheRow_eachSeesThoseBefore(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, Long> counts = counts(harness);

    List<AfterCommit<Long>> first =
        harness
            .queues()
            .transact(
                tx -> {
                  AfterCommit<Long> one = tx.add(counts, "a", 1); // makes the table
                  AfterCommit<Long> three = tx.add(counts, "a", 2);
                  AfterCommit<Long> max = tx.max(counts, "a", 7);
                  tx.put(counts, "b", 5L);
                  AfterCommit<Long> six = tx.add(counts, "b", 1);
                  tx.delete(counts, "b");
                  return List.of(one, three, max, six, tx.add(counts, "b", 4));
                })
            .orThrow();
    List<Object> second =
        harness
            .queues()
            .<List<Object>>transact(
                tx -> {
                  tx.add(counts, "a", 1);
                  tx.max(counts, "a", 3);
                  tx.add(counts, "c", -1);
                  List<TableRow<String, Long>> rows = tx.scan(counts, TableRange.all(), 10);
                  tx.add(counts, "c", -1);
                  return List.of(
                      rows, tx.get(counts, "a").orElseThrow(), tx.get(counts, "c").get());
                })
            .orThrow();

    assertThat(first).extracting(AfterCommit::get).containsExactly(1L, 3L, 7L, 6L, 4L);
    assertThat(second)
        .containsExactly(
            List.of(new TableRow<>("a", 8L), new TableRow<>("b", 4L), new TableRow<>("c", -1L)),
            8L,
            -2L);
    harness.crash();
    assertThat(counts(harness).scan(TableRange.all(), PageRequest.first(10)).items())
        .containsExactly(
            new TableRow<>("a", 8L), new TableRow<>("b", 4L), new TableRow<>("c", -2L));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void append_toARow_valuesStandInTheOrderOfTheCalls(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, String> notes = notes(harness);

    String last =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.append(notes, "a", "é");
                  return tx.append(notes, "a", "b");
                })
            .orThrow()
            .get();
    harness.crash();
    harness.queues().inTransaction(tx -> tx.append(notes(harness), "a", "c")).orThrow();

    assertThat(last).isEqualTo("éb");
    assertThat(notes(harness).get("a")).hasValue("ébc");
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void add_rowHoldsNoNumberOrTooGreatAOne_callerIsToldAndNothingHappened(StoreKind kind) {
    EngineHarness harness = start(kind);
    harness.queues().table("counts", Codec.TEXT, Codec.TEXT).put("a", "many");
    Table<String, Long> counts = counts(harness);
    counts.put("b", Long.MAX_VALUE - 1);

    for (String key : List.of("a", "b")) {
      assertThatThrownBy(
              () ->
                  harness
                      .queues()
                      .inTransaction(
                          tx -> {
                            tx.enqueue(SHIP, new byte[1]);
                            tx.add(counts, key, 2);
                          }))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("nothing of the transaction happened: table=counts, key=")
          .hasMessageContaining(key.equals("a") ? "holds no number" : "added=2");
      assertThatThrownBy(
              () ->
                  harness
                      .queues()
                      .inTransaction(
                          tx -> {
                            tx.get(harness.queues().table("counts", Codec.TEXT, Codec.BYTES), key);
                            tx.add(counts, key, 2);
                          }))
          .isInstanceOf(IllegalArgumentException.class);
    }

    assertThat(harness.queues().stats(SHIP)).isEmpty();
    assertThat(add(harness.queues(), counts, "b", 1)).isEqualTo(Long.MAX_VALUE);
    assertClean(harness);
  }

  @Test
  void merge_codecDoesNotFitOrTooMuchIsAppended_isRefusedWhenItIsAsked() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Table<String, Long> words = harness.queues().table("words", Codec.TEXT, new Decimal());
    String half = "x".repeat(Limits.APPENDED_BYTES_MAX / 2);

    harness
        .queues()
        .inTransaction(
            tx -> {
              assertThatThrownBy(() -> tx.add(words, "a", 1))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("table=words")
                  .hasMessageContaining("possible=[Codec.LONG]");
              assertThatThrownBy(() -> tx.append(words, "a", 1L))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("Codec.TEXT");
              assertThatThrownBy(() -> tx.append(notes(harness), "a", half + half + "x"))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("value=65537, least=0, most=65536");
            })
        .orThrow();
    harness.queues().inTransaction(tx -> tx.append(notes(harness), "a", half + half)).orThrow();
    assertThatThrownBy(
            () -> harness.queues().inTransaction(tx -> tx.append(notes(harness), "a", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("length of the row with what is appended");

    assertThat(notes(harness).get("a").orElseThrow().getBytes(UTF_8))
        .hasSize(Limits.APPENDED_BYTES_MAX);
    assertClean(harness);
  }
}
