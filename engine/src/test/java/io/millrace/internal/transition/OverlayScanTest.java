package io.millrace.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverlayScanTest {

  private static byte[] key(int number) {
    return new byte[] {7, (byte) (number >> 8), (byte) number};
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void scan_anyBatchOverAnyStore_isWhatTheStoreWouldBeAfterTheBatch(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Integer, Integer> expected = new TreeMap<>();
    try (OrderedStore store =
        ServiceLoader.load(StoreFactory.class)
            .findFirst()
            .orElseThrow()
            .open(StoreOptions.of(Path.of("overlay")))) {
      WriteBatch stored = new WriteBatch(store.lastCommit() + 1);
      for (int i = 0; i < 700; i++) {
        int number = random.nextInt(2_000);
        stored.put(key(number), new byte[] {(byte) i});
        expected.put(number, (int) (byte) i);
      }
      store.write(stored);
      WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
      for (int i = 0; i < 300; i++) {
        int number = random.nextInt(2_000);
        if (random.nextBoolean()) {
          batch.put(key(number), new byte[] {(byte) i});
          expected.put(number, (int) (byte) i);
        } else {
          batch.delete(key(number));
          expected.remove(number);
        }
      }
      try (ReadView view = store.read()) {
        for (int round = 0; round < 50; round++) {
          int start = random.nextInt(2_000);
          int end = start + random.nextInt(2_000);
          int countMax = 1 + random.nextInt(900);
          List<Integer> numbers = new ArrayList<>();
          List<Integer> values = new ArrayList<>();
          OverlayScan.scan(
              new OverlayScan.Layers(batch, view),
              key(start),
              key(end),
              1 + random.nextInt(50),
              (key, value) -> {
                numbers.add((key[1] & 0xff) << 8 | key[2] & 0xff);
                values.add((int) value[0]);
                return numbers.size() < countMax;
              });

          var inRange = expected.subMap(start, end);
          assertThat(numbers)
              .containsExactlyElementsOf(inRange.keySet().stream().limit(countMax).toList());
          assertThat(values)
              .containsExactlyElementsOf(inRange.values().stream().limit(countMax).toList());
        }
      }
    }
  }
}
