package io.millrace.memtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.StoreCall;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a store with rows in memory is made of, and what is refused. */
class OpeningTest {

  private final MemtableRig rig = new MemtableRig(1);

  @Test
  void open_moreReplayedThanALayerHolds_isFoldedInTheirOrder() {
    rig.options = rig.options.layer(1 << 20, 1_000);
    rig.open();
    for (int i = 0; i < 20; i++) {
      rig.put("key " + i % 7, "value " + i);
    }
    rig.store.sync();
    rig.machine.crash();
    rig.log.crash(new SplittableRandom(1));
    rig.options = rig.options.layer(1 << 20, 5);

    rig.open();

    assertThat(rig.base.events)
        .containsExactly(
            "write 0 to 5",
            "sync",
            "write 5 to 10",
            "sync",
            "write 10 to 15",
            "sync",
            "write 15 to 20",
            "sync");
    assertThat(rig.rows())
        .containsExactly(
            "key 0=value 14",
            "key 1=value 15",
            "key 2=value 16",
            "key 3=value 17",
            "key 4=value 18",
            "key 5=value 19",
            "key 6=value 13");
    assertThat(rig.store.syncedCommit()).isEqualTo(20);
    rig.store.close();
  }

  @Test
  void open_whatWasReplayedCannotBeFolded_failsAndClosesBoth() {
    rig.open();
    rig.put("a", "1");
    rig.store.sync();
    rig.machine.crash();
    rig.log.crash(new SplittableRandom(1));
    rig.machine.failNext(StoreCall.WRITE, Fault.BEFORE);

    assertThatThrownBy(rig::open)
        .isInstanceOf(StoreFailedException.class)
        .hasMessageContaining("fault injected");

    assertThatThrownBy(rig.base::lastCommit).isInstanceOf(StoreClosedException.class);
    rig.open();
    assertThat(rig.rows()).containsExactly("a=1");
    rig.store.close();
  }

  @Test
  void open_logGoesOnElsewhere_isRefusedAndBothAreClosed() {
    OrderedStore base = rig.machine.open(rig.folder());
    Replayed replayed = new Replayed(0, base.info(), rig.options);
    replayed.add(new WriteBatch(1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemtableStore.open(base, rig.log.open(0), replayed, rig.options))
        .withMessageContaining("log=0, replayed=1");

    assertThatThrownBy(base::lastCommit).isInstanceOf(StoreClosedException.class);
  }

  @Test
  void open_overASharedStore_isRefused() {
    OrderedStore base =
        new ForwardingStore(rig.machine.open(rig.folder())) {
          @Override
          public StoreInfo info() {
            return store.info().sharing(StoreInfo.Sharing.SHARED);
          }
        };
    Replayed replayed = new Replayed(0, base.info(), rig.options);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemtableStore.open(base, rig.log.open(0), replayed, rig.options))
        .withMessageContaining("takes over");
  }

  @Test
  void add_batchesOutOfOrder_areRefusedAndThoseBeneathPassedOver() {
    StoreInfo info = StoreInfo.of("test", "id");
    Replayed replayed = new Replayed(5, info, rig.options);
    replayed.add(new WriteBatch(3));
    replayed.add(new WriteBatch(5));
    assertThat(replayed.number()).isEqualTo(5);
    replayed.add(new WriteBatch(6));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> replayed.add(new WriteBatch(8)))
        .withMessageContaining("number=8, previous=7, expected=6");

    assertThat(replayed.number()).isEqualTo(6);
  }

  @Test
  void options_belowTheLeast_areRefused() {
    MemtableOptions options = MemtableOptions.standard();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.layer(0, 1))
        .withMessage("bytes is too low: value=0, least=1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.layer(1, 0))
        .withMessage("operations is too low: value=0, least=1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.partBytes(0))
        .withMessage("partBytes is too low: value=0, least=1");
  }

  @Test
  void write_fromAnotherThreadThanTheFirst_isRefusedAndTakesNoNumber() throws Exception {
    rig.open();
    Thread first = new Thread(() -> rig.put("a", "1"));
    first.start();
    first.join();

    assertThatIllegalStateException()
        .isThrownBy(() -> rig.put("b", "1"))
        .withMessageContaining("another writer thread");

    assertThat(rig.store.lastCommit()).isEqualTo(1);
    rig.store.close();
  }
}
