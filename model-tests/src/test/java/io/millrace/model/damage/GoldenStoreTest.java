package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobQueue;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.model.damage.GoldenStore.Content;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.FormatVersionException;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stores that older versions left behind are opened by this one, to the last fact in them.
 *
 * <p>What is expected lies beside them as text and was written when they were made ({@link
 * GoldenMaking}). A difference is an error of today's version, never a reason to make them again.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("slow")
class GoldenStoreTest extends GoldenTest {

  private static final List<QueueName> QUEUES =
      List.of(
          GoldenJobs.MAIL,
          GoldenJobs.ACME,
          GoldenJobs.HOSTILE,
          GoldenJobs.DRAINING,
          GoldenJobs.EMPTY);

  /** What is left of queues without jobs, and of a damaged row. */
  private static final Set<Keyspace> OF_QUEUES =
      EnumSet.of(
          Keyspace.META,
          Keyspace.QUEUE,
          Keyspace.QUEUE_NAME,
          Keyspace.COUNTERS,
          Keyspace.AGENDA,
          Keyspace.QUARANTINE);

  private static final long HOUR_MS = Duration.ofHours(1).toMillis();

  /** When the last delayed job has long been visible. */
  private static final int HOURS_OF_WORK = 8;

  /** Longer than any result is kept. */
  private static final Duration RETENTION_OVER = Duration.ofDays(21);

  static List<GoldenStore> stores() {
    return GoldenStore.all().toList();
  }

  static List<GoldenStore> storesOfJobs() {
    return GoldenStore.of(Content.JOBS).toList();
  }

  @ParameterizedTest
  @MethodSource("stores")
  void open_storeOfAnOlderVersion_holdsAllThatIsWrittenOfIt(GoldenStore golden) throws IOException {
    GoldenReading reading = reading(golden);

    List<String> whole = reading.whole();
    List<String> again = reading.opened();

    assertThat(whole).containsExactlyElementsOf(golden.view());
    assertThat(again).isEqualTo(whole.subList(whole.size() - again.size(), whole.size()));
  }

  @ParameterizedTest
  @MethodSource("storesOfJobs")
  void work_storeOfAnOlderVersion_endsEveryJobAndLeavesNoRow(GoldenStore golden)
      throws IOException {
    GoldenReading reading = reading(golden);

    List<String> worked = new ArrayList<>();
    try (JobEngine engine = reading.open()) {
      JobQueue paused = engine.queue(GoldenJobs.HOSTILE);
      assertThat(paused.claim(ClaimOptions.by("today"))).isEmpty();
      paused.resume();
      assertThat(engine.queue(GoldenJobs.DRAINING).offer(new byte[1], EnqueueOptions.DEFAULT))
          .isInstanceOf(EnqueueResult.Draining.class);
      for (int hour = 0; hour < HOURS_OF_WORK; hour++) {
        worked.addAll(completeAll(engine, QUEUES));
        reading.clock().advanceMs(HOUR_MS);
      }
      engine.queue(GoldenJobs.MAIL).deadLetters().redriveAll(DeadFilter.ALL);
      worked.addAll(completeAll(engine, QUEUES));
      reading.clock().advanceMs(RETENTION_OVER.toMillis());
      reading.clock().awaitSleeper();
      assertThat(engine.verify().problems()).isEmpty();
      QUEUES.forEach(queue -> assertEmpty(engine.queue(queue)));
    }

    assertThat(worked).containsExactlyInAnyOrderElementsOf(golden.unfinished());
    assertNothingLeftBut(OF_QUEUES, reading);
    assertThat(reading.rows(Keyspace.QUEUE_NAME)).hasSize(QUEUES.size());
    assertThat(reading.rows(Keyspace.QUARANTINE).values())
        .singleElement()
        .satisfies(row -> assertThat(new String(row, UTF_8)).contains("rotten|"));
  }

  @ParameterizedTest
  @MethodSource("stores")
  void copy_storeOfAnOlderVersion_isTheSameInEveryKindOfStore(GoldenStore golden)
      throws IOException {
    GoldenReading reading = reading(golden);
    List<String> inspected = reading.inspected();

    StorePlace lmdb = StorePlace.of("lmdb:" + folder.resolve("lmdb"));
    StorePlace rocksdb = StorePlace.of("rocksdb:" + folder.resolve("rocksdb"));
    Stores.copy(reading.place(), lmdb);
    Stores.copy(reading.place(), rocksdb);
    StorePlace memory =
        new StorePlace(StoreKind.MEMORY.newFactory(), StoreOptions.of(folder.resolve("memory")));
    Stores.copy(reading.place(), memory);

    for (StorePlace copy : List.of(lmdb, rocksdb, memory)) {
      assertThat(new GoldenReading(copy).inspected()).isEqualTo(inspected);
    }
    assertThat(reading.inspected()).isEqualTo(inspected);
  }

  @ParameterizedTest
  @MethodSource("stores")
  void open_storeOfANewerFormat_isRefusedByEveryWayAndNothingIsTouched(GoldenStore golden)
      throws IOException {
    StorePlace place = golden.unpack(store());
    Path header = store().resolve("MILLRACE");
    String newer = Files.readString(header).replace("format=" + golden.format(), "format=9");
    String text = newer.substring(0, newer.lastIndexOf("crc="));
    Files.writeString(header, text + "crc=" + checksum(text) + "\n");
    Map<String, Integer> before = files();

    for (ThrowingCallable way : ways(new GoldenReading(place))) {
      assertThatThrownBy(way)
          .isInstanceOf(FormatVersionException.class)
          .hasMessage(
              "store was written by a newer version, upgrade to open it: folder="
                  + store()
                  + ", format=9, newest known="
                  + GoldenStore.FORMAT_MAX);
    }

    assertThat(files()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("stores")
  void open_rowsOfANewerFormat_isRefusedByEveryWayAndNoRowIsTouched(GoldenStore golden)
      throws IOException {
    StorePlace place = golden.unpack(store());
    try (OrderedStore held = place.factory().open(place.options())) {
      WriteBatch batch = new WriteBatch(held.lastCommit() + 1);
      batch.put(MetaKeys.FORMAT, new MetaRecords.Format(3, 3).encode());
      held.write(batch);
    }
    GoldenReading reading = new GoldenReading(place);
    List<Map<ByteBuffer, byte[]>> before = allRows(reading);

    for (ThrowingCallable way : ways(reading)) {
      assertThatThrownBy(way)
          .isInstanceOf(FormatVersionException.class)
          .hasMessageMatching( // 1 for who reads, 2 for who writes
              "store was written by a newer version of Millrace: format=3, newest known=[12];"
                  + " upgrade this program");
    }

    assertThat(allRows(reading)).usingRecursiveComparison().isEqualTo(before);
  }

  /** All that opens a store. */
  private List<ThrowingCallable> ways(GoldenReading reading) {
    return List.of(
        reading::open,
        reading::inspected,
        () -> Stores.copy(reading.place(), StorePlace.of("lmdb:" + folder.resolve("copy"))),
        () ->
            Stores.repair(
                reading.place(),
                StorePlace.of("lmdb:" + folder.resolve("repaired")),
                finding -> {}));
  }

  private static void assertEmpty(JobQueue queue) {
    assertThat(queue.stats().orElseThrow().counts().values()).containsOnly(0L);
  }

  private static List<Map<ByteBuffer, byte[]>> allRows(GoldenReading reading) {
    return Arrays.stream(Keyspace.values()).map(reading::rows).toList();
  }

  /** Fingerprints of all files but of LOCK and OWNER, which say who tried. */
  private Map<String, Integer> files() throws IOException {
    Map<String, Integer> files = new TreeMap<>();
    for (Path file : Specimen.files(store())) {
      if (!file.endsWith("LOCK") && !file.endsWith("OWNER")) {
        files.put(file.toString(), Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return files;
  }

  private static String checksum(String text) {
    CRC32C checksum = new CRC32C();
    checksum.update(text.getBytes(UTF_8));
    return HexFormat.of().toHexDigits((int) checksum.getValue());
  }
}
