package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.WriteBatch;
import org.junit.jupiter.api.Test;

/**
 * Contract of sums that are kept: that of {@link SumContractTest}, also after the store is opened
 * again.
 */
public abstract class KeptSumContractTest extends SumContractTest {

  protected KeptSumContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void open_afterASum_isWhereTheSumEnded() {
    OrderedStore store = open();
    writeNumbered(store, 1);
    WriteBatch sum = new WriteBatch(9);
    sum.follow(1);
    sum.put(bytes(numberedKey(2)), bytes("value of 2"));
    store.write(sum);
    store.close();

    OrderedStore again = open();

    assertThat(again.lastCommit()).isEqualTo(9);
    assertThat(rows(again)).isEqualTo(numberedRows(2));
  }
}
