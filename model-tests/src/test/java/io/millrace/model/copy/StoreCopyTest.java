package io.millrace.model.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CopyReport;
import io.millrace.api.CorruptDataException;
import io.millrace.api.CorruptRow;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.internal.format.SlotKeys;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies of whole stores, of every kind into every kind. */
@Tag("slow")
class StoreCopyTest {

  private static final byte[] FIRST_KEY = {0};

  @TempDir Path parent;

  @ParameterizedTest
  @EnumSource(
      value = StoreKind.class,
      names = {"FAULTY", "LMDB", "ROCKSDB"})
  void copy_intoEveryKind_isTheSameJobsUnderAnIdentityOfItsOwn(StoreKind kind) {
    StorePlace from = place(kind, "from");
    List<String> jobs = fill(from);
    for (StoreKind targetKind : EnumSet.allOf(StoreKind.class)) {
      // One simulated machine gives its stores different ids; two of one seed give the same.
      StorePlace to =
          targetKind == kind
              ? place(kind, "to-" + kind, from)
              : place(targetKind, "to-" + targetKind);

      CopyReport report = Stores.copy(from, to);

      assertThat(report.leftOutCount()).isZero();
      assertThat(report.storeId()).isNotEqualTo(idOf(from));
      assertThat(report.epoch()).isEqualTo(epochOf(from) + OrderedStore.COPY_EPOCH_STEP);
      assertThat(report.rowCount()).isEqualTo(rows(from).size());
      try (JobEngine engine = JobEngine.open(to.factory(), to.options(), EngineOptions.DEFAULT)) {
        assertThat(engine.verify().isClean()).isTrue();
        assertThat(all(engine)).isEqualTo(jobs);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreKind.class,
      names = {"FAULTY", "ROCKSDB"})
  void copy_ofACopyBack_hasTheSameRows(StoreKind throughKind) {
    StorePlace from = place(StoreKind.LMDB, "from");
    fill(from);
    StorePlace through = place(throughKind, "through");
    StorePlace back = place(StoreKind.LMDB, "back");

    Stores.copy(from, through);
    CopyReport report = Stores.copy(through, back);

    assertThat(fingerprints(back)).isEqualTo(fingerprints(from));
    assertThat(report.epoch()).isEqualTo(epochOf(from) + 2 * OrderedStore.COPY_EPOCH_STEP);
  }

  @Test
  void copy_idsAndTokensAfterwards_areGivenByNeitherSideTwice() {
    StorePlace from = place(StoreKind.FAULTY, "from");
    fill(from);
    StorePlace to = place(StoreKind.FAULTY, "to", from);
    Stores.copy(from, to);

    List<Long> given = new ArrayList<>();
    List<JobId> ids = new ArrayList<>();
    for (StorePlace place : List.of(from, to, from, to)) {
      try (JobEngine engine = open(place)) {
        JobQueue queue = engine.queue("new");
        ids.add(queue.enqueue("a".getBytes(UTF_8)).jobId());
        ids.add(queue.enqueue("b".getBytes(UTF_8)).jobId());
        queue.claim(ClaimOptions.by("w").max(2)).forEach(lease -> given.add(lease.token()));
      }
    }

    assertThat(ids).hasSize(8).doesNotHaveDuplicates();
    assertThat(given).hasSize(8).doesNotHaveDuplicates();
  }

  @Test
  void copy_cutOffAtAnyWrite_isRefusedAtOpenAndCanBeMadeAgain() {
    FaultyStore machine = new FaultyStore(5);
    StorePlace from = new StorePlace(machine, StoreOptions.of(parent.resolve("from")));
    List<String> jobs = fill(from);
    int cutCount = 0;
    for (long write = 0; write < 40; write++) {
      StorePlace to = new StorePlace(machine, StoreOptions.of(parent.resolve("to" + write)));
      machine.plan(cutAt(machine.callCount(StoreCall.WRITE) + write));
      boolean isCut = isCutOff(from, to);
      machine.plan(FaultPlan.none());
      machine.crash();
      if (!isCut) {
        break;
      }
      cutCount++;
      if (write > 0) {
        assertUnfinished(to);
      }

      Stores.copy(from, to);

      try (JobEngine engine = open(to)) {
        assertThat(engine.verify().isClean()).isTrue();
        assertThat(all(engine)).isEqualTo(jobs);
      }
    }
    assertThat(cutCount).as("writes of a copy").isGreaterThanOrEqualTo(4);
  }

  @Test
  void copy_damagedRow_stopsOrLeavesItOut() {
    FaultyStore machine = new FaultyStore(5);
    StorePlace from = new StorePlace(machine, StoreOptions.of(parent.resolve("from")));
    fill(from);
    byte[] damaged =
        rows(from).keySet().stream().filter(key -> key[0] == 0x15).findFirst().orElseThrow();
    byte[] value = rows(from).get(damaged);
    machine.flipBit(parent.resolve("from"), damaged, 8 * (value.length - 1));
    StorePlace to = new StorePlace(machine, StoreOptions.of(parent.resolve("to")));

    assertThatThrownBy(() -> Stores.copy(from, to))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageStartingWith("stored row is corrupt: keyspace=READY, key=")
        .hasMessageEndingWith(
            "reason=checksum does not match;"
                + " repair the store, or copy it without its damaged rows");
    assertUnfinished(to);
    List<CorruptRow> leftOut = new ArrayList<>();
    CopyReport report = Stores.copy(from, to, leftOut::add);

    assertThat(report.leftOutCount()).isEqualTo(1);
    assertThat(leftOut).hasSize(1);
    assertThat(leftOut.get(0).keyspace()).isEqualTo("READY");
    assertThat(leftOut.get(0).key()).isEqualTo(damaged);
    assertThat(leftOut.get(0).value()).isEqualTo(rows(from).get(damaged));
    assertThat(rows(to)).hasSize(rows(from).size() - 1);
  }

  /** Without the row, nobody would have the key. */
  @Test
  void copy_damagedCountsOfAConcurrencyKey_areCountedAnewInTheCopy() {
    FaultyStore machine = new FaultyStore(5);
    StorePlace from = new StorePlace(machine, StoreOptions.of(parent.resolve("from")));
    try (JobEngine engine = open(from)) {
      List.of("a", "b").forEach(key -> enqueue(engine, key));
    }
    byte[] slot = SlotKeys.key(1, "a".getBytes(UTF_8));
    machine.flipBit(parent.resolve("from"), slot, 8 * (rows(from).get(slot).length - 1));
    StorePlace to = new StorePlace(machine, StoreOptions.of(parent.resolve("to")));
    List<CorruptRow> damaged = new ArrayList<>();

    Stores.copy(from, to, damaged::add);

    assertThat(damaged).extracting(CorruptRow::keyspace).containsExactly("SLOT");
    try (JobEngine engine = open(to)) {
      List.of("a", "c").forEach(key -> enqueue(engine, key));
      assertThat(engine.queue("mail").stats().orElseThrow().count(JobState.READY)).isEqualTo(3);
      assertThat(engine.queue("mail").stats().orElseThrow().count(JobState.BLOCKED)).isEqualTo(1);
      assertThat(engine.verify().problems()).isEmpty();
    }
  }

  private static void enqueue(JobEngine engine, String concurrencyKey) {
    EnqueueOptions keyed = EnqueueOptions.DEFAULT.concurrencyKey(concurrencyKey);
    engine.queue("mail").enqueue(concurrencyKey.getBytes(UTF_8), keyed);
  }

  @Test
  void copy_ontoWhatMustNotBeTouched_isRefusedAndNothingChanges() {
    StorePlace from = place(StoreKind.LMDB, "from");
    StorePlace other = place(StoreKind.LMDB, "other");
    fill(from);
    fill(other);
    long epoch = epochOf(other);
    StorePlace absent = place(StoreKind.LMDB, "absent");

    assertThatThrownBy(() -> Stores.copy(from, other))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("store to copy into is not empty; name an empty or absent one:");
    assertThatThrownBy(() -> Stores.copy(from, from)).isInstanceOf(StoreLockedException.class);
    assertThatThrownBy(() -> Stores.copy(absent, place(StoreKind.LMDB, "to")))
        .isInstanceOf(StoreException.class)
        .hasMessage("store folder does not exist: folder=" + parent.resolve("absent"));
    assertThatThrownBy(
            () -> Stores.copy("memory:" + parent.resolve("m"), "lmdb:" + parent.resolve("to")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a store in memory begins empty");
    assertThat(epochOf(other)).isEqualTo(epoch);
  }

  @Test
  void copy_storeHeldByAnEngine_isRefused() {
    StorePlace from = place(StoreKind.LMDB, "from");

    try (JobEngine engine = open(from)) {
      engine.queue("mail").enqueue("held".getBytes(UTF_8));
      assertThatThrownBy(() -> Stores.copy(from, place(StoreKind.LMDB, "to")))
          .isInstanceOf(StoreLockedException.class);
    }
  }

  @Test
  void copy_targetFull_saysSoAndLeavesAnUnfinishedCopy() {
    StorePlace from = place(StoreKind.LMDB, "from");
    fill(from);
    StorePlace to = place(StoreKind.LMDB, "to");
    StorePlace small =
        new StorePlace(
            to.factory(), to.options().storeBytesMax(StoreOptions.STORE_BYTES_MAX_LEAST));

    assertThatThrownBy(() -> Stores.copy(from, small)).isInstanceOf(StoreFullException.class);
    assertUnfinished(to);
    Stores.copy(from, to);

    assertThat(fingerprints(to)).isEqualTo(fingerprints(from));
  }

  @Test
  void copy_emptyStore_isAnEmptyStore() {
    StorePlace from = place(StoreKind.LMDB, "from");
    from.factory().open(from.options()).close();
    StorePlace to = place(StoreKind.LMDB, "to");

    CopyReport report = Stores.copy(from, to);

    assertThat(report.rowCount()).isZero();
    assertThat(rows(to)).isEmpty();
    try (JobEngine engine = open(to)) {
      assertThat(engine.verify().isClean()).isTrue();
    }
  }

  /** Lets the write happen or not, by the seed, and everything after it fail. */
  private static FaultPlan cutAt(long index) {
    return (call, at) ->
        call == StoreCall.WRITE && at >= index
            ? at == index ? Fault.UNKNOWN : Fault.BEFORE
            : Fault.NONE;
  }

  private static boolean isCutOff(StorePlace from, StorePlace to) {
    try {
      Stores.copy(from, to);
      return false;
    } catch (StoreFailedException e) {
      return true;
    }
  }

  static void assertUnfinished(StorePlace place) {
    assertThatThrownBy(() -> open(place))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessage(
            "store is a copy that was not finished; make the copy again, into the same place or"
                + " another");
    assertThatThrownBy(() -> JobEngine.inspect(place.factory(), place.options()))
        .isInstanceOf(StoreCorruptException.class)
        .hasMessageContaining("not finished");
    assertThatThrownBy(() -> Stores.copy(place, place)).isInstanceOf(StoreCorruptException.class);
  }

  /** Jobs in every state that a clean stop leaves, with payloads of all sizes. */
  private static List<String> fill(StorePlace place) {
    try (JobEngine engine = open(place)) {
      for (int i = 0; i < 40; i++) {
        JobQueue queue = engine.queue("queue" + i % 3, i % 2 == 0 ? "" : "tenant");
        byte[] payload = new byte[i % 10 == 0 ? 600_000 : 100 * i];
        Arrays.fill(payload, (byte) i);
        queue.enqueue(
            payload, EnqueueOptions.DEFAULT.priority(i % 4).headers(Map.of("n", "v" + i)));
        queue.enqueue(payload, EnqueueOptions.DEFAULT.delay(Duration.ofDays(1 + i)));
      }
      for (Lease lease : engine.queue("queue1", "tenant").claim(ClaimOptions.by("w").max(4))) {
        lease.fail("no luck", FailOptions.PERMANENT).orThrow();
      }
      for (Lease lease : engine.queue("queue0").claim(ClaimOptions.by("w").max(2))) {
        lease.fail("later", FailOptions.RETRY.delay(Duration.ofMinutes(5))).orThrow();
      }
      return all(engine);
    }
  }

  static List<String> all(JobReader reader) {
    List<String> jobs = new ArrayList<>();
    for (var queue : reader.queues(PageRequest.first(1_000)).items()) {
      for (JobState state : JobState.values()) {
        reader.peek(queue, state, PageRequest.first(1_000)).items().stream()
            .map(StoreCopyTest::line)
            .forEach(jobs::add);
      }
    }
    return jobs;
  }

  private static String line(Job job) {
    return String.join(
        " ",
        job.id().toString(),
        job.queue().toString(),
        job.state().toString(),
        job.priority() + "/" + job.attempts() + "/" + job.maxAttempts(),
        job.payload().length + ":" + Arrays.hashCode(job.payload()),
        job.headers().toString(),
        job.enqueuedAt()
            + " "
            + job.visibleAt().isPresent()
            + " "
            + job.diedAt()
            + " "
            + job.lastError());
  }

  static JobEngine open(StorePlace place) {
    return JobEngine.open(place.factory(), place.options(), EngineOptions.DEFAULT);
  }

  private StorePlace place(StoreKind kind, String name) {
    return new StorePlace(kind.newFactory(), StoreOptions.of(parent.resolve(name)));
  }

  private StorePlace place(StoreKind kind, String name, StorePlace onMachineOf) {
    assertThat(onMachineOf.factory().scheme()).isEqualTo(kind.newFactory().scheme());
    return new StorePlace(onMachineOf.factory(), StoreOptions.of(parent.resolve(name)));
  }

  static long epochOf(StorePlace place) {
    try (OrderedStore store = openReadOnly(place)) {
      return store.epoch();
    }
  }

  private static String idOf(StorePlace place) {
    try (OrderedStore store = openReadOnly(place)) {
      return store.info().storeId();
    }
  }

  /** All rows, short enough to be told when they differ. */
  static List<String> fingerprints(StorePlace place) {
    return rows(place).entrySet().stream()
        .map(
            row ->
                HexFormat.of().formatHex(row.getKey())
                    + "="
                    + row.getValue().length
                    + ":"
                    + Arrays.hashCode(row.getValue()))
        .toList();
  }

  static Map<byte[], byte[]> rows(StorePlace place) {
    Map<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    try (OrderedStore store = openReadOnly(place);
        ReadView view = store.read()) {
      byte[] end = new byte[600];
      Arrays.fill(end, (byte) 0xff);
      view.scan(
          FIRST_KEY,
          end,
          Integer.MAX_VALUE,
          (key, value) -> {
            rows.put(key, value);
            return true;
          });
    }
    return rows;
  }

  private static OrderedStore openReadOnly(StorePlace place) {
    return place.factory().open(place.options().access(StoreOptions.Access.READ_ONLY));
  }
}
