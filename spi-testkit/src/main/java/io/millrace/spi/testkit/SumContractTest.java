package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.WriteBatch;
import org.junit.jupiter.api.Test;

/**
 * Contract of sums: a batch that stands for several happens as one. For stores that rows in memory
 * are folded into.
 */
public abstract class SumContractTest extends StoreContract {

  protected SumContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void write_sum_happensUnderItsNumber() {
    OrderedStore store = open();
    writeNumbered(store, 2);

    WriteBatch sum = sum(2, 7);
    sum.delete(bytes(numberedKey(1)));
    store.write(sum);
    long synced = store.syncedCommit();

    assertThat(store.lastCommit()).isEqualTo(7);
    assertThat(synced).isIn(0L, 1L, 2L, 7L);
    assertThat(rows(store))
        .containsExactly(numberedRows(2).get(1), row(bytes("of the sum"), bytes("7")));
    put(store, "of the sum", "8");
    store.sync();
    assertThat(store.lastCommit()).isEqualTo(8);
    assertThat(store.syncedCommit()).isEqualTo(8);
  }

  @Test
  void write_sumOfNothing_takesItsNumber() {
    OrderedStore store = open();
    WriteBatch sum = new WriteBatch(1_000_000_000_000L);
    sum.follow(0);

    store.write(sum);

    assertThat(store.lastCommit()).isEqualTo(1_000_000_000_000L);
    assertThat(rows(store)).isEmpty();
  }

  @Test
  void write_sumThatDoesNotFollow_isRefusedAndNothingHappens() {
    OrderedStore store = open();
    writeNumbered(store, 3);

    for (long previous : new long[] {-1, 0, 1, 2, 4, 6}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.write(sum(previous, 7)))
          .withMessageContaining("previous=" + previous);
    }

    assertThat(store.lastCommit()).isEqualTo(3);
    assertThat(rows(store)).isEqualTo(numberedRows(3));
    store.write(sum(3, 7));
    assertThat(store.lastCommit()).isEqualTo(7);
  }

  @Test
  void write_sumBeyondALimit_leavesNothing() {
    OrderedStore store = open();
    writeNumbered(store, 1);
    WriteBatch refused = sum(1, 5);
    refused.put(new byte[store.info().keyBytesMax() + 1], EMPTY);

    assertThatIllegalArgumentException().isThrownBy(() -> store.write(refused));

    assertThat(store.lastCommit()).isEqualTo(1);
    assertThat(rows(store)).isEqualTo(numberedRows(1));
    writeNumbered(store, 1);
    assertThat(rows(store)).isEqualTo(numberedRows(2));
  }

  private static WriteBatch sum(long previous, long number) {
    WriteBatch sum = new WriteBatch(number);
    sum.follow(previous);
    sum.put(bytes("of the sum"), bytes(Long.toString(number)));
    return sum;
  }
}
