package io.millrace.model.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CopyReport;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.PageRequest;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.model.crash.Chains;
import io.millrace.model.crash.Transfers;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.ForwardingStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Backups of running engines, and what is restored from them. */
@Tag("thorough")
class EngineBackupTest {

  @TempDir Path parent;

  @ParameterizedTest
  @EnumSource(
      value = StoreKind.class,
      names = {"FAULTY", "LMDB", "ROCKSDB"})
  void backup_underLoad_restoresToEverythingAcknowledgedBefore(StoreKind kind) throws Exception {
    StorePlace origin = place(kind, "origin");
    Set<JobId> acknowledged = ConcurrentHashMap.newKeySet();
    AtomicBoolean isOver = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Set<JobId>> before = new ArrayList<>();
    try (JobEngine engine = open(origin)) {
      List<Future<?>> load = new ArrayList<>();
      load.add(threads.submit(() -> enqueue(engine.queue("kept"), acknowledged, isOver)));
      load.add(threads.submit(() -> enqueue(engine.queue("kept", "b"), acknowledged, isOver)));
      load.add(threads.submit(() -> enqueue(engine.queue("done"), new HashSet<>(), isOver)));
      load.add(threads.submit(() -> work(engine.queue("done"), isOver)));
      for (int i = 0; i < 3; i++) {
        int more = acknowledged.size() + 200;
        while (acknowledged.size() < more) {
          Thread.onSpinWait();
        }
        before.add(Set.copyOf(acknowledged));
        engine.backup(parent.resolve("backup" + i));
      }
      isOver.set(true);
      for (Future<?> each : load) {
        each.get();
      }
    } finally {
      isOver.set(true);
      threads.shutdown();
    }

    for (int i = 0; i < 3; i++) {
      StorePlace restored = at(origin, "restored" + i);
      Stores.restore(at(origin, "backup" + i), restored);
      try (JobEngine engine = open(restored)) {
        assertThat(engine.verify().problems()).isEmpty();
        for (JobId id : before.get(i)) {
          assertThat(engine.get(id)).as("job %s in backup %d", id, i).isPresent();
        }
        assertThat(engine.queue("kept").enqueue(new byte[1]).jobId()).isNotIn(acknowledged);
      }
    }
  }

  /** What was said to be done before a backup began. */
  private record Done(Set<String> transfers, Set<String> links, Set<JobId> woken) {

    static Done none() {
      return new Done(
          ConcurrentHashMap.newKeySet(),
          ConcurrentHashMap.newKeySet(),
          ConcurrentHashMap.newKeySet());
    }

    Done now() {
      return new Done(Set.copyOf(transfers), Set.copyOf(links), Set.copyOf(woken));
    }

    int count() {
      return Math.min(transfers.size(), Math.min(links.size(), woken.size()));
    }

    /** Whether each transaction is there whole or not at all, and each signal that was sent. */
    void assertIn(JobEngine engine) {
      assertThat(new Transfers(engine).flaws(transfers)).isEmpty();
      assertThat(new Chains(engine).flaws(links)).isEmpty();
      assertThat(engine.queue("waiters").peek(JobState.WAITING, PageRequest.first(1_000)).items())
          .extracting(Job::id)
          .doesNotContainAnyElementsOf(woken);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreKind.class,
      names = {"FAULTY", "LMDB", "ROCKSDB"})
  void backup_tablesTransactionsAndSignalsUnderLoad_restoresEachWhole(StoreKind kind)
      throws Exception {
    StorePlace origin = place(kind, "origin");
    Done done = Done.none();
    AtomicBoolean isOver = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(5);
    List<Done> before = new ArrayList<>();
    try (JobEngine engine = open(origin)) {
      Transfers transfers = new Transfers(engine);
      Chains chains = new Chains(engine);
      Random random = new Random(7);
      List<Future<?>> load = new ArrayList<>();
      load.add(until(isOver, threads, () -> transfers.issue(random)));
      for (String worker : List.of("w1", "w2")) {
        load.add(
            until(
                isOver,
                threads,
                () ->
                    transfers
                        .applyNext(worker)
                        .ifPresent(id -> done.transfers().add(id.toString()))));
      }
      load.add(until(isOver, threads, () -> chains.goOnOrBegin("w3").ifPresent(done.links()::add)));
      load.add(until(isOver, threads, () -> waitAndWake(engine, done.woken())));
      for (int i = 0; i < 2; i++) {
        int more = done.count() + 30;
        while (done.count() < more && load.stream().noneMatch(Future::isDone)) {
          Thread.onSpinWait();
        }
        before.add(done.now());
        engine.backup(parent.resolve("backup" + i));
      }
      isOver.set(true);
      for (Future<?> each : load) {
        each.get();
      }
    } finally {
      isOver.set(true);
      threads.shutdown();
    }

    for (int i = 0; i < before.size(); i++) {
      StorePlace restored = at(origin, "restored" + i);
      Stores.restore(at(origin, "backup" + i), restored);
      try (JobEngine engine = open(restored)) {
        before.get(i).assertIn(engine);
      }
    }
    StorePlace copy = at(origin, "copy");
    Stores.copy(origin, copy);
    try (JobEngine engine = open(copy)) {
      done.assertIn(engine);
    }
  }

  /** Does something again and again. */
  private static Future<?> until(AtomicBoolean isOver, ExecutorService threads, Runnable step) {
    return threads.submit(
        () -> {
          while (!isOver.get()) {
            step.run();
          }
        });
  }

  /** Has a new job wait for a signal and sends it; jobs that were woken are completed. */
  private static void waitAndWake(JobEngine engine, Set<JobId> woken) {
    JobQueue waiters = engine.queue("waiters");
    waiters.enqueue(new byte[1]);
    for (Lease lease : waiters.claim(ClaimOptions.by("w4").max(2))) {
      if (lease.wake().signal().isPresent()) {
        lease.complete().orThrow();
      } else {
        lease.waitFor("go").orThrow();
        engine.signal(lease.jobId(), "go", new byte[1]).orThrow();
        woken.add(lease.jobId());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreKind.class,
      names = {"FAULTY", "LMDB", "ROCKSDB"})
  void restore_sameBackupTwiceBesideItsOrigin_givesNoIdAndNoTokenTwice(StoreKind kind) {
    StorePlace origin = place(kind, "origin");
    try (JobEngine engine = open(origin)) {
      engine.queue("mail").enqueue("first".getBytes(UTF_8));
      engine.backup(parent.resolve("backup"));
    }
    StorePlace backup = at(origin, "backup");

    CopyReport first = Stores.restore(backup, at(origin, "first"));
    CopyReport second = Stores.restore(backup, at(origin, "second"));

    long step = OrderedStore.COPY_EPOCH_STEP;
    assertThat(first.epoch()).isGreaterThanOrEqualTo(1 + 2 * step);
    assertThat(second.epoch()).isEqualTo(first.epoch() + 2 * step);
    List<JobId> ids = new ArrayList<>();
    List<Long> tokens = new ArrayList<>();
    for (String name : List.of("origin", "first", "second", "backup", "first", "origin")) {
      try (JobEngine engine = open(at(origin, name))) {
        ids.add(engine.queue("mail").enqueue(new byte[1]).jobId());
        engine
            .queue("mail")
            .claim(ClaimOptions.by("w").max(2))
            .forEach(lease -> tokens.add(lease.token()));
      }
    }
    assertThat(ids).hasSize(6).doesNotHaveDuplicates();
    assertThat(tokens).hasSize(12).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreKind.class,
      names = {"FAULTY", "LMDB", "ROCKSDB"})
  void restore_leasedJobs_areReclaimedEvenInTheSameProcessAndTheAttemptCounts(StoreKind kind) {
    StorePlace origin = place(kind, "origin");
    JobId id;
    long token;
    try (JobEngine engine = open(origin)) {
      id = engine.queue("mail").enqueue("leased".getBytes(UTF_8)).jobId();
      Lease lease = engine.queue("mail").claim(ClaimOptions.by("w")).get(0);
      token = lease.token();
      engine.queue("other").enqueue(new byte[1]);
      engine.backup(parent.resolve("backup"));
    }

    Stores.restore(at(origin, "backup"), at(origin, "restored"));

    try (JobEngine engine = open(at(origin, "restored"))) {
      assertThat(engine.get(id).orElseThrow().state()).isEqualTo(JobState.READY);
      Lease again = engine.queue("mail").claim(ClaimOptions.by("w2")).get(0);
      assertThat(again.jobId()).isEqualTo(id);
      assertThat(again.attempt()).isEqualTo(2);
      assertThat(again.token()).isGreaterThan(token);
      assertThat(engine.verify().isClean()).isTrue();
    }
  }

  @Test
  void restore_leasedJobsWithLeasesHonoured_areLeasedUntilTheyEnd() {
    StorePlace origin = place(StoreKind.LMDB, "origin");
    JobId id;
    try (JobEngine engine = open(origin)) {
      id = engine.queue("mail").enqueue("leased".getBytes(UTF_8)).jobId();
      Dropped.result(engine.queue("mail").claim(ClaimOptions.by("w")));
      engine.queue("other").enqueue(new byte[1]);
      engine.backup(parent.resolve("backup"));
    }
    Stores.restore(at(origin, "backup"), at(origin, "restored"));
    EngineOptions honouring = EngineOptions.DEFAULT.leasesAtOpen(EngineOptions.LeasesAtOpen.HONOUR);

    try (JobEngine engine =
        JobEngine.open(origin.factory(), StoreOptions.of(parent.resolve("restored")), honouring)) {

      assertThat(engine.get(id).orElseThrow().state()).isEqualTo(JobState.LEASED);
      assertThat(engine.verify().isClean()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreKind.class,
      names = {"LMDB", "ROCKSDB"})
  void close_duringABackup_doesNotWaitForItAndFreesTheFolder(StoreKind kind) throws Exception {
    StorePlace origin = place(kind, "origin");
    Path folder = parent.resolve("backup");
    JobEngine engine = open(origin);
    for (int i = 0; i < 10; i++) {
      engine.queue("mail").enqueue(new byte[15 << 20]);
    }
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<?> backup = thread.submit(() -> engine.backup(folder));
    Path first = folder.resolve(kind == StoreKind.LMDB ? "data.mdb" : "");
    while (!Files.exists(first) && !backup.isDone()) {
      Thread.onSpinWait();
    }

    engine.close();

    boolean isWhole;
    try {
      backup.get();
      isWhole = true;
    } catch (ExecutionException e) {
      isWhole = false;
      assertThat(e)
          .cause()
          .isInstanceOf(EngineClosedException.class)
          .hasMessage("engine is closed; there is no backup");
      assertThat(folder).isEmptyDirectory();
    }
    thread.shutdown();
    // RocksDB's is made of links.
    assertThat(isWhole).isIn(false, kind == StoreKind.ROCKSDB);
    try (JobEngine again = open(origin)) {
      assertThat(again.queue("mail").stats().orElseThrow().count(JobState.READY)).isEqualTo(10);
    }
  }

  @Test
  void reopen_duringABackup_stopsItAndTheEngineGoesOn() throws Exception {
    AtomicBoolean isBroken = new AtomicBoolean();
    StorePlace origin = place(StoreKind.LMDB, "origin");
    StoreFactory breakable =
        ForwardingStore.factory(origin.factory(), store -> breakable(store, isBroken));
    Path folder = parent.resolve("backup");
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (JobEngine engine = JobEngine.open(breakable, origin.options(), EngineOptions.DEFAULT)) {
      for (int i = 0; i < 10; i++) {
        engine.queue("mail").enqueue(new byte[15 << 20]);
      }
      isBroken.set(true);
      assertThatThrownBy(() -> engine.queue("mail").enqueue(new byte[1]))
          .isInstanceOf(OutcomeUnknownException.class);
      isBroken.set(false);
      Future<?> backup = thread.submit(() -> engine.backup(folder));
      while (!Files.exists(folder.resolve("data.mdb")) && !backup.isDone()) {
        Thread.onSpinWait();
      }

      engine.reopen();

      assertThatThrownBy(backup::get)
          .cause()
          .isInstanceOf(EnginePoisonedException.class)
          .hasMessageEndingWith("there is no backup");
      assertThat(folder).isEmptyDirectory();
      engine.queue("mail").enqueue(new byte[1]);
      engine.backup(folder);
    } finally {
      thread.shutdown();
    }
    try (JobReader backup = JobEngine.inspect("lmdb:" + folder)) {
      assertThat(backup.verify().jobCount()).isEqualTo(11);
    }
  }

  /** A store whose writes fail while something is broken. */
  private static OrderedStore breakable(OrderedStore sound, AtomicBoolean isBroken) {
    return new ForwardingStore(sound) {
      @Override
      public void write(WriteBatch batch) {
        if (isBroken.get()) {
          throw new StoreFailedException("the disk broke");
        }
        store.write(batch);
      }
    };
  }

  @Test
  void backup_whereItCannotBe_saysWhyAndTheEngineGoesOn() throws IOException {
    Path full = Files.createDirectory(parent.resolve("full"));
    Files.writeString(full.resolve("mine"), "text");
    Path file = Files.writeString(parent.resolve("file"), "text");
    try (JobEngine engine = open(place(StoreKind.LMDB, "origin"))) {
      engine.queue("mail").enqueue(new byte[1]);

      assertThatThrownBy(() -> engine.backup(full))
          .isInstanceOf(StoreException.class)
          .hasMessage("folder for a copy is not empty: folder=" + full);
      assertThatThrownBy(() -> engine.backup(file))
          .isInstanceOf(StoreException.class)
          .hasMessage("folder for a copy is not a folder: folder=" + file);
      assertThatThrownBy(() -> engine.backup(parent.resolve("origin")))
          .isInstanceOf(StoreException.class)
          .hasMessage("folder for a copy is not empty: folder=" + parent.resolve("origin"));
      engine.backup(parent.resolve("deep/er/backup"));

      assertThat(full.resolve("mine")).hasContent("text");
      assertThat(engine.verify().isClean()).isTrue();
    }
    try (JobReader backup = JobEngine.inspect("lmdb:" + parent.resolve("deep/er/backup"))) {
      assertThat(backup.verify().jobCount()).isEqualTo(1);
    }
  }

  @Test
  void backup_ofMemory_saysThatThereIsNothingToBackUp() {
    JobEngine engine = JobEngine.open("memory:backup");
    try (engine) {
      assertThatThrownBy(() -> engine.backup(parent.resolve("backup")))
          .isInstanceOf(StoreException.class)
          .hasMessage(
              "a store in memory keeps nothing that could be backed up: folder="
                  + parent.resolve("backup"));
    }
    assertThatThrownBy(() -> engine.backup(parent.resolve("backup")))
        .isInstanceOf(EngineClosedException.class)
        .hasMessage("engine is closed; there is no backup");
  }

  @Test
  void restore_fromWhatIsNoBackup_isRefusedAndNothingIsMade() throws IOException {
    StorePlace origin = place(StoreKind.LMDB, "origin");
    open(origin).close();
    Path empty = Files.createDirectory(parent.resolve("empty"));

    assertThatThrownBy(() -> Stores.restore(at(origin, "empty"), at(origin, "to")))
        .isInstanceOf(StoreException.class)
        .hasMessage("there is no store in the folder: folder=" + empty);
    assertThatThrownBy(() -> Stores.restore(at(origin, "absent"), at(origin, "to")))
        .isInstanceOf(StoreException.class)
        .hasMessage("store folder does not exist: folder=" + parent.resolve("absent"));
    assertThatThrownBy(() -> Stores.restore(origin, origin)).isInstanceOf(StoreException.class);
    assertThat(parent.resolve("to")).doesNotExist();
    assertThat(empty).isEmptyDirectory();
  }

  private static void enqueue(JobQueue queue, Set<JobId> acknowledged, AtomicBoolean isOver) {
    for (int i = 0; !isOver.get(); i++) {
      acknowledged.add(queue.enqueue(new byte[i % 50 == 0 ? 5_000 : 50]).jobId());
    }
  }

  private static void work(JobQueue queue, AtomicBoolean isOver) {
    while (!isOver.get()) {
      queue.claim(ClaimOptions.by("w").max(5)).forEach(lease -> lease.complete().orThrow());
    }
  }

  private static JobEngine open(StorePlace place) {
    return JobEngine.open(place.factory(), place.options(), EngineOptions.DEFAULT);
  }

  private StorePlace place(StoreKind kind, String name) {
    return new StorePlace(kind.newFactory(), StoreOptions.of(parent.resolve(name)));
  }

  private StorePlace at(StorePlace besides, String name) {
    return new StorePlace(besides.factory(), StoreOptions.of(parent.resolve(name)));
  }
}
