package io.millrace.spi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WriteBatchTest {

  private static final StoreInfo INFO =
      StoreInfo.of("test", "id")
          .keyBytesMax(8)
          .valueBytesMax(16)
          .batchBytesMax(40)
          .batchOperationsMax(3);

  private static final byte[] FIRST = {};
  private static final byte[] BEYOND = {(byte) 0xFF, (byte) 0xFF};

  private final WriteBatch batch = new WriteBatch(7);

  @Test
  void newBatch_isEmpty() {
    assertThat(batch.number()).isEqualTo(7);
    assertThat(batch.reserve()).isEqualTo(WriteBatch.Reserve.KEEP);
    assertThat(batch.wanted()).isEqualTo(WriteBatch.Wanted.SYNCED);
    assertThat(batch.isEmpty()).isTrue();
    assertThat(batch.size()).isZero();
    assertThat(batch.bytes()).isZero();
    assertThat(batch.sorted(FIRST, BEYOND)).isEmpty();
    assertThat(batch.find(bytes("key"))).isEqualTo(WriteBatch.ABSENT);
  }

  @Test
  void put_sameKeyAgain_replacesTheOperationAndItsBytes() {
    batch.put(bytes("key"), bytes("first value"));
    batch.put(bytes("other"), bytes(""));
    batch.put(bytes("key"), bytes("second"));

    assertThat(batch.size()).isEqualTo(2);
    assertThat(batch.bytes()).isEqualTo(3 + 6 + 5);
    assertThat(batch.find(bytes("key"))).isZero();
    assertThat(batch.value(0)).isEqualTo(bytes("second"));
  }

  @Test
  void delete_afterPut_isTheOnlyOperation() {
    batch.put(bytes("key"), bytes("value"));
    batch.delete(bytes("key"));

    assertThat(batch.size()).isEqualTo(1);
    assertThat(batch.bytes()).isEqualTo(3);
    assertThat(batch.value(0)).isNull();
  }

  @Test
  void put_afterDelete_isTheOnlyOperation() {
    batch.delete(bytes("key"));
    batch.put(bytes("key"), bytes(""));

    assertThat(batch.size()).isEqualTo(1);
    assertThat(batch.value(0)).isEmpty();
  }

  @Test
  void sorted_keysGivenInAnyOrder_areInUnsignedOrder() {
    byte[][] keys = {{(byte) 0x80}, {0x7F}, {0, 0}, {(byte) 0xFF, 0}, {0}, {(byte) 0xFF}};
    for (byte[] key : keys) {
      batch.delete(key);
    }

    assertThat(batch.sorted(FIRST, BEYOND)).containsExactly(4, 2, 1, 0, 5, 3);
  }

  @Test
  void sorted_range_hasItsStartAndNotItsEnd() {
    for (String key : List.of("d", "b", "a", "c", "bb")) {
      batch.put(bytes(key), bytes("value"));
    }

    assertThat(batch.sorted(bytes("b"), bytes("d"))).containsExactly(1, 4, 3);
    assertThat(batch.sorted(bytes("ba"), bytes("ba"))).isEmpty();
  }

  @Test
  void manyKeys_neighboursAndCollidingHashes_areAllFound() {
    SplittableRandom random = new SplittableRandom(5);
    Map<ByteBuffer, byte[]> model = new HashMap<>();
    TreeSet<byte[]> order = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = 0; i < 20_000; i++) {
      // Pairs (x, y) and (x + 1, y - 31) have the same Arrays.hashCode.
      byte[] key = {(byte) random.nextInt(8), (byte) (random.nextInt(8) * -31), (byte) (i % 100)};
      byte[] value = new byte[random.nextInt(9)];
      batch.put(key, value);
      model.put(ByteBuffer.wrap(key), value);
      order.add(key);
    }

    assertThat(batch.size()).isEqualTo(model.size());
    long bytes = 0;
    for (Map.Entry<ByteBuffer, byte[]> entry : model.entrySet()) {
      int index = batch.find(entry.getKey().array());
      assertThat(batch.value(index)).isSameAs(entry.getValue());
      bytes += 3 + entry.getValue().length;
    }
    assertThat(batch.bytes()).isEqualTo(bytes);
    int[] sorted = batch.sorted(FIRST, BEYOND);
    assertThat(Arrays.stream(sorted).mapToObj(batch::key).toArray(byte[][]::new))
        .isDeepEqualTo(order.toArray(byte[][]::new));
  }

  @Test
  void operations_badArguments_areRefused() {
    batch.put(bytes("key"), bytes("value"));

    assertThatNullPointerException().isThrownBy(() -> new WriteBatch(1, null));
    assertThatNullPointerException().isThrownBy(() -> batch.put(bytes("key"), null));
    assertThatThrownBy(() -> batch.key(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> batch.value(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(batch.value(0)).isEqualTo(bytes("value"));
  }

  @Test
  void requireAcceptable_exactlyAtTheLimits_passes() {
    batch.put(new byte[8], new byte[16]);
    batch.put(bytes("a"), new byte[14]);
    batch.delete(bytes("b"));
    assertThat(batch.bytes()).isEqualTo(40);

    batch.requireAcceptable(6, INFO);
  }

  @Test
  void requireAcceptable_outOfOrder_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.requireAcceptable(7, INFO))
        .withMessage("batch is out of order: number=7, previous=6, lastCommit=7");
    assertThatIllegalArgumentException().isThrownBy(() -> batch.requireAcceptable(5, INFO));
  }

  @Test
  void follow_earlierNumber_isASumThatFollowsThat() {
    assertThat(batch.previous()).isEqualTo(6);

    batch.follow(2);

    assertThat(batch.previous()).isEqualTo(2);
    batch.requireAcceptable(2, INFO);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.requireAcceptable(6, INFO))
        .withMessage("batch is out of order: number=7, previous=2, lastCommit=6");
    batch.restart(8, WriteBatch.Reserve.KEEP);
    assertThat(batch.previous()).isEqualTo(7);
  }

  @Test
  void follow_numberThatIsNotEarlier_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.follow(7))
        .withMessage("a batch must be later than the one it follows: number=7, previous=7");
    assertThat(batch.previous()).isEqualTo(6);
  }

  @Test
  void requireAcceptable_tooManyOperations_isRefused() {
    for (int i = 0; i < 4; i++) {
      batch.delete(new byte[] {(byte) i});
    }

    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.requireAcceptable(6, INFO))
        .withMessage("batch has too many operations: value=4, most=3");
  }

  @Test
  void requireAcceptable_tooManyBytes_isRefused() {
    batch.put(bytes("a"), new byte[16]);
    batch.put(bytes("b"), new byte[16]);
    batch.put(bytes("c"), new byte[6]);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.requireAcceptable(6, INFO))
        .withMessage("batch is too large: value=41, most=40");
  }

  @Test
  void requireAcceptable_valueTooLong_isRefused() {
    batch.put(bytes("a"), new byte[17]);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.requireAcceptable(6, INFO))
        .withMessage("value is too long: value=17, most=16");
  }

  @Test
  void requireAcceptable_badKeyOfADelete_isRefused() {
    batch.delete(new byte[9]);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.requireAcceptable(6, INFO))
        .withMessage("key length is out of range: value=9, least=1, most=8");
  }

  @Test
  void requireKey_emptyKey_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> INFO.requireKey(new byte[0]))
        .withMessage("key length is out of range: value=0, least=1, most=8");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void put_keysInOrderUpToAnyPlace_areAllFoundAndReplaced() {
    WriteBatch batch = new WriteBatch(1);
    for (int inOrder = 0; inOrder < 70; inOrder++) {
      batch.restart(inOrder + 2, WriteBatch.Reserve.KEEP);
      for (int i = 0; i < inOrder; i++) {
        batch.put(new byte[] {(byte) (2 * i)}, new byte[1]);
        assertThat(batch.find(new byte[] {(byte) (2 * i)})).isEqualTo(i);
        assertThat(batch.find(new byte[] {(byte) (2 * i + 1)})).isEqualTo(WriteBatch.ABSENT);
      }

      for (int i = inOrder; i >= 0; i--) {
        batch.put(new byte[] {(byte) (2 * i + 1)}, new byte[2]);
        batch.delete(new byte[] {(byte) (2 * i)});
      }

      assertThat(batch.size()).isEqualTo(2 * inOrder + 2);
      assertThat(batch.bytes()).isEqualTo(2 * inOrder + 2 + 2 * (inOrder + 1));
      for (int i = 0; i <= inOrder; i++) {
        assertThat(batch.value(batch.find(new byte[] {(byte) (2 * i)}))).isNull();
        assertThat(batch.value(batch.find(new byte[] {(byte) (2 * i + 1)}))).hasSize(2);
      }
    }
  }

  @Test
  void putNew_keyWithoutAnOperation_isNewWhateverComesAfter() {
    WriteBatch batch = new WriteBatch(1);
    for (int i = 0; i < 40; i++) {
      batch.putNew(new byte[] {1, (byte) i}, new byte[1]);
      batch.put(new byte[] {0, (byte) i}, new byte[1]);
    }
    batch.put(new byte[] {1, 3}, new byte[2]);
    batch.delete(new byte[] {1, 4});
    batch.delete(new byte[] {2});
    batch.putNew(new byte[] {2}, new byte[1]);

    for (int i = 0; i < 40; i++) {
      assertThat(batch.isNew(batch.find(new byte[] {1, (byte) i}))).isTrue();
      assertThat(batch.isNew(batch.find(new byte[] {0, (byte) i}))).isFalse();
    }
    assertThat(batch.isNew(batch.find(new byte[] {2}))).isFalse();
    batch.restart(2, WriteBatch.Reserve.KEEP);
    batch.put(new byte[] {1, 0}, new byte[1]);
    assertThat(batch.isNew(0)).isFalse();
  }

  @Test
  void restart_usedBatch_isAnEmptyOneOfTheNextNumber() {
    WriteBatch batch = new WriteBatch(1);
    for (int i = 0; i < 1_000; i++) {
      batch.put(new byte[] {1, (byte) (i >> 8), (byte) i}, new byte[3]);
    }

    batch.restart(2, WriteBatch.Reserve.USE);

    assertThat(batch.number()).isEqualTo(2);
    assertThat(batch.reserve()).isEqualTo(WriteBatch.Reserve.USE);
    assertThat(batch.isEmpty()).isTrue();
    assertThat(batch.bytes()).isZero();
    assertThat(batch.sorted(FIRST, BEYOND)).isEmpty();
    assertThat(batch.find(new byte[] {1, 0, 7})).isEqualTo(WriteBatch.ABSENT);
  }

  @Test
  void restart_afterBatchesOfAnySize_holdsWhatIsPutAfterwards() {
    WriteBatch batch = new WriteBatch(1);
    for (int number = 2; number < 40; number++) {
      int size = number % 3 == 0 ? 5_000 : number;
      batch.restart(number, WriteBatch.Reserve.KEEP);
      for (int i = 0; i < size; i++) {
        batch.put(new byte[] {(byte) (i >> 8), (byte) i}, new byte[] {(byte) number});
      }

      assertThat(batch.size()).isEqualTo(size);
      for (int i = 0; i < size; i++) {
        int index = batch.find(new byte[] {(byte) (i >> 8), (byte) i});
        assertThat(batch.value(index)).containsExactly(number);
      }
      assertThat(batch.find(new byte[] {(byte) (size >> 8), (byte) size}))
          .isEqualTo(WriteBatch.ABSENT);
    }
  }
}
