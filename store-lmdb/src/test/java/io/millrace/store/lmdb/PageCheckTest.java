package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Damaged pages are found before LMDB believes them, and sound ones are not taken for damaged. */
@Tag("slow")
class PageCheckTest {

  private static final int PAGE_BYTES = 4_096;
  private static final int KEY_BYTES = 12;
  private static final int BRANCH = 1;
  private static final int LEAF = 2;
  private static final int OVERFLOW = 4;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    // The page's own header.
    "LEAF, 0, 1, it says that it is page",
    "LEAF, 10, 2, its kind is 0",
    "LEAF, 10, 1, its kind is 3",
    "BRANCH, 10, 2, its kind is 3",
    "LEAF, 12, 1, its bounds are",
    "LEAF, 13, 16, its bounds are",
    "LEAF, 14, 2, row 19 is at",
    "LEAF, 15, 128, its bounds are",
    // The first offset, of the row that is last on the page.
    "LEAF, 17, 16, row 0 is at",
    "LEAF, 16, 2, its rows take",
    // The last row of the page, which lies first: length, kind and length of the key.
    "LEAF, upper, 2, its rows take",
    "LEAF, upper + 1, 128, bytes",
    "LEAF, upper + 4, 2, is of kind 2",
    "LEAF, upper + 4, 4, is of kind 4",
    "LEAF, upper + 4, 1, its rows take",
    "LEAF, upper + 6, 2, its rows take",
    "LEAF, upper + 7, 128, bytes",
    "LEAF, upper + 8, 128, its rows are not of this part of the tree",
    // The child of the branch's last row.
    "BRANCH, upper, 1, it is in use twice",
    "BRANCH, upper + 3, 64, leads to page",
    "BRANCH, upper + 5, 1, leads to page",
    "OVERFLOW, 0, 1, which is of another kind",
    "OVERFLOW, 10, 2, which is of another kind",
    "OVERFLOW, 12, 1, which is of another kind"
  })
  void open_pageDamaged_isToldWithThePage(String kind, String at, int mask, String reason)
      throws IOException {
    fill(1_000);
    long page = pageOf(kind);

    flip(page * PAGE_BYTES + offset(page, at), mask);

    assertRefused("reason=page ", reason);
  }

  @Test
  void open_pageListedAsFreeThatIsInUse_isTold() throws IOException {
    fill(200);
    ByteBuffer file = read();
    long used = pageOf("LEAF");
    long list = freeListLeaf(file);
    int upper = Short.toUnsignedInt(file.getShort((int) list * PAGE_BYTES + 14));

    // The last number of the first list in the page: the lowest free page of an old transaction.
    int at = (int) list * PAGE_BYTES + PAGE_BYTES - Long.BYTES;
    assertThat(upper).isLessThan(PAGE_BYTES);
    put(at, used);

    assertRefused("it is in use and free");
  }

  @ParameterizedTest
  @CsvSource({
    // Page number, flags, page size, depth and root of the main tree, rows, last page, transaction;
    // roots of the list of free pages and of the main tree that are no int.
    "0, 1",
    "10, 1",
    "41, 32",
    "94, 1",
    "128, 1",
    "120, 1",
    "142, 1",
    "144, 4",
    "151, 128",
    "83, 128",
    "131, 128",
    "135, 64"
  })
  void open_metaPageDamaged_isTold(int at, int mask) throws IOException {
    fill(1_000);
    ByteBuffer file = read();
    boolean isFirstNewer = file.getLong(144) > file.getLong(PAGE_BYTES + 144);

    flip((isFirstNewer ? 0 : PAGE_BYTES) + at, mask);

    assertRefused("data file is damaged");
  }

  @Test
  void open_treeOfRowsHasAnotherCount_isToldWithThePageThatNamesTheTree() throws IOException {
    fill(1_000);
    ByteBuffer file = read();
    boolean isFirstNewer = file.getLong(144) > file.getLong(PAGE_BYTES + 144);
    long page = file.getLong((isFirstNewer ? 0 : PAGE_BYTES) + 128);
    byte[] name = "rows".getBytes(StandardCharsets.US_ASCII);
    int at = (int) page * PAGE_BYTES;
    while (!file.slice(at, name.length).equals(ByteBuffer.wrap(name))) {
      at++;
    }

    flip(at + name.length + 32, 1);

    assertRefused("reason=page " + page + ": a tree has other pages or rows than it says");
  }

  @Test
  void open_largeStore_looksAtWhatMostDependsOnAndFlawsAtEverything() throws IOException {
    fill(80_000);
    assertThat(Files.size(data())).isGreaterThan(DataFile.CHECKED_PAGE_COUNT_MAX * PAGE_BYTES);
    long last = lastLeaf();
    flip(last * PAGE_BYTES + 13, 16);

    try (OrderedStore store = open(Access.READ_WRITE)) {
      assertThat(store.flaws()).hasSize(1).first().asString().contains("page " + last + ": its");
      assertThatThrownBy(() -> store.backupTo(folder.resolve("backup")))
          .isInstanceOf(StoreCorruptException.class)
          .hasMessageContaining("page " + last);
    }
    flip(last * PAGE_BYTES + 13, 16);
    flip(pageOf("BRANCH") * PAGE_BYTES + 13, 16);
    assertRefused("its bounds are");
  }

  @Test
  void flaws_manyPagesDamaged_areToldUpToALimit() throws IOException {
    fill(80_000);
    try (OrderedStore store = open(Access.READ_WRITE)) {
      ByteBuffer file = read();
      for (int page = 2; page < file.capacity() / PAGE_BYTES; page++) {
        if (isOfKind(file, page, LEAF)) {
          flip((long) page * PAGE_BYTES + 13, 16);
        }
      }

      assertThat(store.flaws()).hasSize(OrderedStore.FLAW_COUNT_MAX);
    }
  }

  @Test
  void flaws_storeIsWrittenTo_seeOneTransactionAndNoFlaw() throws Exception {
    fill(2_000);
    AtomicBoolean isDone = new AtomicBoolean();
    try (OrderedStore store = open(Access.READ_WRITE)) {
      Thread writer =
          new Thread(
              () -> {
                Random random = new Random(1);
                while (!isDone.get()) {
                  store.write(randomBatch(store, random, 20));
                }
              });
      writer.start();
      for (int i = 0; i < 30; i++) {
        assertThat(store.flaws()).isEmpty();
      }
      isDone.set(true);
      writer.join();
    }
  }

  @Test
  void open_afterRandomHistories_soundPagesAreNotTakenForDamaged() throws IOException {
    long seed = Trials.seed();
    int histories = Trials.count("pageHistories", 5, 20, 200);
    for (int history = 0; history < histories; history++) {
      Random random = new Random(seed + history);
      Path place = folder.resolve("store" + history);
      for (int opening = 0; opening < 4; opening++) {
        try (OrderedStore store = new LmdbPlainFactory().open(StoreOptions.of(place))) {
          for (int batch = random.nextInt(40); batch > 0; batch--) {
            int most = random.nextInt(20) == 0 ? 3_000 : 60;
            store.write(randomBatch(store, random, 1 + random.nextInt(most)));
          }
          assertThat(store.flaws()).as("seed " + (seed + history)).isEmpty();
        }
      }
    }
    Trials.report(
        getClass(), histories + " random histories of 4 openings each, taken for damaged 0");
  }

  /** Puts and deletes of rows of all lengths, most of them short. */
  private static WriteBatch randomBatch(OrderedStore store, Random random, int operations) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    for (int i = 0; i < operations; i++) {
      byte[] key = new byte[random.nextInt(10) == 0 ? 511 : 4];
      ByteBuffer.wrap(key).putInt(random.nextInt(2_000));
      if (random.nextInt(3) == 0) {
        batch.delete(key);
      } else {
        batch.put(key, new byte[random.nextInt(random.nextInt(20) == 0 ? 20_000 : 300)]);
      }
    }
    return batch;
  }

  /** Rows of 200 bytes, every tenth with a value on pages of its own, in a few transactions. */
  private void fill(int rows) {
    try (OrderedStore store = open(Access.READ_WRITE)) {
      for (int from = 0; from < rows; from += 2_000) {
        WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
        for (int row = from; row < Math.min(rows, from + 2_000); row++) {
          byte[] key = ByteBuffer.allocate(KEY_BYTES).putInt(1).putLong(row).array();
          batch.put(key, new byte[row % 10 == 5 ? 3_000 : 180]);
        }
        store.write(batch);
      }
    }
  }

  private OrderedStore open(Access access) {
    return new LmdbPlainFactory().open(StoreOptions.of(folder.resolve("store")).access(access));
  }

  private void assertRefused(String... parts) {
    for (Access access : Access.values()) {
      for (LostCommits lostCommits : LostCommits.values()) {
        StoreOptions options =
            StoreOptions.of(folder.resolve("store")).access(access).lostCommits(lostCommits);
        assertThatThrownBy(() -> new LmdbPlainFactory().open(options))
            .isInstanceOf(StoreCorruptException.class)
            .hasMessageContainingAll(parts);
      }
    }
  }

  /** The first page of the kind that is in use. */
  private long pageOf(String kind) throws IOException {
    int flags = kind.equals("LEAF") ? LEAF : kind.equals("BRANCH") ? BRANCH : OVERFLOW;
    ByteBuffer file = read();
    return IntStream.range(2, file.capacity() / PAGE_BYTES)
        .filter(page -> isOfKind(file, page, flags) && isReachable(page))
        .findFirst()
        .orElseThrow();
  }

  private long lastLeaf() throws IOException {
    ByteBuffer file = read();
    int pages = file.capacity() / PAGE_BYTES;
    return IntStream.range(0, pages)
        .map(behind -> pages - 1 - behind)
        .filter(page -> isOfKind(file, page, LEAF) && isReachable(page))
        .findFirst()
        .orElseThrow();
  }

  /** Of leaves only those of our rows will do, and whose last row holds its value. */
  private static boolean isOfKind(ByteBuffer file, int page, int flags) {
    int at = page * PAGE_BYTES;
    int upper = Short.toUnsignedInt(file.getShort(at + 14));
    return file.getShort(at + 10) == flags
        && (flags != LEAF
            || (file.getShort(at + 12) > 30
                && file.getShort(at + upper + 6) == KEY_BYTES
                && file.getShort(at + upper + 4) == 0));
  }

  /** Whether damage to the page is found: one that is free may hold anything. */
  private boolean isReachable(int page) {
    try {
      flip((long) page * PAGE_BYTES, 1);
      List<String> found = new ArrayList<>();
      try (RandomAccessFile file = new RandomAccessFile(data().toFile(), "r")) {
        MetaPage meta = DataFile.newestMeta(data(), file);
        PageFile pages = new PageFile(file, meta, () -> {});
        PageCheck.run(pages, (damaged, reason) -> found.add(reason), Long.MAX_VALUE);
      }
      flip((long) page * PAGE_BYTES, 1);
      return !found.isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The leaf of the list of free pages, whose tree has one page only. */
  private static long freeListLeaf(ByteBuffer file) {
    int meta = file.getLong(144) > file.getLong(PAGE_BYTES + 144) ? 0 : PAGE_BYTES;
    assertThat(file.getShort(meta + 46)).as("depth of the tree of free pages").isEqualTo((short) 1);
    return file.getLong(meta + 80);
  }

  private long offset(long page, String at) throws IOException {
    if (!at.startsWith("upper")) {
      return Long.parseLong(at);
    }
    long upper = Short.toUnsignedInt(read().getShort((int) page * PAGE_BYTES + 14));
    return at.equals("upper") ? upper : upper + Long.parseLong(at.substring("upper + ".length()));
  }

  private ByteBuffer read() throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(data())).order(ByteOrder.nativeOrder());
  }

  private void flip(long at, int mask) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(data().toFile(), "rw")) {
      file.seek(at);
      int value = file.read();
      file.seek(at);
      file.write(value ^ mask);
    }
  }

  private void put(long at, long value) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(data().toFile(), "rw")) {
      file.seek(at);
      file.writeLong(Long.reverseBytes(value));
    }
  }

  private Path data() {
    return folder.resolve("store").resolve(DataFile.FILE_NAME);
  }
}
