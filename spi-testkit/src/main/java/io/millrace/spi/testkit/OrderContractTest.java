package io.millrace.spi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.WriteBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Contract of order: keys are in unsigned order, scans keep to their range, and bytes come back as
 * they went in.
 */
public abstract class OrderContractTest extends StoreContract {

  protected OrderContractTest(StoreFixture fixture) {
    super(fixture);
  }

  @Test
  void scan_keysAroundTheSignBit_comeInUnsignedOrder() {
    OrderedStore store = open();

    putKeys(store, "ff", "80", "7fff", "00", "7f", "8000", "0000", "ffff", "01", "ff00", "007f");

    assertThat(keys(store, EMPTY, hex("ffffff")))
        .containsExactly(
            "00", "0000", "007f", "01", "7f", "7fff", "80", "8000", "ff", "ff00", "ffff");
  }

  @Test
  void scan_manyRandomKeys_equalsASortedMap() {
    OrderedStore store = open();
    SplittableRandom random = new SplittableRandom(7);
    TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < 5; i++) {
      WriteBatch batch = nextBatch(store);
      for (int j = 0; j < 500; j++) {
        byte[] key = new byte[random.nextInt(1, 6)];
        byte[] value = new byte[random.nextInt(0, 40)];
        random.nextBytes(key);
        random.nextBytes(value);
        model.put(key, value);
        batch.put(key, value);
      }
      store.write(batch);
    }

    List<String> expected = new ArrayList<>();
    model.forEach((key, value) -> expected.add(row(key, value)));
    assertThat(rows(store)).isEqualTo(expected);
  }

  @Test
  void scan_range_hasItsStartAndNotItsEnd() {
    OrderedStore store = open();
    putKeys(store, "10", "20", "2000", "30", "40");

    assertThat(keys(store, hex("20"), hex("30"))).containsExactly("20", "2000");
    assertThat(keys(store, hex("20"), hex("3000"))).containsExactly("20", "2000", "30");
    assertThat(keys(store, hex("200000"), hex("ff"))).containsExactly("30", "40");
    assertThat(keys(store, EMPTY, hex("10"))).isEmpty();
    assertThat(keys(store, hex("41"), hex("ff"))).isEmpty();
  }

  @Test
  void scan_emptyRange_visitsNothing() {
    OrderedStore store = open();
    putKeys(store, "10", "20");

    assertThat(keys(store, hex("10"), hex("10"))).isEmpty();
    assertThat(keys(store, EMPTY, EMPTY)).isEmpty();
    assertThat(keys(store, hex("11"), hex("20"))).isEmpty();
  }

  @Test
  void scan_prefixNextToOthers_staysInside() {
    OrderedStore store = open();
    putKeys(store, "01feff", "01ff", "01ff00", "01ffff", "01ffffff", "02", "0200", "ff", "ffff");

    assertThat(keys(store, hex("01ff"), hex("02")))
        .containsExactly("01ff", "01ff00", "01ffff", "01ffffff");
    assertThat(keys(store, hex("01ffff"), hex("02"))).containsExactly("01ffff", "01ffffff");
    assertThat(keys(store, hex("01fe"), hex("01ff"))).containsExactly("01feff");
    assertThat(keys(store, hex("ff"), beyondAllKeys(store.info().keyBytesMax())))
        .containsExactly("ff", "ffff");
  }

  @Test
  void scan_boundsLongerThanAnyKey_areTaken() {
    OrderedStore store = open();
    int keyBytesMax = store.info().keyBytesMax();
    byte[] longest = new byte[keyBytesMax];
    byte[] longer = new byte[keyBytesMax + 100];
    WriteBatch batch = nextBatch(store);
    batch.put(longest, EMPTY);
    batch.put(hex("01"), EMPTY);
    store.write(batch);

    assertThat(keys(store, EMPTY, longer)).containsExactly(HexFormat.of().formatHex(longest));
    assertThat(keys(store, longer, hex("02"))).containsExactly("01");
  }

  @Test
  void scan_moreRowsThanAskedFor_stopsAtTheLimit() {
    OrderedStore store = open();
    putKeys(store, "01", "02", "03", "04");

    try (ReadView view = store.read()) {
      List<byte[]> seen = new ArrayList<>();

      int count = view.scan(hex("02"), hex("ff"), 2, (key, value) -> seen.add(key));

      assertThat(count).isEqualTo(2);
      assertThat(seen).containsExactly(hex("02"), hex("03"));
    }
  }

  @Test
  void scan_visitorSaysStop_countsTheRowAtWhichItStopped() {
    OrderedStore store = open();
    putKeys(store, "01", "02", "03", "04");

    try (ReadView view = store.read()) {
      int count = view.scan(EMPTY, hex("ff"), 100, (key, value) -> key[0] < 3);

      assertThat(count).isEqualTo(3);
    }
  }

  @Test
  void scan_visitorThrows_callerGetsItAndTheViewGoesOn() {
    OrderedStore store = open();
    putKeys(store, "01", "02");
    IllegalStateException thrown = new IllegalStateException("thrown by the visitor");

    try (ReadView view = store.read()) {
      assertThatThrownBy(
              () ->
                  view.scan(
                      EMPTY,
                      hex("ff"),
                      100,
                      (key, value) -> {
                        throw thrown;
                      }))
          .isSameAs(thrown);

      assertThat(view.scan(EMPTY, hex("ff"), 100, (key, value) -> true)).isEqualTo(2);
      assertThat(view.get(hex("02"))).isEmpty();
    }
  }

  @Test
  void scan_badArguments_areRefused() {
    OrderedStore store = open();

    try (ReadView view = store.read()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> view.scan(hex("02"), hex("01"), 1, (key, value) -> true));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> view.scan(hex("01"), hex("02"), 0, (key, value) -> true))
          .withMessageContaining("rowCountMax");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> view.scan(hex("01"), hex("02"), -1, (key, value) -> true))
          .withMessageContaining("-1");
    }
  }

  @Test
  void get_keyAbsentOrPrefixOfAnother_isNull() {
    OrderedStore store = open();
    putKeys(store, "1020", "30");

    try (ReadView view = store.read()) {
      assertThat(view.get(hex("10"))).isNull();
      assertThat(view.get(hex("102000"))).isNull();
      assertThat(view.get(hex("ff"))).isNull();
      assertThat(view.get(hex("00"))).isNull();
      assertThat(view.get(hex("1020"))).isEmpty();
    }
  }

  @Test
  void get_keyThatNoBatchCouldHold_isRefused() {
    OrderedStore store = open();
    byte[] tooLong = new byte[store.info().keyBytesMax() + 1];

    try (ReadView view = store.read()) {
      assertThatIllegalArgumentException().isThrownBy(() -> view.get(EMPTY));
      assertThatIllegalArgumentException().isThrownBy(() -> view.get(tooLong));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> view.getAll(List.of(hex("01"), tooLong)));
    }
  }

  @Test
  void getAll_presentAbsentAndRepeatedKeys_answersInTheirOrder() {
    OrderedStore store = open();
    put(store, "a", "first");
    put(store, "b", "");

    try (ReadView view = store.read()) {
      List<byte @Nullable []> values =
          view.getAll(List.of(bytes("b"), bytes("c"), bytes("a"), bytes("a"), bytes("0")));

      assertThat(values).containsExactly(EMPTY, null, bytes("first"), bytes("first"), null);
      assertThat(view.getAll(List.of())).isEmpty();
    }
  }

  @Test
  void bytesHandedOut_changedByTheCaller_storeIsUnharmed() {
    OrderedStore store = open();
    put(store, "key", "value");

    try (ReadView view = store.read()) {
      Arrays.fill(view.get(bytes("key")), (byte) 0);
      view.scan(
          EMPTY,
          hex("ff"),
          10,
          (key, value) -> {
            Arrays.fill(key, (byte) 0);
            Arrays.fill(value, (byte) 0);
            return true;
          });
      assertThat(view.get(bytes("key"))).isEqualTo(bytes("value"));
    }
    assertThat(rows(store)).containsExactly(row(bytes("key"), bytes("value")));
  }

  @Test
  void bytesHandedOut_afterViewAndLaterWrites_stayAsTheyWere() {
    OrderedStore store = open();
    put(store, "key", "before");
    byte[] value;
    try (ReadView view = store.read()) {
      value = view.get(bytes("key"));
    }

    for (int i = 0; i < 50; i++) {
      put(store, "key", "after  " + i);
    }

    assertThat(value).isEqualTo(bytes("before"));
  }

  private static void putKeys(OrderedStore store, String... keys) {
    WriteBatch batch = nextBatch(store);
    for (String key : keys) {
      batch.put(hex(key), EMPTY);
    }
    store.write(batch);
  }
}
