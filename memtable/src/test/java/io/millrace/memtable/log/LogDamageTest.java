package io.millrace.memtable.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not as they were written: what is read is right, or damage is told. */
@Tag("slow")
class LogDamageTest {

  private static final int SECTOR_BYTES = 512;
  private static final int SECTOR_COUNT = 6;
  private static final int DAMAGE_COUNT = Trials.count("logDamages", 150, 2_000, 50_000);
  private static final long DAMAGE = -1;

  /** Header and first records: each bit; elsewhere some, for each is read as its neighbours. */
  private static final int DENSE_BITS = 800;

  private static final int SPARSE_BITS = 211;

  @TempDir Path outside;
  private LogRig rig;
  private LogCopy copy;

  @BeforeEach
  void makeRig() {
    rig = new LogRig(outside.resolve("log"));
    copy = new LogCopy(outside.resolve("copy"));
  }

  @Test
  void cut_atEachByte_isAPrefixThatIsAsLongAsLaterRecordsSay() throws IOException {
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.appendAndSync(log, 12);
    }
    try (RandomAccessFile file = new RandomAccessFile(rig.file(0).toFile(), "rw")) {
      long shortest = 12;
      for (long length = file.length(); length >= 0; length--) {
        file.setLength(length);
        long read = rig.readable(0);
        if (length > 0 && length < LogHeader.LENGTH_BYTES) {
          assertThat(read).as("cut at %d", length).isEqualTo(DAMAGE);
        } else {
          assertThat(read).as("cut at %d", length).isIn(shortest, shortest - 1);
          shortest = read;
        }
      }
      assertThat(shortest).isZero();
    }
  }

  @Test
  void bit_flippedAnywhere_isTheSameBatchesOrDamageOrTheEndThatNobodyVouchesFor()
      throws IOException {
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.appendAndSync(log, 3);
      log.turn();
      LogRig.appendAndSync(log, 5);
      LogRig.append(log, 2);
    }
    // 9 and 10 say that 8 was durable; if they are damaged, too, nobody does.
    int same = 0;
    int shorter = 0;
    for (String name : rig.contents().keySet()) {
      try (RandomAccessFile file =
          new RandomAccessFile(rig.folder().resolve(name).toFile(), "rw")) {
        int bits = Byte.SIZE * (int) file.length();
        for (int bit = 0; bit < bits; bit += bit < DENSE_BITS ? 1 : SPARSE_BITS) {
          flip(file, bit);
          long read = rig.readable(0);
          flip(file, bit);
          assertThat(read).as("bit %d of %s", bit, name).isIn(10L, 9L, 8L, DAMAGE);
          same += read == 10 ? 1 : 0;
          shorter += read == 9 || read == 8 ? 1 : 0;
        }
      }
    }
    assertThat(rig.readable(0)).isEqualTo(10);
    assertThat(same).isPositive();
    assertThat(shorter).isPositive();
  }

  private static void flip(RandomAccessFile file, int bit) throws IOException {
    file.seek(bit / Byte.SIZE);
    int held = file.read();
    file.seek(bit / Byte.SIZE);
    file.write(held ^ 1 << bit % Byte.SIZE);
  }

  @Test
  void sectors_ofTheUnsyncedTailAreOfTheRoundBefore_areATornEnd() throws IOException {
    byte[] before;
    long end;
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 40);
      log.turn();
      log.release(40);
      before = Files.readAllBytes(rig.file(0));
      log.turn();
      appendLong(log, 50, 100);
      log.sync();
      end = LogHeader.LENGTH_BYTES + log.partBytes();
      appendLong(log, 60, 300);
    }
    byte[] now = Files.readAllBytes(rig.file(0));
    int first = (int) (end / SECTOR_BYTES) + 1;
    for (int lost = 0; lost < 1 << SECTOR_COUNT; lost++) {
      byte[] torn = now.clone();
      for (int i = 0; i < SECTOR_COUNT; i++) {
        int at = (first + i) * SECTOR_BYTES;
        System.arraycopy(isIn(lost, i) ? before : now, at, torn, at, SECTOR_BYTES);
      }

      LogRig.Read read = copy.of(Map.of("log-0", torn)).read(40);

      assertThat(read.last()).as("lost %x", lost).isBetween(50L, lost == 0 ? 60L : 59L);
      for (int i = 0; i < read.batches().size(); i++) {
        long number = 41 + i;
        assertThat(read.batches().get(i))
            .isEqualTo(LogRig.text(LogRig.longBatch(number, number <= 50 ? 100 : 300)));
      }
    }
  }

  private static void appendLong(BatchLog log, long last, int valueBytes) {
    while (log.lastNumber() < last) {
      log.append(LogRig.longBatch(log.lastNumber() + 1, valueBytes));
    }
  }

  private static boolean isIn(int set, int element) {
    return (set >> element & 1) != 0;
  }

  @Test
  void damage_byChance_neverYieldsOtherBatchesNorLessThanALaterFileVouchesFor() throws IOException {
    long seed = Trials.seed();
    try (FolderLog log = rig.open(1, 0)) {
      for (int part = 0; part < 6; part++) {
        LogRig.append(log, 40);
        log.turn();
        log.release(log.lastNumber() - 80);
      }
      LogRig.appendAndSync(log, 4);
      LogRig.append(log, 4);
    }
    Map<String, byte[]> whole = new TreeMap<>(rig.contents());
    // What was given back has nothing to damage.
    whole.values().removeIf(bytes -> bytes.length == 0);
    String newest = newestFile(whole);
    assertThat(rig.readable(160)).isEqualTo(248);
    for (int i = 0; i < DAMAGE_COUNT; i++) {
      Random random = new Random(seed + i);
      Map<String, byte[]> contents = new TreeMap<>(whole);
      String damaged = List.copyOf(whole.keySet()).get(random.nextInt(whole.size()));
      contents.put(damaged, damage(whole, damaged, random));

      long read = copy.of(contents).readable(160);

      if (damaged.equals(newest)) {
        assertThat(read == DAMAGE || read >= 240).as("seed %d: %d", seed + i, read).isTrue();
      } else {
        assertThat(read).as("seed %d", seed + i).isIn(248L, DAMAGE);
      }
    }
  }

  private static String newestFile(Map<String, byte[]> contents) {
    Comparator<Map.Entry<String, byte[]>> bySequence =
        Comparator.comparingLong(file -> ByteBuffer.wrap(file.getValue()).getLong(8));
    return Collections.max(contents.entrySet(), bySequence).getKey();
  }

  /** Zeros, noise, or a piece of a file where another was; or an end that is missing. */
  private static byte[] damage(Map<String, byte[]> whole, String name, Random random) {
    byte[] bytes = whole.get(name).clone();
    int at = random.nextInt(bytes.length);
    byte[] piece = new byte[Math.min(1 << random.nextInt(14), bytes.length - at)];
    switch (random.nextInt(4)) {
      case 0 -> System.arraycopy(piece, 0, bytes, at, piece.length);
      case 1 -> {
        random.nextBytes(piece);
        System.arraycopy(piece, 0, bytes, at, piece.length);
      }
      case 2 -> {
        byte[] other = List.copyOf(whole.values()).get(random.nextInt(whole.size()));
        int from = random.nextInt(other.length) & -LogRecord.ALIGNMENT_BYTES;
        int to = at & -LogRecord.ALIGNMENT_BYTES;
        int count = Math.min(piece.length, Math.min(other.length - from, bytes.length - to));
        System.arraycopy(other, from, bytes, to, count);
      }
      default -> bytes = Arrays.copyOf(bytes, at);
    }
    return bytes;
  }

  @Test
  void pages_ofAnEarlierRound_areNeverTaken() throws IOException {
    byte[] before;
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 20);
      log.turn();
      log.release(20);
      before = Files.readAllBytes(rig.file(0));
      log.turn();
      // The same batches again would be the same bytes, but for what tells the rounds apart.
      LogRig.append(log, 1);
    }
    byte[] now = Files.readAllBytes(rig.file(0));
    System.arraycopy(before, 48, now, 48, before.length - 48);
    Files.write(rig.file(0), now);

    assertThat(rig.read(20).batches()).isEmpty();
  }

  @Test
  void record_ofAnotherPlaceOfTheSameRound_isNotTaken() throws IOException {
    LogRig other = new LogRig(outside.resolve("other"));
    byte[] first = firstRecord(rig, 1, 2);
    byte[] second = firstRecord(other, 3, 2);
    // Both rounds have the same number by chance: only the chain tells the records apart.
    assertThat(first).hasSameSizeAs(second).isNotEqualTo(second);

    byte[] file = Files.readAllBytes(other.file(0));
    System.arraycopy(first, 0, file, LogHeader.LENGTH_BYTES, first.length);
    Files.write(other.file(0), file);

    assertThat(other.lastReadable(0)).isZero();
  }

  /** The bytes of a log's first record, in an opening of that number. */
  private static byte[] firstRecord(LogRig rig, long epoch, int valueBytes) throws IOException {
    LogReplay replay = rig.read(0).replay();
    try (FolderLog log = FolderLog.begin(replay, epoch, LogRig.SIZES, () -> 77)) {
      log.append(LogRig.longBatch(1, valueBytes));
      byte[] file = Files.readAllBytes(rig.file(0));
      int end = LogHeader.LENGTH_BYTES + (int) log.partBytes();
      return Arrays.copyOfRange(file, LogHeader.LENGTH_BYTES, end);
    }
  }

  @Test
  void header_damaged_isTold() throws IOException {
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 2);
    }
    byte[] bytes = Files.readAllBytes(rig.file(0));
    Arrays.fill(bytes, 0, LogHeader.LENGTH_BYTES, (byte) 0);
    Files.write(rig.file(0), bytes);

    assertThatThrownBy(() -> rig.read(0))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessage(
            "log holds less than was once durable; restore a backup, or open it with"
                + " LostCommits.ACCEPT to go on without the lost commits: file="
                + rig.file(0)
                + ", offset=0, reason=its header is damaged, read up to=0");
  }

  @Test
  void file_madeButNeverBegun_isNoDamage() throws IOException {
    rig.open(1, 0).close();
    Files.write(rig.file(0), new byte[0]);
    Files.write(rig.file(1), new byte[100_000]);

    assertThat(rig.readable(0)).isZero();
    try (FolderLog log = rig.open(2, 0)) {
      LogRig.append(log, 30);
    }
    assertThat(rig.readable(0)).isEqualTo(30);
  }

  @Test
  void laterRecord_saysThatMoreWasDurable_damageIsToldWithItsPlace() throws IOException {
    long end;
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 4);
      end = LogHeader.LENGTH_BYTES + log.partBytes();
      LogRig.append(log, 1);
      log.sync();
      LogRig.append(log, 2);
    }
    flip(0, end + 40);

    assertThatThrownBy(() -> rig.read(0))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageEndingWith(
            ": file=" + rig.file(0) + ", offset=" + end + ", durable=5, read up to=4");
  }

  @Test
  void watermark_saysThatMoreWasDurable_damageIsTold() throws IOException {
    long end;
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 4);
      end = LogHeader.LENGTH_BYTES + log.partBytes();
      LogRig.append(log, 1);
    }
    flip(0, end + 40);

    assertThat(rig.read(0, 4, LostCommits.REFUSE).last()).isEqualTo(4);
    assertThatThrownBy(() -> rig.read(0, 5, LostCommits.REFUSE))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageEndingWith(": folder=" + rig.folder() + ", durable=5, read up to=4");
  }

  @Test
  void file_endsBeforeTheNextBegins_damageIsTold() throws IOException {
    long end;
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 4);
      end = LogHeader.LENGTH_BYTES + log.partBytes();
      LogRig.append(log, 1);
      log.turn();
      LogRig.append(log, 3);
    }
    flip(0, end + 40);

    assertThatThrownBy(() -> rig.read(0))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageEndingWith(
            ": file=" + rig.file(0) + ", offset=" + end + ", durable=5, read up to=4");
    assertThat(rig.readable(5)).as("the store has it").isEqualTo(8);
  }

  @Test
  void file_isGone_damageIsTold() throws IOException {
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.append(log, 4);
      log.turn();
      LogRig.append(log, 3);
    }
    Files.delete(rig.file(0));

    assertThatThrownBy(() -> rig.read(3))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageEndingWith(
            ": file="
                + rig.file(1)
                + ", offset=0, durable=4, epoch=1, epoch before=0, read up to=3");
    assertThat(rig.readable(4)).as("the store has it").isEqualTo(7);
  }

  @Test
  void file_ofAnEarlierEpochBehindALaterOne_damageIsTold() throws IOException {
    try (FolderLog log = rig.open(5, 0)) {
      LogRig.append(log, 4);
    }
    Files.write(rig.file(1), new LogHeader(9, 4, 4, 1).encode());

    assertThat(rig.readable(0)).isEqualTo(DAMAGE);
  }

  @Test
  void damage_toBatchesThatTheStoreHas_doesNoHarm() throws IOException {
    long first;
    try (FolderLog log = rig.open(1, 0)) {
      LogRig.appendAndSync(log, 10);
      first = LogHeader.LENGTH_BYTES + 40;
    }
    flip(0, first);

    assertThat(rig.readable(0)).isEqualTo(DAMAGE);
    assertThat(rig.readable(1)).isEqualTo(10);
    assertThat(rig.readable(7)).isEqualTo(10);
    assertThat(rig.readable(10)).isEqualTo(10);
  }

  private void flip(int file, long offset) throws IOException {
    byte[] bytes = Files.readAllBytes(rig.file(file));
    bytes[(int) offset] ^= 1;
    Files.write(rig.file(file), bytes);
  }
}
