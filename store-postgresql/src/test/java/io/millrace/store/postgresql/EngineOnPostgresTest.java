package io.millrace.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.NotOwnerException;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.OwnerName;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** The unchanged engine on a store that several hosts share. */
@Tag("slow")
@Timeout(60)
class EngineOnPostgresTest {

  private static final QueueName MAIL = QueueName.of("mail");

  private final PostgresPlace place = new PostgresPlace();
  private final List<JobEngine> opened = new ArrayList<>();

  @AfterEach
  void close() {
    for (JobEngine engine : opened) {
      try {
        engine.close();
      } catch (MillraceException e) {
        // One that was cut off or taken from has told so before.
        continue;
      }
    }
    place.close();
  }

  private JobEngine open(PostgresPlace.PostgresLink link) {
    return keep(JobEngine.open(link, place.options(), EngineOptions.DEFAULT));
  }

  private JobEngine keep(JobEngine engine) {
    opened.add(engine);
    return engine;
  }

  private JobEngine takeOver(PostgresPlace.PostgresLink link) {
    return waited(
        () -> {
          place.letPass(StoreOptions.OWNED_FOR_DEFAULT.plusMillis(1));
          return open(link);
        });
  }

  /** Opens when the store is free: its owner may have given a last sign of life meanwhile. */
  private static JobEngine waited(Supplier<JobEngine> opening) {
    while (true) {
      try {
        return opening.get();
      } catch (StoreLockedException e) {
        assertThat(e.freeIn()).isPresent();
      }
    }
  }

  private static void enqueue(JobQueue queue, String payload) {
    queue.enqueue(payload.getBytes(UTF_8));
  }

  private static Lease claim(JobQueue queue) {
    List<Lease> leases = queue.claim(ClaimOptions.by("worker"));
    assertThat(leases).hasSize(1);
    return leases.get(0);
  }

  private static String payload(Lease lease) {
    return new String(lease.payload(), UTF_8);
  }

  @Test
  void engine_byItsLocation_worksAndIsThereAgain() {
    String location = "postgresql:" + place.options().location();
    try (JobEngine engine = JobEngine.open(location)) {
      JobQueue mail = engine.queue(MAIL);
      mail.enqueueAll(
          IntStream.range(0, 3_000)
              .mapToObj(i -> NewJob.of(Integer.toString(i).getBytes(UTF_8)))
              .toList());
      mail.enqueue(new byte[100_000]);
      for (int i = 0; i < 10; i++) {
        assertThat(claim(mail).complete()).isEqualTo(CompleteResult.COMPLETED);
      }
      mail.with(Durability.BUFFERED).enqueue("buffered".getBytes(UTF_8));
      assertThat(engine.verify().isClean()).isTrue();
      assertThat(engine.metrics().storeBytes()).isPositive();
    }

    try (JobEngine again = JobEngine.open(location)) {
      JobQueue mail = again.queue(MAIL);
      assertThat(mail.stats().orElseThrow().count(JobState.READY)).isEqualTo(2_992);
      assertThat(payload(claim(mail))).isEqualTo("10");
    }
  }

  @Test
  void clock_ofAnEngine_isTheDatabases() {
    OrderedStore store = new PostgresStoreFactory().open(place.options());
    long least = databaseMs() - 1;
    long told = store.clockMs().orElseThrow();
    assertThat(told).isBetween(least - 50, databaseMs() + 50);
    store.write(new WriteBatch(1));
    assertThat(store.clockMs().orElseThrow()).isBetween(told, databaseMs() + 50);
    store.close();
  }

  private static long databaseMs() {
    return TestServer.number("select (extract(epoch from clock_timestamp()) * 1000)::bigint");
  }

  @Test
  void engine_overADataSource_works() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl("jdbc:postgresql://127.0.0.1:" + TestServer.port() + "/postgres");
    source.setUser("test");
    try (JobEngine engine =
        JobEngine.open(
            PostgresStoreFactory.of(source),
            StoreOptions.of("orders?schema=" + place.schema()),
            EngineOptions.DEFAULT)) {
      enqueue(engine.queue(MAIL), "job");
      assertThat(payload(claim(engine.queue(MAIL)))).isEqualTo("job");
      assertThat(engine.verify().isClean()).isTrue();
    }
  }

  @Test
  void inspect_besideARunningOwner_seesWhatIsThere() {
    String location = "postgresql:" + place.options().location();
    try (JobEngine engine = JobEngine.open(location);
        JobReader looking = JobEngine.inspect(location)) {
      enqueue(engine.queue(MAIL), "one");
      assertThat(looking.stats(MAIL).orElseThrow().count(JobState.READY)).isEqualTo(1);
      enqueue(engine.queue(MAIL), "two");
      assertThat(looking.stats(MAIL).orElseThrow().count(JobState.READY)).isEqualTo(2);
      assertThat(looking.verify().isClean()).isTrue();
    }
  }

  @Test
  void takeOver_ownerIsAlive_itsCallsSayWhoHasTheStoreAndNothingHappens() {
    JobEngine old = open(place.newLink());
    JobQueue mail = old.queue(MAIL);
    enqueue(mail, "one");
    enqueue(mail, "two");
    Lease held = claim(mail);

    JobEngine taken = takeOver(place.newLink());

    assertThatThrownBy(held::complete).isInstanceOf(NotOwnerException.class);
    assertThatThrownBy(() -> enqueue(mail, "late")).isInstanceOf(NotOwnerException.class);
    assertThatThrownBy(() -> claim(mail)).isInstanceOf(NotOwnerException.class);
    JobQueue there = taken.queue(MAIL);
    assertThat(there.stats().orElseThrow().count(JobState.LEASED)).isEqualTo(1);
    Lease next = claim(there);
    assertThat(payload(next)).isEqualTo("two");
    assertThat(next.token()).isGreaterThan(held.token());
    assertThat(next.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertThat(there.stats().orElseThrow().count(JobState.READY)).isZero();
  }

  @Test
  void takeOver_firstThatMeetsItIsARead_isNoOwner() {
    JobEngine old = open(place.newLink());
    enqueue(old.queue(MAIL), "one");
    JobEngine taken = takeOver(place.newLink());
    enqueue(taken.queue(MAIL), "two");

    // The rows of a queue that is not in memory are read before anything is written.
    assertThatThrownBy(() -> old.queue("other").enqueue(new byte[0]))
        .isInstanceOf(NotOwnerException.class);
  }

  @Test
  void reopen_ofAnOwnerThatWasFenced_waitsForTheOther() {
    JobEngine old = open(place.newLink());
    JobEngine taken = takeOver(place.newLink());
    assertThatThrownBy(() -> enqueue(old.queue(MAIL), "late"))
        .isInstanceOf(NotOwnerException.class);

    assertThatThrownBy(old::reopen).isInstanceOf(StoreLockedException.class);
    enqueue(taken.queue(MAIL), "theirs");
    taken.close();
    old.reopen();

    assertThat(payload(claim(old.queue(MAIL)))).isEqualTo("theirs");
  }

  @Test
  void cut_ownerReachesNothing_otherGoesOnWithAllThatWasAcknowledged() {
    PostgresPlace.PostgresLink link = place.newLink();
    JobEngine old = open(link);
    enqueue(old.queue(MAIL), "acknowledged");
    link.proxy().cutOff();
    JobEngine taken = takeOver(place.newLink());

    link.heal();

    assertThatThrownBy(() -> enqueue(old.queue(MAIL), "late"))
        .isInstanceOf(MillraceException.class);
    assertThat(payload(claim(taken.queue(MAIL)))).isEqualTo("acknowledged");
    assertThat(taken.queue(MAIL).stats().orElseThrow().count(JobState.READY)).isZero();
  }

  @Test
  void kill_ofTheOwner_anotherTakesOverWhenItsTimeIsOver() {
    Duration ownedFor = StoreOptions.OWNED_FOR_LEAST;
    String location = place.options().location();
    try (OwnerProcess owner = OwnerProcess.start(location, ownedFor)) {
      for (int i = 0; i < 5; i++) {
        assertThat(owner.tell("job " + i)).isEqualTo("enqueued");
      }
      assertThat(owner.tell("claim")).isEqualTo("leases=1");
      StoreLockedException held =
          catchThrowableOfType(
              StoreLockedException.class, () -> JobEngine.open("postgresql:" + location));
      assertThat(held.holderPid()).hasValue(owner.pid());
      assertThat(held.holder().map(OwnerName::address)).contains("10.0.0.7:7171");
      assertThat(held.freeIn().orElseThrow()).isPositive().isLessThanOrEqualTo(ownedFor);

      owner.signal("KILL");
      long killedNs = System.nanoTime();
      JobEngine taken =
          waited(
              () ->
                  keep(
                      JobEngine.open(
                          new PostgresStoreFactory(), place.options(), EngineOptions.DEFAULT)));
      Duration took = Duration.ofNanos(System.nanoTime() - killedNs);

      // The machine that runs this may be slow; the store itself adds a few round trips.
      assertThat(took).isLessThan(ownedFor.plusSeconds(10));
      JobQueue mail = taken.queue(MAIL);
      assertThat(mail.stats().orElseThrow().count(JobState.LEASED)).isEqualTo(1);
      List<Lease> leases = mail.claim(ClaimOptions.by("worker").max(10));
      assertThat(leases)
          .extracting(EngineOnPostgresTest::payload)
          .containsExactly("job 1", "job 2", "job 3", "job 4");
    }
  }

  @Test
  void stop_longerThanItsTime_ownerChangesNothingWhenItGoesOn() {
    String location = place.options().location();
    try (OwnerProcess owner = OwnerProcess.start(location, StoreOptions.OWNED_FOR_LEAST)) {
      owner.tell("one");
      assertThat(owner.tell("claim")).isEqualTo("leases=1");
      owner.signal("STOP");
      JobEngine taken =
          waited(
              () ->
                  keep(
                      JobEngine.open(
                          new PostgresStoreFactory(), place.options(), EngineOptions.DEFAULT)));
      enqueue(taken.queue(MAIL), "two");
      owner.signal("CONT");

      assertThat(owner.tell("extend")).isEqualTo("NotOwnerException");
      assertThat(owner.tell("complete")).isEqualTo("NotOwnerException");
      assertThat(owner.tell("three")).isEqualTo("NotOwnerException");
      assertThat(owner.tell("claim")).isEqualTo("NotOwnerException");
      assertThat(payload(claim(taken.queue(MAIL)))).isEqualTo("two");
      assertThat(taken.queue(MAIL).stats().orElseThrow().count(JobState.LEASED)).isEqualTo(2);
    }
  }

  @Test
  void handOver_byACleanClose_isAtOnceAndLeavesTheLeases() {
    String location = place.options().location();
    try (OwnerProcess owner = OwnerProcess.start(location, StoreOptions.OWNED_FOR_DEFAULT)) {
      owner.tell("one");
      owner.tell("two");
      assertThat(owner.tell("claim")).isEqualTo("leases=1");
      assertThat(owner.tell("close")).isEqualTo("closed");

      JobEngine taken =
          keep(JobEngine.open(new PostgresStoreFactory(), place.options(), EngineOptions.DEFAULT));

      assertThat(payload(claim(taken.queue(MAIL)))).isEqualTo("two");
      assertThat(taken.queue(MAIL).stats().orElseThrow().count(JobState.LEASED)).isEqualTo(2);
    }
  }

  /** Enqueues as soon as the engine has found out that there is room again. */
  private static void awaitRoom(JobQueue mail) {
    while (true) {
      try {
        enqueue(mail, "there is room");
        return;
      } catch (StoreFullException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void write_storeIsFull_engineGetsOutOfIt() {
    JobEngine engine =
        keep(
            JobEngine.open(
                new PostgresStoreFactory(),
                place.options().storeBytesMax(8L << 20),
                EngineOptions.DEFAULT));
    JobQueue mail = engine.queue(MAIL);
    int count = 0;
    try {
      while (true) {
        mail.enqueue(new byte[100_000], EnqueueOptions.DEFAULT);
        count++;
      }
    } catch (MillraceException e) {
      assertThat(e).hasMessageContaining("store is full");
    }
    assertThat(count).isBetween(60, 90);

    for (int i = 0; i < count; i++) {
      assertThat(claim(mail).complete()).isEqualTo(CompleteResult.COMPLETED);
    }
    awaitRoom(mail);
    assertThat(payload(claim(mail))).isEqualTo("there is room");
  }
}
