package io.millrace.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.spi.WriteBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTreeTest {

  private static final int KEY_COUNT = 20_000;
  private static final byte[] END = {(byte) 0xFF};

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void with_stretchesFilledAndEmptied_equalsASortedMap(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    RowTree rows = RowTree.EMPTY;

    for (int i = 0; i < 300; i++) {
      WriteBatch batch = randomStretch(random);
      rows = rows.with(batch);
      apply(batch, model);
      if (i % 10 == 9) {
        assertSameRows(rows, model);
      }
    }
  }

  @Test
  void with_laterBatches_olderTreesStayAsTheyWere() {
    SplittableRandom random = new SplittableRandom(7);
    List<RowTree> trees = new ArrayList<>();
    List<TreeMap<byte[], byte[]>> models = new ArrayList<>();
    TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    RowTree rows = RowTree.EMPTY;
    for (int i = 0; i < 40; i++) {
      WriteBatch batch = randomStretch(random);
      rows = rows.with(batch);
      apply(batch, model);
      trees.add(rows);
      models.add(new TreeMap<>(model));
    }

    for (int i = 0; i < trees.size(); i++) {
      assertSameRows(trees.get(i), models.get(i));
    }
    assertThat(RowTree.EMPTY.rowCount()).isZero();
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void withMarks_anyBatches_cursorSeesTheLastOperationOfEachKey(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<byte[], Optional<byte[]>> model = new TreeMap<>(Arrays::compareUnsigned);
    RowTree rows = RowTree.EMPTY;

    for (int i = 0; i < 60; i++) {
      WriteBatch batch = randomStretch(random);
      rows = rows.withMarks(batch);
      for (int j = 0; j < batch.size(); j++) {
        model.put(batch.key(j), Optional.ofNullable(batch.value(j)));
      }
      byte[] start = key(random.nextInt(KEY_COUNT + 10));
      assertThat(operations(rows, start)).isEqualTo(operations(model.tailMap(start)));
    }

    assertThat(operations(rows, new byte[0])).isEqualTo(operations(model));
    assertThat(rows.rowCount()).isEqualTo(model.size());
    assertThat(model.values()).contains(Optional.empty());
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(longs = {6, 7})
  void withMarks_rowsThatWereNewAndAreDeleted_leaveNothing(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<byte[], Optional<byte[]>> model = new TreeMap<>(Arrays::compareUnsigned);
    Set<ByteBuffer> news = new HashSet<>();
    RowTree rows = RowTree.EMPTY;

    for (int i = 0; i < 200; i++) {
      WriteBatch batch = new WriteBatch(1);
      int start = random.nextInt(KEY_COUNT - 300);
      boolean isDeleting = random.nextInt(9) < 5;
      for (int j = 0; j < 200; j++) {
        byte[] key = key(start + random.nextInt(300));
        Optional<byte[]> known = model.getOrDefault(key, Optional.empty());
        if (batch.find(key) != WriteBatch.ABSENT) {
          continue;
        }
        if (isDeleting) {
          batch.delete(key);
          if (news.remove(ByteBuffer.wrap(key))) {
            model.remove(key);
          } else {
            model.put(key, Optional.empty());
          }
        } else if (known.isEmpty() && random.nextBoolean()) {
          batch.putNew(key, new byte[1]);
          if (model.put(key, Optional.of(new byte[1])) == null) {
            news.add(ByteBuffer.wrap(key));
          }
        } else {
          batch.put(key, new byte[2]);
          model.put(key, Optional.of(new byte[2]));
        }
      }
      RowTree before = rows;
      List<String> beforehand = operations(before, new byte[0]);
      rows = rows.withMarks(batch);
      assertThat(operations(rows, new byte[0])).isEqualTo(operations(model));
      assertThat(operations(before, new byte[0])).isEqualTo(beforehand);
    }

    assertThat(rows.rowCount()).isEqualTo(model.size());
    assertThat(news).isNotEmpty();
  }

  @Test
  void withMarks_newAndDeletedInOneBatch_leavesNothing() {
    WriteBatch batch = new WriteBatch(1);
    batch.putNew(key(1), new byte[1]);
    batch.delete(key(1));
    batch.delete(key(2));
    batch.putNew(key(2), new byte[1]);

    RowTree rows = RowTree.EMPTY.withMarks(batch);
    WriteBatch next = new WriteBatch(2);
    next.delete(key(2));

    assertThat(rows.rowCount()).isEqualTo(1);
    assertThat(RowTree.isMark(rows.withMarks(next).find(key(2)))).isTrue();
  }

  @Test
  void find_inATreeWithMarks_tellsMarksFromEmptyValuesAndAbsence() {
    WriteBatch batch = new WriteBatch(1);
    batch.put(key(1), new byte[0]);
    batch.delete(key(2));

    RowTree rows = RowTree.EMPTY.withMarks(batch);

    assertThat(RowTree.isMark(rows.find(key(1)))).isFalse();
    assertThat(RowTree.isMark(rows.find(key(2)))).isTrue();
    assertThat(rows.find(key(3))).isNull();
    assertThat(rows.bytes()).isEqualTo(2 * Integer.BYTES);
  }

  @Test
  void cursor_behindTheLastRow_isAtNone() {
    RowCursor cursor = RowTree.EMPTY.cursor(new byte[0]);

    assertThat(cursor.isAtRow()).isFalse();
    assertThatIllegalStateException().isThrownBy(cursor::key);
    assertThatIllegalStateException().isThrownBy(cursor::value);
  }

  private static List<String> operations(RowTree rows, byte[] start) {
    List<String> operations = new ArrayList<>();
    for (RowCursor cursor = rows.cursor(start); cursor.isAtRow(); cursor.advance()) {
      byte[] value = cursor.value();
      operations.add(
          operation(cursor.key(), RowTree.isMark(value) ? Optional.empty() : Optional.of(value)));
    }
    return operations;
  }

  private static List<String> operations(SortedMap<byte[], Optional<byte[]>> model) {
    List<String> operations = new ArrayList<>();
    model.forEach((key, value) -> operations.add(operation(key, value)));
    return operations;
  }

  private static String operation(byte[] key, Optional<byte[]> value) {
    return Arrays.toString(key) + value.map(Arrays::toString).orElse(" deleted");
  }

  @Test
  void with_everythingDeleted_isEmpty() {
    WriteBatch puts = new WriteBatch(1);
    WriteBatch deletes = new WriteBatch(2);
    for (int i = 0; i < KEY_COUNT; i++) {
      puts.put(key(i), new byte[3]);
      deletes.delete(key(i * 7 % KEY_COUNT));
    }

    RowTree full = RowTree.EMPTY.with(puts);
    RowTree empty = full.with(deletes);

    assertThat(full.rowCount()).isEqualTo(KEY_COUNT);
    assertThat(full.bytes()).isEqualTo(KEY_COUNT * 7L);
    assertThat(empty.rowCount()).isZero();
    assertThat(empty.bytes()).isZero();
    assertSameRows(empty, Map.of());
    assertThat(empty.with(puts).rowCount()).isEqualTo(KEY_COUNT);
  }

  /**
   * Sequential even keys make leaves of 16 rows and branches of 16 leaves, which span 512 keys. A
   * first leaf beside a nearly full one goes away instead of being joined; what is put in its place
   * lies below the bound that its branch remembers, and must be found when the branch is joined.
   */
  @Test
  void with_firstLeafReplacedBeforeItsBranchIsJoined_allRowsAreFound() {
    TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    WriteBatch evenKeys = new WriteBatch(1);
    WriteBatch fullSecondLeaves = new WriteBatch(2);
    WriteBatch noFirstLeaves = new WriteBatch(3);
    WriteBatch newFirstRows = new WriteBatch(4);
    WriteBatch fewLeaves = new WriteBatch(5);
    for (int i = 0; i < KEY_COUNT; i += 2) {
      int offset = i % 512;
      evenKeys.put(key(i), new byte[0]);
      if (offset < 32) {
        noFirstLeaves.delete(key(i));
      } else if (offset < 56) {
        fullSecondLeaves.put(key(i + 1), new byte[0]);
      } else if (offset >= 128) {
        fewLeaves.delete(key(i));
      }
      if (offset == 2) {
        newFirstRows.put(key(i), new byte[1]);
      }
    }

    RowTree rows = RowTree.EMPTY;
    for (WriteBatch batch :
        List.of(evenKeys, fullSecondLeaves, noFirstLeaves, newFirstRows, fewLeaves)) {
      rows = rows.with(batch);
      apply(batch, model);

      assertSameRows(rows, model);
    }
  }

  /** Puts or deletes most keys of a stretch, so that whole branches come, go and are joined. */
  private static WriteBatch randomStretch(SplittableRandom random) {
    WriteBatch batch = new WriteBatch(1);
    int start = random.nextInt(KEY_COUNT);
    int end = Math.min(KEY_COUNT, start + random.nextInt(1, 4_000));
    boolean isDeleting = random.nextInt(9) < 5;
    double share = random.nextDouble();
    for (int i = start; i < end; i++) {
      if (random.nextDouble() >= share) {
        continue;
      }
      if (isDeleting) {
        batch.delete(key(i));
      } else {
        batch.put(key(i), new byte[random.nextInt(3)]);
      }
    }
    return batch;
  }

  private static void apply(WriteBatch batch, Map<byte[], byte[]> model) {
    for (int i = 0; i < batch.size(); i++) {
      byte[] value = batch.value(i);
      if (value == null) {
        model.remove(batch.key(i));
      } else {
        model.put(batch.key(i), value);
      }
    }
  }

  private static void assertSameRows(RowTree rows, Map<byte[], byte[]> model) {
    Iterator<Map.Entry<byte[], byte[]>> expected = model.entrySet().iterator();
    rows.scan(
        new byte[0],
        END,
        Integer.MAX_VALUE,
        (key, value) -> {
          Map.Entry<byte[], byte[]> next = expected.next();
          // Plain comparisons: there are millions of them.
          return Arrays.equals(key, next.getKey()) && Arrays.equals(value, next.getValue());
        });
    assertThat(expected).isExhausted();
    long bytes = 0;
    for (Map.Entry<byte[], byte[]> row : model.entrySet()) {
      assertThat(Arrays.equals(rows.get(row.getKey()), row.getValue())).isTrue();
      bytes += row.getKey().length + row.getValue().length;
    }
    assertThat(rows.rowCount()).isEqualTo(model.size());
    assertThat(rows.bytes()).isEqualTo(bytes);
  }

  private static byte[] key(int index) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(index).array();
  }
}
