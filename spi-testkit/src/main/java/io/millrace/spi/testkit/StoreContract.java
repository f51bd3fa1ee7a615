package io.millrace.spi.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The base of the contract suite's parts: stores that are closed after each test, and rows as text.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class StoreContract {

  static final byte[] EMPTY = {};

  @TempDir Path parent;

  final StoreFixture fixture;
  final StoreFactory factory;
  private final List<OrderedStore> opened = new ArrayList<>();

  StoreContract(StoreFixture fixture) {
    this.fixture = fixture;
    this.factory = fixture.factory();
  }

  @AfterEach
  void closeStores() {
    for (OrderedStore store : opened) {
      try {
        store.close();
      } catch (StoreException e) {
        // A test that let the store fail has said what it expects of close.
        continue;
      }
    }
  }

  Path folder() {
    return parent.resolve("store");
  }

  StoreOptions options() {
    return StoreOptions.of(folder());
  }

  OrderedStore open() {
    return open(options());
  }

  OrderedStore open(StoreOptions options) {
    OrderedStore store = factory.open(options);
    opened.add(store);
    return store;
  }

  static WriteBatch nextBatch(OrderedStore store) {
    return new WriteBatch(store.lastCommit() + 1);
  }

  static WriteBatch nextFreeingBatch(OrderedStore store) {
    return new WriteBatch(store.lastCommit() + 1, WriteBatch.Reserve.USE);
  }

  /** Writes one row in a batch of its own. */
  static void put(OrderedStore store, String key, String value) {
    WriteBatch batch = nextBatch(store);
    batch.put(bytes(key), bytes(value));
    store.write(batch);
  }

  /** Writes batches of one row each, named after the batch. */
  static void writeNumbered(OrderedStore store, int batchCount) {
    for (int i = 0; i < batchCount; i++) {
      long number = store.lastCommit() + 1;
      put(store, numberedKey(number), "value of " + number);
    }
  }

  static String numberedKey(long number) {
    return String.format("batch %08d", number);
  }

  /** Returns the rows that {@link #writeNumbered} leaves behind, as {@link #row} shows them. */
  static List<String> numberedRows(long lastCommit) {
    List<String> rows = new ArrayList<>();
    for (long number = 1; number <= lastCommit; number++) {
      rows.add(row(bytes(numberedKey(number)), bytes("value of " + number)));
    }
    return rows;
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  static String row(byte[] key, byte[] value) {
    return HexFormat.of().formatHex(key) + "=" + HexFormat.of().formatHex(value);
  }

  /** Returns all rows, as {@link #row} shows them. */
  static List<String> rows(OrderedStore store) {
    try (ReadView view = store.read()) {
      return rows(view, store.info().keyBytesMax());
    }
  }

  static List<String> rows(ReadView view, int keyBytesMax) {
    List<String> rows = new ArrayList<>();
    view.scan(
        EMPTY,
        beyondAllKeys(keyBytesMax),
        Integer.MAX_VALUE,
        (key, value) -> rows.add(row(key, value)));
    return rows;
  }

  /** Returns the keys of a range, in hex. */
  static List<String> keys(OrderedStore store, byte[] startInclusive, byte[] endExclusive) {
    List<String> keys = new ArrayList<>();
    try (ReadView view = store.read()) {
      view.scan(
          startInclusive,
          endExclusive,
          Integer.MAX_VALUE,
          (key, value) -> keys.add(HexFormat.of().formatHex(key)));
    }
    return keys;
  }

  static byte[] beyondAllKeys(int keyBytesMax) {
    byte[] end = new byte[keyBytesMax + 1];
    Arrays.fill(end, (byte) 0xFF);
    return end;
  }
}
