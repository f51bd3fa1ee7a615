package io.millrace.model.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.Result;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords.CleanStop;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.SlotRecord;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A store of an older version, in two queues of which counts of concurrency keys are in a log: of
 * the keys' own rows one is missing, and another says that somebody has a key that nobody has.
 */
class OlderSlotsTest {

  private static final List<String> QUEUES = List.of("calls", "mail");

  /** More than an opening takes. */
  private static final int WRITE_COUNT_MAX = 40;

  private final FaultyStore machine = new FaultyStore(5);
  private final StorePlace older = place("older");
  private JobId holder;
  private JobId blocked;

  private StorePlace place(String name) {
    return new StorePlace(machine, StoreOptions.of(Path.of(name)));
  }

  @BeforeEach
  void make() {
    try (JobEngine engine = StoreCopyTest.open(older)) {
      for (String queue : QUEUES) {
        holder = enqueue(engine.queue(queue), "a");
        blocked = enqueue(engine.queue(queue), "a");
        enqueue(engine.queue(queue), "b");
      }
    }
    try (OrderedStore store = older.factory().open(older.options())) {
      WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
      for (int queue = 1; queue <= QUEUES.size(); queue++) {
        byte[] log =
            ByteBuffer.allocate(14).put(Keyspace.SLOT.queueStart(queue)).putLong(6, 7).array();
        batch.put(log, new SlotRecord(1, 0).encode(log));
        batch.delete(SlotKeys.key(queue, "a".getBytes(UTF_8)));
        byte[] nobodys = SlotKeys.key(queue, "c".getBytes(UTF_8));
        batch.put(nobodys, new SlotRecord(1, 0).encode(nobodys));
      }
      batch.put(MetaKeys.CLEAN_STOP, new CleanStop(true, 0, false).encode());
      store.write(batch);
      store.sync();
    }
    assertThat(logRows(older)).isEqualTo(2);
  }

  private static JobId enqueue(JobQueue queue, String key) {
    EnqueueOptions keyed = EnqueueOptions.DEFAULT.concurrencyKey(key);
    return queue.enqueue(key.getBytes(UTF_8), keyed).jobId();
  }

  private static long logRows(StorePlace place) {
    return StoreCopyTest.rows(place).keySet().stream()
        .filter(key -> Keyspace.find(key) == Keyspace.SLOT && SlotKeys.isOfLog(key))
        .count();
  }

  private static List<String> keys(JobReader engine, String queue, JobState state) {
    return engine.peek(QueueName.of(queue), state, PageRequest.first(100)).items().stream()
        .map(job -> new String(job.payload(), UTF_8))
        .toList();
  }

  /** Opens the store, works on it, and leaves it without a job. */
  private static void assertRight(StorePlace place) {
    try (JobEngine engine = StoreCopyTest.open(place)) {
      assertThat(engine.verify().isClean()).isTrue();
      for (String queue : QUEUES) {
        List.of("a", "b", "c").forEach(key -> enqueue(engine.queue(queue), key));
        assertThat(keys(engine, queue, JobState.READY)).containsExactly("a", "b", "c");
        assertThat(keys(engine, queue, JobState.BLOCKED)).containsExactlyInAnyOrder("a", "a", "b");
        engine
            .completeAll(engine.queue(queue).claim(ClaimOptions.by("w").max(9)))
            .forEach(Result::orThrow);
        assertThat(keys(engine, queue, JobState.READY)).containsExactly("a", "b");
        engine
            .completeAll(engine.queue(queue).claim(ClaimOptions.by("w").max(9)))
            .forEach(Result::orThrow);
        engine
            .completeAll(engine.queue(queue).claim(ClaimOptions.by("w").max(9)))
            .forEach(Result::orThrow);
      }
      assertThat(engine.verify().isClean()).isTrue();
    }
    assertThat(StoreCopyTest.rows(place).keySet())
        .noneMatch(key -> Keyspace.find(key) == Keyspace.SLOT);
  }

  @Test
  void open_countsTheKeysAnew() {
    assertRight(older);
  }

  @Test
  void open_killedAtAnyWrite_theNextOpeningCountsTheKeysAnew() {
    int cutCount = 0;
    for (int write = 0; write < WRITE_COUNT_MAX; write++) {
      StorePlace copy = place("copy-" + write);
      Stores.copy(older, copy);
      machine.plan(cutAt(machine.callCount(StoreCall.WRITE) + write));
      boolean isCut = isCutAtOpening(copy);
      machine.plan(FaultPlan.none());
      machine.crash();
      if (!isCut) {
        break;
      }
      cutCount++;

      assertRight(copy);
    }
    assertThat(cutCount).as("writes of an opening").isBetween(4, WRITE_COUNT_MAX - 1);
  }

  private static FaultPlan cutAt(long index) {
    return (call, at) ->
        call == StoreCall.WRITE && at >= index
            ? at == index ? Fault.UNKNOWN : Fault.BEFORE
            : Fault.NONE;
  }

  private static boolean isCutAtOpening(StorePlace place) {
    JobEngine engine;
    try {
      engine = StoreCopyTest.open(place);
    } catch (StoreFailedException e) {
      return true;
    }
    try {
      engine.close();
      return false;
    } catch (StoreFailedException e) {
      // Only its goodbye was cut.
      return false;
    }
  }

  @Test
  void inspect_findsNothingAndNamesTheHolderThatIsThere() {
    try (JobReader reader = JobEngine.inspect(older.factory(), older.options())) {
      Explanation told = reader.explain(blocked).orElseThrow();

      assertThat(reader.verify().isClean()).isTrue();
      assertThat(told.toString()).contains(holder.toString());
    }
  }

  @Test
  void copy_takesTheLogAlongAndIsCountedAnew() {
    StorePlace copy = place("copy");

    Stores.copy(older, copy);

    assertThat(logRows(copy)).isEqualTo(2);
    assertRight(copy);
  }

  @Test
  void repair_findsNothingAndWritesNoLog() {
    StorePlace repaired = place("repaired");
    List<String> findings = new ArrayList<>();

    Stores.repair(older, repaired, finding -> findings.add(finding.toString()));

    assertThat(findings).isEmpty();
    assertThat(logRows(repaired)).isZero();
    assertRight(repaired);
  }
}
