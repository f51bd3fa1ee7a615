package io.millrace.model.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.MillraceException;
import io.millrace.api.EngineHealth;
import io.millrace.api.JobId;
import io.millrace.engine.JobEngine;
import io.millrace.engine.Stores;
import io.millrace.model.rig.StoreLocation;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store has one owner, whoever else tries and however. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("thorough")
class OwnersTest {

  /** What an owner answers that has found out that it is none any more. */
  private static final String[] REFUSALS = {"EnginePoisonedException", "NotOwnerException"};

  private static final int RACER_COUNT = 8;
  private static final long RACE_AHEAD_MS = 30;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void open_ownerIsAStoppedProcess_isRefusedByEveryWayWithItsPid(String scheme) throws IOException {
    Path alias = Files.createSymbolicLink(folder.resolve("alias"), folder.resolve("store"));
    String location = StoreLocation.of(scheme, store());
    try (Owner owner = Owner.start()) {
      assertThat(owner.ask("open " + location)).startsWith("opened ");
      JobId before = JobId.parse(owner.ask("enqueue"));
      owner.signal("STOP");

      List<ThrowingCallable> ways =
          List.of(
              () -> JobEngine.open(location),
              () -> JobEngine.open(scheme + ":" + alias),
              () -> JobEngine.open(scheme + ":" + store().resolve("../store/.")),
              () -> JobEngine.inspect(location),
              () -> Stores.copy(location, scheme + ":" + folder.resolve("copy")),
              () -> Stores.repair(scheme + ":" + alias, "memory:x", finding -> {}));
      assertThat(ways)
          .allSatisfy(
              way ->
                  assertThatThrownBy(way)
                      .isInstanceOf(StoreLockedException.class)
                      .hasMessageContaining("pid=" + owner.pid()));

      owner.signal("CONT");
      JobId after = JobId.parse(owner.ask("enqueue"));
      owner.kill();
      try (JobEngine engine = JobEngine.open(scheme + ":" + alias)) {
        assertThat(engine.get(before)).isPresent();
        assertThat(engine.get(after)).isPresent();
        assertThatThrownBy(() -> JobEngine.open(location))
            .isInstanceOf(StoreLockedException.class)
            .hasMessageContaining("in this process")
            .hasMessageContaining("pid=" + ProcessHandle.current().pid());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void open_folderWasCopiedWithTheLockOfAnOwner_isAStoreOfItsOwn(String scheme) throws IOException {
    try (Owner owner = Owner.start()) {
      assertThat(owner.ask("open " + scheme + ":" + store())).startsWith("opened ");
      owner.ask("enqueue");
      owner.signal("STOP");
      String copy = new Specimen(scheme, store(), store()).copyTo(folder.resolve("copy"));

      try (JobEngine engine = JobEngine.open(copy)) {
        assertThat(engine.verify().isClean()).isTrue();
        engine.queue("mail").enqueue(new byte[1]);
      }

      owner.signal("CONT");
      assertThat(owner.ask("enqueue")).doesNotContain("failed");
      assertThat(owner.ask("close")).isEqualTo("closed");
    }
  }

  /** POSIX drops the locks of a process on a file of which it closes any descriptor. */
  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void open_ownerHasReadAllFilesOfItsFolder_isRefusedByEveryWayAndTheOwnerGoesOn(String scheme)
      throws IOException {
    String location = StoreLocation.of(scheme, store());
    try (Owner owner = Owner.start()) {
      assertThat(owner.ask("open " + location)).startsWith("opened ");
      List<JobId> acknowledged = new ArrayList<>();
      List<ThrowingCallable> ways =
          List.of(
              () -> JobEngine.open(location),
              () -> JobEngine.inspect(location),
              () -> Stores.copy(location, scheme + ":" + folder.resolve("copy")));
      for (ThrowingCallable way : ways) {
        acknowledged.add(JobId.parse(owner.ask("enqueue")));
        assertThat(owner.ask("read " + store())).isEqualTo("read");

        assertThatThrownBy(way)
            .isInstanceOf(StoreLockedException.class)
            .hasMessageContaining("pid=" + owner.pid());
      }
      assertThat(owner.ask("read " + store())).isEqualTo("read");
      owner.signal("STOP");
      assertThatThrownBy(() -> JobEngine.open(location)).isInstanceOf(StoreLockedException.class);
      owner.signal("CONT");
      acknowledged.add(JobId.parse(owner.ask("enqueue")));

      assertThat(owner.ask("read " + store())).isEqualTo("read");
      owner.kill();
      assertAllThere(location, acknowledged);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void open_lockFileWasRemovedAndTheOwnerLives_isRefusedByNameAndTheOwnerStops(String scheme)
      throws IOException {
    String location = StoreLocation.of(scheme, store());
    try (Owner owner = Owner.start()) {
      assertThat(owner.ask("open " + location)).startsWith("opened ");
      JobId before = JobId.parse(owner.ask("enqueue"));
      Files.delete(store().resolve("LOCK"));

      assertThatThrownBy(() -> JobEngine.open(location))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("pid=" + owner.pid());
      List<JobId> acknowledged = enqueueUntilRefused(owner);
      acknowledged.add(before);

      assertThat(owner.ask("close")).isEqualTo("closed");
      assertAllThere(location, acknowledged);
    }
  }

  /** LMDB lets several processes in, but each batch looks whether another was before it. */
  @ParameterizedTest
  @ValueSource(strings = {"lmdb?log=none"})
  void write_ownerIsNamedNowhereAndAnotherIsIn_firstIsFencedAndNothingIsLost(String scheme)
      throws IOException {
    String location = StoreLocation.of(scheme, store());
    try (Owner first = Owner.start()) {
      assertThat(first.ask("open " + location)).startsWith("opened ");
      JobId acknowledged = JobId.parse(first.ask("enqueue"));
      disown();

      try (JobEngine second = JobEngine.open(location)) {
        assertThat(first.ask("enqueue")).startsWith("failed");
        second.queue("mail").enqueue(new byte[1]);
        assertThat(first.ask("enqueue")).containsAnyOf(REFUSALS);
        assertThat(first.ask("close")).isEqualTo("closed");

        assertThat(second.get(acknowledged)).isPresent();
        assertThat(second.verify().isClean()).isTrue();
      }
    }
  }

  /** To make the file shorter would kill a process that has it mapped. */
  @ParameterizedTest
  @ValueSource(strings = {"lmdb?log=none"})
  void close_ownerIsNamedNowhereAndAnotherIsIn_leavesTheFilesToTheOther(String scheme)
      throws IOException {
    String location = StoreLocation.of(scheme, store());
    Path data = store().resolve("data.mdb");
    try (Owner first = Owner.start()) {
      assertThat(first.ask("open " + location)).startsWith("opened ");
      JobId acknowledged = JobId.parse(first.ask("enqueue"));
      disown();

      try (JobEngine second = JobEngine.open(location)) {
        long length = Files.size(data);
        byte[] watermark = Files.readAllBytes(store().resolve("WATERMARK"));
        first.ask("close");

        assertThat(Files.size(data)).isEqualTo(length);
        assertThat(store().resolve("WATERMARK")).hasBinaryContent(watermark);
        second.queue("mail").enqueue(new byte[1]);
        assertThat(second.get(acknowledged)).isPresent();
        assertThat(second.verify().isClean()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void open_ownerIsNamedNowhere_otherLockRefusesAndTheOwnerStops(String scheme) throws IOException {
    String location = StoreLocation.of(scheme, store());
    try (Owner first = Owner.start()) {
      assertThat(first.ask("open " + location)).startsWith("opened ");
      JobId before = JobId.parse(first.ask("enqueue"));
      disown();

      assertThatThrownBy(() -> JobEngine.open(location))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("LOCK");
      List<JobId> acknowledged = enqueueUntilRefused(first);
      acknowledged.add(before);

      assertThat(first.ask("close")).isEqualTo("closed");
      assertAllThere(location, acknowledged);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void write_folderIsMovedWhileOpen_ownerStopsAndNothingIsLost(String scheme) throws IOException {
    String location = StoreLocation.of(scheme, store());
    Path moved = folder.resolve("moved");
    try (Owner owner = Owner.start()) {
      assertThat(owner.ask("open " + location)).startsWith("opened ");
      JobId before = JobId.parse(owner.ask("enqueue"));
      Files.move(store(), moved);

      assertThatThrownBy(() -> JobEngine.open(scheme + ":" + moved))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("pid=" + owner.pid());
      try (JobEngine fresh = JobEngine.open(location)) {
        assertThat(fresh.get(before)).isEmpty();
        List<JobId> acknowledged = enqueueUntilRefused(owner);
        acknowledged.add(before);
        assertThat(owner.ask("close")).isEqualTo("closed");

        assertAllThere(scheme + ":" + moved, acknowledged);
        assertThat(fresh.health().status()).isEqualTo(EngineHealth.Status.UP);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void open_byEightProcessesAtOnce_exactlyOneGetsIt(String scheme) throws IOException {
    int rounds = Trials.count("races", 2, 7, 200);
    List<Owner> racers = new ArrayList<>();
    try {
      for (int i = 0; i < RACER_COUNT; i++) {
        racers.add(Owner.start());
      }
      for (int round = 0; round < rounds; round++) {
        race(racers, scheme + ":" + store());
      }
    } finally {
      racers.forEach(Owner::kill);
    }
    Trials.report(
        getClass(),
        scheme + ", " + rounds + " races of " + RACER_COUNT + " processes, owners in each 1");
  }

  /** One of them gets it and is then told to close it, or is killed and replaced. */
  private static void race(List<Owner> racers, String location) throws IOException {
    long instant = System.currentTimeMillis() + RACE_AHEAD_MS;
    for (Owner racer : racers) {
      racer.tell("race " + instant + " " + location);
    }
    List<Owner> winners = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    for (Owner racer : racers) {
      String answer = racer.answer();
      answers.add(answer);
      if (answer.startsWith("opened ")) {
        winners.add(racer);
      }
    }
    assertThat(winners).as("answers %s", answers).hasSize(1);
    Owner winner = winners.get(0);
    answers.removeIf(answer -> answer.startsWith("opened "));
    assertThat(answers).hasSize(RACER_COUNT - 1).containsOnly("locked " + winner.pid());
    assertThat(winner.ask("close")).isEqualTo("closed");
  }

  /**
   * Answers what is stored until the owner finds out that it must not go on: none, if it found out
   * by itself before it was asked.
   */
  private static List<JobId> enqueueUntilRefused(Owner owner) throws IOException {
    List<JobId> acknowledged = new ArrayList<>();
    String answer = owner.ask("enqueue");
    while (!answer.startsWith("failed")) {
      acknowledged.add(JobId.parse(answer));
      answer = owner.ask("enqueue");
    }
    assertThat(owner.ask("enqueue")).containsAnyOf(REFUSALS);
    return acknowledged;
  }

  private static void assertAllThere(String location, List<JobId> acknowledged) {
    try (JobEngine engine = JobEngine.open(location)) {
      assertThat(acknowledged).isNotEmpty().allMatch(id -> engine.get(id).isPresent());
      assertThat(engine.verify().isClean()).isTrue();
    } catch (MillraceException e) {
      throw new AssertionError("the store is not sound", e);
    }
  }

  /** Removes all that says who owns the store. */
  private void disown() throws IOException {
    Files.delete(store().resolve("LOCK"));
    Files.delete(store().resolve("OWNER"));
  }

  private Path store() {
    return folder.resolve("store");
  }
}
