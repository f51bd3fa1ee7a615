package io.millrace.model.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.RepairReport;
import io.millrace.api.RepairReport.Action;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.HistoryRecord;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.model.rig.Dropped;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a repair does about each kind of damage. */
class RepairTest {

  private static final Path DAMAGED = Path.of("damaged");
  private static final byte[] KEY = "key".getBytes(UTF_8);

  private final FaultyStore machine = new FaultyStore(3);
  private final StorePlace damaged = place("damaged");
  private final StorePlace repaired = place("repaired");
  private final List<String> findings = new ArrayList<>();

  @Test
  void repair_bothRowsOfAQueueGone_jobsGoOnInARecoveredQueue() {
    JobId id = enqueue("mail", "hello");
    set(QueueKeys.key(QueueName.of("mail")), null);
    set(QueueNameKeys.key(1), null);

    repair();

    assertThat(findings).containsExactly("RECOVERED QUEUE_NAME 0300000001");
    try (JobEngine engine = open(repaired)) {
      assertThat(engine.get(id).orElseThrow().queue()).isEqualTo(QueueName.of("recovered-1"));
      assertThat(engine.queue("recovered-1").claim(ClaimOptions.by("w"))).hasSize(1);
      assertThat(engine.queue("fresh").enqueue(new byte[1]).jobId().high() >>> 32).isEqualTo(2);
      assertThat(engine.verify().isClean()).isTrue();
    }
  }

  @Test
  void repair_queueRowGone_keepsNameAndNumberWithDefaultSettings() {
    enqueue("mail", "hello");
    set(QueueKeys.key(QueueName.of("mail")), null);

    repair();

    assertThat(findings).containsExactly("REBUILT QUEUE 02046d61696c00");
    assertSoundWith("mail", 1);
  }

  @Test
  void repair_stateOfACheckpointGone_keepsTheJobWithoutIt() {
    JobId id = enqueue("mail", "hello");
    try (JobEngine engine = open(damaged)) {
      Lease lease = engine.queue("mail").claim(ClaimOptions.by("w")).get(0);
      lease.checkpoint(new byte[5_000]).orThrow();
      lease.release().orThrow();
    }
    set(only(Keyspace.BLOB), null);

    repair();

    assertThat(findings).hasSize(1).first().asString().startsWith("REBUILT READY 15");
    try (JobEngine engine = open(repaired)) {
      Lease lease = engine.queue("mail").claim(ClaimOptions.by("w")).get(0);
      assertThat(lease.jobId()).isEqualTo(id);
      assertThat(lease.payload()).isEqualTo("hello".getBytes(UTF_8));
      assertThat(lease.checkpointed()).isEmpty();
      assertThat(engine.verify().isClean()).isTrue();
    }
  }

  @Test
  void repair_corruptLease_countsItsAttempt() {
    JobId id = enqueue("mail", "hello");
    JobEngine engine = open(damaged);
    Dropped.result(engine.queue("mail").claim(ClaimOptions.by("w").max(1)));
    engine.queue("other").enqueue(new byte[1]);
    machine.crash();
    closeOnDeadMachine(engine);
    byte[] lease =
        StoreCopyTest.rows(damaged).keySet().stream()
            .filter(key -> key[0] == Keyspace.LEASE.code())
            .findFirst()
            .orElseThrow();
    machine.flipBit(DAMAGED, lease, 60);

    repair();

    assertThat(findings).hasSize(1).first().asString().startsWith("SET_ASIDE LEASE 06");
    try (JobEngine next = open(repaired)) {
      Lease again = next.queue("mail").claim(ClaimOptions.by("w")).get(0);
      assertThat(again.jobId()).isEqualTo(id);
      assertThat(again.attempt()).isEqualTo(2);
      assertThat(next.verify().problems()).isEmpty();
    }
  }

  /** It fails, unless the engine has met the dead store by itself before. */
  private static void closeOnDeadMachine(JobEngine engine) {
    try {
      engine.close();
    } catch (StoreException expected) {
      // It could not say goodbye to its store.
    }
  }

  @Test
  void repair_jobInTwoStates_staysWhereItWasMovedLast() {
    JobId id;
    try (JobEngine engine = open(damaged)) {
      id =
          engine
              .queue("mail")
              .enqueue("hello".getBytes(UTF_8), EnqueueOptions.DEFAULT.delay(Duration.ofDays(1)))
              .jobId();
    }
    JobAddress address = JobAddress.of(id).orElseThrow();
    byte[] delayed = only(Keyspace.DELAYED);
    JobRecord job = JobRecord.decode(delayed, StoreCopyTest.rows(damaged).get(delayed));
    byte[] dead = DeadKeys.key(1, 7, address.birth());
    set(dead, job.toBuilder().set(JobField.ATTEMPTS, 3).build().encode(dead));

    repair();

    assertThat(findings).containsExactly("SET_ASIDE DEAD " + hex(dead));
    assertThat(stateOf(id)).isEqualTo(JobState.DELAYED);
  }

  @Test
  void repair_jobInTwoStatesAndNoMovedRow_staysWhereMoreAttemptsAre() {
    JobId id = enqueue("mail", "hello");
    JobAddress address = JobAddress.of(id).orElseThrow();
    byte[] ready = only(Keyspace.READY);
    JobRecord job = JobRecord.decode(ready, StoreCopyTest.rows(damaged).get(ready));
    byte[] dead = DeadKeys.key(1, 7, address.birth());
    set(
        dead,
        job.toBuilder().set(JobField.ATTEMPTS, 3).set(JobField.DIED_AT_MS, 7).build().encode(dead));

    repair();

    assertThat(findings)
        .containsExactly(
            "SET_ASIDE READY " + hex(ready),
            "REBUILT MOVED " + hex(MovedKeys.key(1, address.birth())),
            "REBUILT COUNTERS 0400000001");
    assertThat(stateOf(id)).isEqualTo(JobState.DEAD);
  }

  @Test
  void repair_attemptThatTheJobsRecordDoesNotKnow_isSetAside() {
    enqueue("mail", "hello");
    byte[] ready = only(Keyspace.READY);
    long birth = JobRecord.decode(ready, StoreCopyTest.rows(damaged).get(ready)).birth();
    byte[] attempt = HistoryKeys.key(1, birth, 1);
    set(attempt, new HistoryRecord(1, 1, 2, "w", "no luck").encode(attempt));

    repair();

    assertThat(findings).containsExactly("SET_ASIDE HISTORY " + hex(attempt));
    assertSoundWith("mail", 1);
  }

  @Test
  void repair_jobIsNoLongerWhereItWaited_timerOfTheWaitIsDropped() {
    JobId id;
    try (JobEngine engine = open(damaged)) {
      id = engine.queue("mail").enqueue("hello".getBytes(UTF_8)).jobId();
      Lease lease = engine.queue("mail").claim(ClaimOptions.by("w")).get(0);
      lease.waitFor("go", Duration.ofHours(2)).orThrow();
    }
    byte[] waiting = only(Keyspace.WAITING);
    byte[] timer = only(Keyspace.TIMER);
    JobRecord job = JobRecord.decode(waiting, StoreCopyTest.rows(damaged).get(waiting));
    byte[] dead = DeadKeys.key(1, 7, job.birth());
    put(dead, job.toBuilder().set(JobField.ATTEMPTS, 3).set(JobField.DIED_AT_MS, 7).build());

    repair();

    assertThat(findings)
        .contains("DROPPED TIMER " + hex(timer), "SET_ASIDE WAITING " + hex(waiting));
    assertThat(stateOf(id)).isEqualTo(JobState.DEAD);
  }

  @Test
  void repair_totalsReadable_areKeptAndLostOnesBeginAtZero() {
    enqueue("mail", "one");
    enqueue("mail", "two");
    set(AgendaKeys.key(agendaAt(), 1), null);
    repair();
    assertThat(findings).containsExactly("REBUILT COUNTERS 0400000001");
    assertThat(enqueuedTotal(repaired)).isEqualTo(2);

    findings.clear();
    set(CounterKeys.key(1), null);
    StorePlace second = place("second");
    Stores.repair(damaged, second, this::note);

    assertThat(findings).containsExactly("REBUILT COUNTERS 0400000001");
    assertThat(enqueuedTotal(second)).isZero();
  }

  @Test
  void repair_droppedQueue_isLeftToBeEmptiedAndItsRowsAreNotKept() {
    enqueue("gone", "hello");
    byte[] nameKey = QueueNameKeys.key(1);
    set(
        nameKey,
        new QueueNameRecord(QueueName.of("gone"), QueueNameRecord.State.DROPPED).encode(nameKey));
    set(QueueKeys.key(QueueName.of("gone")), null);
    set(CounterKeys.key(1), null);
    set(AgendaKeys.key(agendaAtOf(1), 1), null);
    set(AgendaKeys.key(0, 1), new byte[0]);

    repair();

    assertThat(findings).isEmpty();
    Map<byte[], byte[]> rows = StoreCopyTest.rows(repaired);
    assertThat(rows).containsKeys(nameKey, AgendaKeys.key(0, 1));
    assertThat(rows.keySet()).noneMatch(key -> key[0] == Keyspace.READY.code());
  }

  @Test
  void repair_rowsOfFeaturesOfJobs_areRebuiltFromTheRecords() {
    enqueue("mail", "other");
    Template template = new Template();
    JobRecord holder = template.next().set(JobField.CONCURRENCY_KEY, KEY).build();
    JobRecord blocked = template.next().set(JobField.CONCURRENCY_KEY, KEY).build();
    JobRecord unique =
        template
            .next()
            .set(JobField.UNIQUE_KEY, KEY)
            .set(JobField.UNIQUE_SCOPE, UniqueRecord.UNTIL_FINISHED)
            .build();
    JobRecord done = template.next().set(JobField.EXPIRE_AT_MS, 9_000).build();
    JobRecord waiting =
        template.next().set(JobField.SIGNAL, KEY).set(JobField.WAIT_TIMER_MS, 8_000).build();
    put(ReadyKeys.key(1, 0, holder.birth()), holder);
    put(BlockedKeys.key(1, KEY, 0, blocked.birth()), blocked);
    put(DelayedKeys.key(1, 5_000, unique.birth()), unique);
    put(DoneKeys.key(1, 6_000, done.birth()), done);
    put(WaitingKeys.key(1, KEY, waiting.birth()), waiting);

    RepairReport report = repair();

    assertThat(report.jobCount()).isEqualTo(6);
    Map<byte[], byte[]> rows = StoreCopyTest.rows(repaired);
    byte[] slot = SlotKeys.key(1, KEY);
    byte[] uniqueKey = UniqueKeys.key(1, KEY);
    assertThat(SlotRecord.decode(slot, rows.get(slot))).isEqualTo(new SlotRecord(1, 1));
    assertThat(UniqueRecord.decode(uniqueKey, rows.get(uniqueKey)).jobId())
        .isEqualTo(unique.jobId(1));
    assertThat(rows)
        .containsKeys(
            TimerKeys.key(9_000, 1, TimerKeys.Kind.RESULT_RETENTION, done.birth()),
            TimerKeys.key(8_000, 1, TimerKeys.Kind.WAIT_DEADLINE, waiting.birth()));
    try (var reader = JobEngine.inspect(machine, repaired.options())) {
      assertThat(reader.verify().problems()).isEmpty();
      QueueStats stats = reader.stats(QueueName.of("mail")).orElseThrow();
      assertThat(stats.count(JobState.BLOCKED)).isEqualTo(1);
      assertThat(stats.count(JobState.WAITING)).isEqualTo(1);
      assertThat(stats.count(JobState.DONE)).isEqualTo(1);
    }
  }

  @Test
  void repair_slotFreeAndJobBlocked_makesItReady() {
    enqueue("mail", "other");
    JobRecord blocked = new Template().next().set(JobField.CONCURRENCY_KEY, KEY).build();
    byte[] blockedKey = BlockedKeys.key(1, KEY, 0, blocked.birth());
    put(blockedKey, blocked);
    byte[] slot = SlotKeys.key(1, KEY);
    set(slot, new SlotRecord(1, 1).encode(slot));

    repair();

    assertThat(findings)
        .contains("REBUILT BLOCKED " + hex(blockedKey), "REBUILT COUNTERS 0400000001");
    assertThat(stateOf(blocked.jobId(1))).isEqualTo(JobState.READY);
    assertSoundWith("mail", 2);
  }

  /** Only a job that waits for a time or a signal may keep a slot; one in a line has one anyway. */
  @Test
  void repair_endedAndBlockedJobsKeepASlot_haveNoneAndGoOn() {
    enqueue("mail", "other");
    Template template = new Template();
    JobRecord dead = keeping(template);
    JobRecord blocked = keeping(template);
    JobRecord delayed = keeping(template);
    byte[] deadKey = DeadKeys.key(1, 5_000, dead.birth());
    byte[] blockedKey = BlockedKeys.key(1, KEY, 0, blocked.birth());
    put(deadKey, dead);
    put(blockedKey, blocked);
    put(DelayedKeys.key(1, 5_000, delayed.birth()), delayed);

    repair();

    assertThat(findings)
        .contains("REBUILT DEAD " + hex(deadKey), "REBUILT BLOCKED " + hex(blockedKey))
        .noneMatch(finding -> finding.startsWith("REBUILT DELAYED"));
    byte[] slot = SlotKeys.key(1, KEY);
    assertThat(SlotRecord.decode(slot, StoreCopyTest.rows(repaired).get(slot)))
        .isEqualTo(new SlotRecord(1, 1));
    try (JobEngine engine = open(repaired)) {
      assertThat(engine.verify().problems()).isEmpty();
      engine.queue("mail").deadLetters().redrive(dead.jobId(1)).orThrow();
      for (int i = 0; i < 4; i++) {
        engine.queue("mail").claim(ClaimOptions.by("w")).get(0).complete().orThrow();
        assertThat(engine.verify().problems()).isEmpty();
      }
    }
  }

  private static JobRecord keeping(Template template) {
    return template
        .next()
        .set(JobField.CONCURRENCY_KEY, KEY)
        .set(JobField.HOLDS_SLOT, true)
        .build();
  }

  @Test
  void repair_cutOffAtAnyWrite_canBeMadeAgainAndIsTheSame() {
    for (int i = 0; i < 30; i++) {
      enqueue("mail" + i, "payload " + i);
    }
    set(CounterKeys.key(3), null);
    int cutCount = 0;
    for (int write = 1; write < 10; write++) {
      StorePlace to = place("to" + write);
      long index = machine.callCount(StoreCall.WRITE) + write;
      machine.plan(FaultPlan.at(StoreCall.WRITE, index, Fault.AFTER));
      boolean isCut = isCutOff(to);
      machine.plan(FaultPlan.none());
      machine.crash();
      if (isCut && hasMark(to)) {
        cutCount++;
        StoreCopyTest.assertUnfinished(to);
      }
      if (!isCut) {
        break;
      }
      RepairReport report = hasMark(to) ? Stores.repair(damaged, to, finding -> {}) : null;
      if (report != null) {
        assertThat(report.jobCount()).isEqualTo(30);
        try (JobEngine engine = open(to)) {
          assertThat(engine.verify().problems()).isEmpty();
        }
      }
    }
    assertThat(cutCount).as("cuts that left an unfinished copy").isPositive();
  }

  private boolean isCutOff(StorePlace to) {
    try {
      Stores.repair(damaged, to, finding -> {});
      return false;
    } catch (StoreFailedException e) {
      return true;
    }
  }

  private static boolean hasMark(StorePlace to) {
    return StoreCopyTest.rows(to).containsKey(MetaKeys.COPYING);
  }

  /** Records of jobs that were never moved, each with the next birth sequence. */
  private static final class Template {

    private long birth = 1L << 42;

    JobRecordBuilder next() {
      return JobRecord.builder()
          .birth(++birth)
          .enqueuedAtMs(1_000)
          .payload(new Payload.Inline("p".getBytes(UTF_8), Map.of()));
    }
  }

  private JobId enqueue(String queue, String payload) {
    try (JobEngine engine = open(damaged)) {
      return engine.queue(queue).enqueue(payload.getBytes(UTF_8)).jobId();
    }
  }

  private RepairReport repair() {
    return Stores.repair(damaged, repaired, this::note);
  }

  private void note(RepairReport.Finding finding) {
    assertThat(Action.values()).contains(finding.action());
    findings.add(finding.action() + " " + finding.keyspace() + " " + finding.key());
  }

  private void put(byte[] key, JobRecord job) {
    set(key, job.encode(key));
    if (Keyspace.ofKey(key) != Keyspace.READY) {
      byte[] moved = MovedKeys.key(1, job.birth());
      set(moved, new MovedRecord(key).encode(moved));
    }
  }

  private void set(byte[] key, byte @Nullable [] value) {
    machine.overwrite(DAMAGED, key, value);
  }

  private byte[] only(Keyspace keyspace) {
    List<byte[]> keys =
        StoreCopyTest.rows(damaged).keySet().stream()
            .filter(key -> key[0] == keyspace.code())
            .toList();
    assertThat(keys).hasSize(1);
    return keys.get(0);
  }

  private long agendaAt() {
    return agendaAtOf(1);
  }

  private long agendaAtOf(int queue) {
    return StoreCopyTest.rows(damaged).keySet().stream()
        .filter(key -> key[0] == Keyspace.AGENDA.code() && AgendaKeys.queue(key) == queue)
        .mapToLong(AgendaKeys::timeMs)
        .findFirst()
        .orElseThrow();
  }

  private long enqueuedTotal(StorePlace place) {
    try (var reader = JobEngine.inspect(machine, place.options())) {
      assertThat(reader.verify().problems()).isEmpty();
      return reader.stats(QueueName.of("mail")).orElseThrow().total(QueueStats.Total.ENQUEUED);
    }
  }

  private JobState stateOf(JobId id) {
    try (var reader = JobEngine.inspect(machine, repaired.options())) {
      assertThat(reader.verify().problems()).isEmpty();
      return reader.get(id).orElseThrow().state();
    }
  }

  private void assertSoundWith(String queue, int readyCount) {
    try (JobEngine engine = open(repaired)) {
      assertThat(engine.verify().problems()).isEmpty();
      assertThat(engine.queue(queue).claim(ClaimOptions.by("w").max(10))).hasSize(readyCount);
      assertThat(engine.verify().problems()).isEmpty();
    }
  }

  private static String hex(byte[] key) {
    return HexFormat.of().formatHex(key);
  }

  private static JobEngine open(StorePlace place) {
    return JobEngine.open(place.factory(), place.options(), EngineOptions.DEFAULT);
  }

  private StorePlace place(String name) {
    return new StorePlace(machine, StoreOptions.of(Path.of(name)));
  }
}
