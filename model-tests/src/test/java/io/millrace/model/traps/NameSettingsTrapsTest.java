package io.millrace.model.traps;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CorruptDataException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueSettings.Expiry;
import io.millrace.api.QueueSettings.Setting;
import io.millrace.engine.JobEngine;
import io.millrace.engine.Stores;
import io.millrace.internal.format.NameSettings;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is said for a name holds for all of its tenants that say nothing else, whenever they come.
 */
class NameSettingsTrapsTest extends TrapTest {

  private static final byte[] PAYLOAD = {1};

  private static JobQueue mail(EngineHarness harness, String tenant) {
    return harness.queues().queue("mail", tenant);
  }

  /** Ways in which an engine ends and begins. */
  enum Stop {
    NONE(harness -> {}),
    CLEAN(EngineHarness::restartCleanly),
    CRASH(EngineHarness::crash);

    final Consumer<EngineHarness> how;

    Stop(Consumer<EngineHarness> how) {
      this.how = how;
    }
  }

  @Test
  void configure_aName_createsNoQueueAndTellsWhatWasSaid() {
    EngineHarness harness = start(StoreKind.MEMORY);
    assertThat(harness.queues().settings("mail")).isEqualTo(QueueSettings.DEFAULT);

    harness.queues().admin().configure("mail", settings -> settings.leaseDuration(ofSeconds(3)));

    assertThat(harness.queues().settings("mail"))
        .isEqualTo(QueueSettings.DEFAULT.leaseDuration(ofSeconds(3)));
    assertThat(harness.queues().queues(PageRequest.first(10)).items()).isEmpty();
    assertThat(mail(harness, "a").stats()).isEmpty();
    assertThat(harness.queues().settings("mai")).isEqualTo(QueueSettings.DEFAULT);
    assertThat(harness.queues().queue("mails").settings()).isEqualTo(QueueSettings.DEFAULT);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void settings_ofAName_holdForTenantsThatAreThereAndThoseToCome(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (Stop stop : Stop.values()) {
      String old = "old " + stop;
      enqueue(mail(harness, old), "before");
      harness
          .queues()
          .admin()
          .configure("mail", s -> s.leaseDuration(ofSeconds(3 + stop.ordinal())));

      stop.how.accept(harness);

      for (String tenant : List.of(old, "new " + stop, "")) {
        JobQueue queue = tenant.isEmpty() ? mail(harness) : mail(harness, tenant);
        enqueue(queue, "after");
        assertThat(queue.settings().leaseDuration()).isEqualTo(ofSeconds(3 + stop.ordinal()));
        assertThat(queue.settings().setHere()).isEmpty();
        assertThat(claim(queue).remaining()).isEqualTo(ofSeconds(3 + stop.ordinal()));
      }
      enqueue(harness.queues().queue("other"), "a");
      assertThat(claim(harness.queues().queue("other")).remaining()).isEqualTo(ofSeconds(30));
      assertClean(harness);
    }
  }

  @Test
  void settings_ofANameSyncedAndPowerLost_areKept() {
    EngineHarness harness = start(StoreKind.FAULTY);
    harness.queues().admin().configure("mail", settings -> settings.depthMax(7));

    harness.losePower();

    assertThat(harness.queues().settings("mail")).isEqualTo(QueueSettings.DEFAULT.depthMax(7));
    assertThat(mail(harness, "new").settings().depthMax()).hasValue(7);
  }

  @ParameterizedTest
  @EachStoreKind
  void depthMax_ofAName_holdsForTheFirstJobsOfATenantThatIsNew(StoreKind kind) {
    EngineHarness harness = start(kind);
    harness.queues().admin().configure("mail", settings -> settings.depthMax(2));
    for (Stop stop : Stop.values()) {
      stop.how.accept(harness);

      JobQueue many = mail(harness, "many " + stop);
      List<EnqueueResult> results = many.offerAll(Collections.nCopies(3, NewJob.of(PAYLOAD)));
      assertThat(results.get(0)).isInstanceOf(Enqueued.class);
      assertThat(results.get(1)).isInstanceOf(Enqueued.class);
      assertThat(results.get(2)).isEqualTo(new EnqueueResult.QueueFull(many.name(), 2));

      JobQueue single = mail(harness, "single " + stop);
      enqueue(single, "a");
      enqueue(single, "b");
      assertThat(single.offer(PAYLOAD, EnqueueOptions.DEFAULT))
          .isEqualTo(new EnqueueResult.QueueFull(single.name(), 2));
      assertThat(single.stats().orElseThrow().count(JobState.READY)).isEqualTo(2);
      assertClean(harness);
    }
  }

  @Test
  void leaseDuration_ofAName_holdsForClaimsThatWaitOnATenantToCome() {
    EngineHarness harness = start(StoreKind.MEMORY);
    CompletableFuture<List<Lease>> waiting =
        mail(harness, "new").claimAsync(ClaimOptions.by("worker").waiting(ofMinutes(9)));
    harness.poke();
    harness.queues().admin().configure("mail", settings -> settings.leaseDuration(ofSeconds(3)));

    enqueue(mail(harness, "new"), "a");

    assertThat(join(waiting).get(0).remaining()).isEqualTo(ofSeconds(3));
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void tenant_thatSaysSomethingItself_isHeldToThatAndToTheNamesForTheRest(Stop stop) {
    EngineHarness harness = start(StoreKind.MEMORY);
    harness
        .queues()
        .admin()
        .configure("mail", s -> s.depthMax(1).leaseDuration(ofSeconds(3)).expiry(Expiry.BACKOFF));
    mail(harness, "own").configure(settings -> settings.noDepthMax().expiry(Expiry.READY_AT_ONCE));
    harness.queues().admin().configure("mail", s -> s.leaseDuration(ofSeconds(4)));

    stop.how.accept(harness);

    QueueSettings held = mail(harness, "own").settings();
    assertThat(held.setHere()).containsExactly(Setting.DEPTH_MAX, Setting.EXPIRY);
    assertThat(held.depthMax()).isEmpty();
    assertThat(held.expiry()).isEqualTo(Expiry.READY_AT_ONCE);
    assertThat(held.leaseDuration()).isEqualTo(ofSeconds(4));
    enqueue(mail(harness, "own"), "a");
    enqueue(mail(harness, "own"), "b");
    assertThat(claim(mail(harness, "own")).remaining()).isEqualTo(ofSeconds(4));
    enqueue(mail(harness, "other"), "a");
    assertThat(mail(harness, "other").offer(PAYLOAD, EnqueueOptions.DEFAULT).isDone()).isFalse();
    assertThat(harness.queues().settings("mail").depthMax()).hasValue(1);
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void inherit_ofATenant_givesItBackWhatIsSaidForTheName(Stop stop) {
    EngineHarness harness = start(StoreKind.MEMORY);
    harness.queues().admin().configure("mail", settings -> settings.depthMax(1));
    JobQueue own = mail(harness, "own");
    own.configure(settings -> settings.depthMax(5).leaseDuration(ofSeconds(3)));

    own.configure(settings -> settings.inherit(Setting.DEPTH_MAX));
    stop.how.accept(harness);

    QueueSettings held = mail(harness, "own").settings();
    assertThat(held.setHere()).containsExactly(Setting.LEASE_DURATION);
    assertThat(held.depthMax()).hasValue(1);
    enqueue(mail(harness, "own"), "a");
    assertThat(mail(harness, "own").offer(PAYLOAD, EnqueueOptions.DEFAULT).isDone()).isFalse();
    harness.queues().admin().configure("mail", settings -> settings.depthMax(2));
    enqueue(mail(harness, "own"), "b");
  }

  @ParameterizedTest
  @EnumSource(Stop.class)
  void inherit_ofAName_givesAllTenantsTheDefaultAgain(Stop stop) {
    EngineHarness harness = start(StoreKind.MEMORY);
    harness.queues().admin().configure("mail", s -> s.depthMax(1).leaseDuration(ofSeconds(3)));
    enqueue(mail(harness, "a"), "a");

    harness.queues().admin().configure("mail", settings -> settings.inherit(Setting.DEPTH_MAX));
    stop.how.accept(harness);

    assertThat(harness.queues().settings("mail"))
        .isEqualTo(QueueSettings.DEFAULT.leaseDuration(ofSeconds(3)));
    assertThat(mail(harness, "a").settings().depthMax()).isEmpty();
    enqueue(mail(harness, "a"), "b");
    harness
        .queues()
        .admin()
        .configure("mail", settings -> settings.inherit(Setting.LEASE_DURATION));
    assertThat(harness.queues().settings("mail")).isEqualTo(QueueSettings.DEFAULT);
    assertThat(claim(mail(harness, "a")).remaining()).isEqualTo(ofSeconds(30));
    assertClean(harness);
  }

  @Test
  void retry_ofAName_holdsForJobsThatAreThereOfEveryTenant() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId a = enqueue(mail(harness, "a"), "a");
    JobId b = enqueue(mail(harness, "b"), "b");
    JobId own = enqueue(mail(harness, "b"), "b", EnqueueOptions.DEFAULT.maxAttempts(7));
    Lease lease = claim(mail(harness, "a"));

    harness.queues().admin().configure("mail", s -> s.retry(1, Backoff.fixed(ofSeconds(9))));

    assertThat(job(harness.queues(), b).maxAttempts()).isEqualTo(1);
    assertThat(job(harness.queues(), b).backoff()).isEqualTo(Backoff.fixed(ofSeconds(9)));
    assertThat(job(harness.queues(), own).maxAttempts()).isEqualTo(7);
    lease.fail("broken").orThrow();
    assertThat(state(harness.queues(), a)).isEqualTo(JobState.DEAD);
    assertThat(claim(mail(harness, "b")).isLastAttempt()).isTrue();
  }

  @Test
  void retentions_ofAName_holdForTenantsToCome() {
    EngineHarness harness = start(StoreKind.MEMORY);
    harness
        .queues()
        .admin()
        .configure("mail", s -> s.resultRetention(ofHours(1)).deadRetention(ofHours(2)));
    JobId done = enqueue(mail(harness, "new"), "done");
    claim(mail(harness, "new")).complete().orThrow();
    JobId dead = enqueue(mail(harness, "new"), "dead");
    claim(mail(harness, "new")).fail("broken", FailOptions.PERMANENT).orThrow();
    assertThat(state(harness.queues(), done)).isEqualTo(JobState.DONE);

    advance(harness, ofHours(1).plusMillis(1));
    await("the result is gone", () -> harness.queues().get(done).isEmpty());

    assertThat(state(harness.queues(), dead)).isEqualTo(JobState.DEAD);
    advance(harness, ofHours(1));
    await("the dead letter is gone", () -> harness.queues().get(dead).isEmpty());
    assertClean(harness);
  }

  @Test
  void expiry_ofAName_holdsForLeasesThatRunOut() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness, "a"), "a");
    claim(mail(harness, "a"));
    harness.queues().admin().configure("mail", settings -> settings.expiry(Expiry.BACKOFF));

    advance(harness, LEASE_OVER);

    awaitJob(harness, id, JobState.DELAYED, 1);
  }

  @Test
  void delete_ofATenantsQueue_leavesWhatIsSaidForTheName() {
    EngineHarness harness = start(StoreKind.MEMORY);
    harness.queues().admin().configure("mail", settings -> settings.depthMax(1));
    mail(harness, "a").configure(settings -> settings.depthMax(9));
    enqueue(mail(harness, "a"), "a");

    assertThat(mail(harness, "a").delete()).isTrue();

    assertThat(mail(harness, "a").settings()).isEqualTo(mail(harness, "b").settings());
    enqueue(mail(harness, "a"), "a");
    assertThat(mail(harness, "a").offer(PAYLOAD, EnqueueOptions.DEFAULT).isDone()).isFalse();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void configure_sameThingFromManyThreads_losesNothing(StoreKind kind) {
    EngineHarness harness = start(kind);
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 25; i++) {
                  harness.queues().admin().configure("mail", NameSettingsTrapsTest::oneMore);
                  mail(harness, "a").configure(NameSettingsTrapsTest::oneMore);
                }
              }));
    }
    threads.add(
        CompletableFuture.runAsync(
            () -> harness.queues().admin().configure("mail", s -> s.leaseDuration(ofSeconds(3)))));
    threads.add(
        CompletableFuture.runAsync(
            () -> mail(harness, "a").configure(s -> s.expiry(Expiry.BACKOFF))));
    threads.forEach(TrapTest::join);

    harness.crash();

    assertThat(harness.queues().settings("mail"))
        .isEqualTo(QueueSettings.DEFAULT.retry(120, Backoff.DEFAULT).leaseDuration(ofSeconds(3)));
    QueueSettings own = mail(harness, "a").settings();
    // Its first change began with what was said for the name by then.
    assertThat(own.maxAttempts()).isBetween(120, 219);
    assertThat(own.setHere()).containsExactly(Setting.EXPIRY, Setting.RETRY);
    assertThat(own.expiry()).isEqualTo(Expiry.BACKOFF);
    assertThat(own.leaseDuration()).isEqualTo(ofSeconds(3));
    assertClean(harness);
  }

  private static QueueSettings oneMore(QueueSettings settings) {
    return settings.retry(settings.maxAttempts() + 1, settings.backoff());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "with space/and/slash", "nul\0in it", "ünïcödé", "200 bytes"})
  void configure_namesOfAllKinds_areKeptApart(String some) {
    EngineHarness harness = start(StoreKind.LMDB);
    String name = some.equals("200 bytes") ? "x".repeat(200) : some;
    harness.queues().admin().configure(name, settings -> settings.depthMax(3));

    harness.crash();

    assertThat(harness.queues().settings(name).depthMax()).hasValue(3);
    assertThat(harness.queues().queue(name, "tenant").settings().depthMax()).hasValue(3);
    assertThat(harness.queues().settings(name.substring(1) + "y").depthMax()).isEmpty();
    assertClean(harness);
  }

  @Test
  void configure_badInput_isRefusedAndNothingIsChanged() {
    EngineHarness harness = start(StoreKind.MEMORY);

    assertThatThrownBy(() -> harness.queues().admin().configure("", settings -> settings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("least=1, most=200");
    assertThatThrownBy(
            () -> harness.queues().admin().configure("x".repeat(201), settings -> settings))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("least=1, most=200");
    assertThatThrownBy(() -> harness.queues().settings(""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .admin()
                    .configure(
                        "mail",
                        settings -> {
                          throw new IllegalStateException("the change is broken");
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the change is broken");
    assertThat(harness.queues().settings("mail")).isEqualTo(QueueSettings.DEFAULT);
  }

  /** A store whose row of settings for "mail" is damaged, open again. */
  private EngineHarness damaged() {
    EngineHarness harness = start(StoreKind.FAULTY);
    harness.queues().admin().configure("mail", settings -> settings.leaseDuration(ofSeconds(3)));
    harness.queues().admin().configure("other", settings -> settings.leaseDuration(ofSeconds(4)));
    enqueue(mail(harness, "a"), "a");
    enqueue(harness.queues().queue("other"), "other");
    harness.engine().close();
    harness.machine().flipBit(folder.resolve("store"), NameSettings.key("mail"), 40);
    harness.openAgain();
    return harness;
  }

  @Test
  void damagedRow_othersGoOnAndVerifyTells() {
    EngineHarness harness = damaged();

    assertThat(claim(harness.queues().queue("other")).remaining()).isEqualTo(ofSeconds(4));
    assertThat(harness.engine().poison()).isEmpty();
    assertThat(harness.queues().verify().isClean()).isFalse();
    pokeTwice(harness);
    assertThat(harness.queues().verify().problems()).isEmpty();
    assertThat(harness.queues().verify().quarantinedCount()).isPositive();
  }

  @Test
  void damagedRow_askedFor_isToldOnceWithItsKeyAndThenTheDefaultHolds() {
    EngineHarness harness = damaged();

    assertThatThrownBy(() -> harness.queues().settings("mail"))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("TABLE")
        .hasMessageContaining(HexFormat.of().formatHex(NameSettings.key("mail")));

    pokeTwice(harness);
    assertThat(harness.queues().settings("mail")).isEqualTo(QueueSettings.DEFAULT);
    assertThat(harness.queues().verify().quarantinedCount()).isPositive();
  }

  @Test
  void damagedRow_jobsOfTheName_areServedAndItCanBeConfiguredAnew() {
    EngineHarness harness = damaged();

    List<Lease> leases = claimAgain(mail(harness, "a"));
    assertThat(payloads(leases)).containsExactly("a");
    assertThat(leases.get(0).remaining()).isEqualTo(ofSeconds(30));
    configureAgain(harness);

    harness.crash();

    assertThat(mail(harness, "a").settings().leaseDuration()).isEqualTo(ofSeconds(5));
    assertThat(harness.queues().verify().problems()).isEmpty();
  }

  /** The first who meets a damaged row is told so; the next is served. */
  private static List<Lease> claimAgain(JobQueue queue) {
    try {
      return claim(queue, 1);
    } catch (CorruptDataException told) {
      return claim(queue, 1);
    }
  }

  private static void configureAgain(EngineHarness harness) {
    try {
      harness.queues().admin().configure("mail", settings -> settings.leaseDuration(ofSeconds(5)));
    } catch (CorruptDataException told) {
      pokeTwice(harness);
      harness.queues().admin().configure("mail", settings -> settings.leaseDuration(ofSeconds(5)));
    }
  }

  @Test
  void copyBackupAndRepair_ofAStore_keepWhatIsSaidForNames() {
    EngineHarness harness = start(StoreKind.LMDB);
    QueueSettings said = QueueSettings.DEFAULT.depthMax(7).retry(3, Backoff.DEFAULT);
    harness.queues().admin().configure("mail", settings -> said);
    enqueue(mail(harness, "a"), "a");
    harness.engine().backup(folder.resolve("backup"));
    harness.engine().close();
    Stores.restore(location("lmdb", "backup"), location("rocksdb", "restored"));
    Stores.copy(location("lmdb", "store"), location("rocksdb", "copied"));
    List<Object> findings = new ArrayList<>();
    Stores.repair(location("lmdb", "store"), location("lmdb", "repaired"), findings::add);

    assertThat(findings).isEmpty();
    for (String location :
        List.of(
            location("rocksdb", "restored"),
            location("rocksdb", "copied"),
            location("lmdb", "repaired"))) {
      try (JobEngine engine = JobEngine.open(location)) {
        assertThat(engine.settings("mail")).isEqualTo(said);
        assertThat(engine.queue("mail", "a").settings().depthMax()).hasValue(7);
        assertThat(engine.queue("mail", "new").settings().maxAttempts()).isEqualTo(3);
        assertThat(engine.verify().problems()).isEmpty();
      }
    }
  }

  private String location(String scheme, String name) {
    return scheme + ":" + folder.resolve(name);
  }
}
