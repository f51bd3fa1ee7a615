package io.millrace.internal.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.RepairReport;
import io.millrace.api.VerifyReport;
import io.millrace.internal.copy.Repair;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlockedKeys;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.HistoryKeys;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.LeaseKeys;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.QuarantineKeys;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.RowCheck;
import io.millrace.internal.format.Sequences;
import io.millrace.internal.format.SignalKeys;
import io.millrace.internal.format.SlotKeys;
import io.millrace.internal.format.TableKeys;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.read.StoreReader;
import io.millrace.internal.transition.upkeep.Quarantine;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A damaged row, of whatever keyspace, is known for one by each program that goes over rows. */
final class EveryKeyspaceTest {

  /** Rows that the engine leaves as they are: {@link Quarantine} says why. */
  private static final Set<Keyspace> LEFT =
      Set.of(Keyspace.META, Keyspace.LEASE, Keyspace.AGENDA, Keyspace.QUARANTINE);

  private static final byte[] GARBAGE = {1, 2, 3};
  private static final byte[] PART = "key".getBytes(UTF_8);
  private static final long SEQUENCE = Sequences.first(1) + 1_000;

  private final TransitionRig rig = new TransitionRig();
  private int queue;

  @BeforeEach
  void fill() {
    rig.enqueue(EnqueueOptions.DEFAULT);
    queue = rig.mail().number();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @ParameterizedTest
  @EnumSource
  void flaw_ofADamagedRow_isTold(Keyspace keyspace) {
    assertThat(RowCheck.flaw(key(keyspace))).isNull();
    assertThat(RowCheck.flaw(key(keyspace), GARBAGE)).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void quarantine_damagedRow_isSetAsideUnlessItIsLeft(Keyspace keyspace) {
    damage(keyspace);

    assertThat(rig.apply(new Quarantine(key(keyspace)))).isEqualTo(!LEFT.contains(keyspace));

    assertThat(isAside(key(keyspace))).isEqualTo(!LEFT.contains(keyspace));
  }

  @ParameterizedTest
  @EnumSource
  void quarantine_keyThatIsNone_isSetAsideAlone(Keyspace keyspace) {
    byte[] key = Bytes.successor(key(keyspace));
    if (LEFT.contains(keyspace)) {
      return;
    }
    rig.put(key, GARBAGE);

    assertThat(rig.apply(new Quarantine(key))).isTrue();

    assertThat(isAside(key)).isTrue();
    assertThat(problems()).isEmpty();
  }

  /** Of rows in quarantine verify says no more than how many there are. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUARANTINE")
  void verify_damagedRow_isListed(Keyspace keyspace) {
    damage(keyspace);

    assertThat(problems()).contains(Bytes.hex(key(keyspace)));
  }

  /** Rows in quarantine are kept as they are. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUARANTINE")
  void repair_damagedRow_isTold(Keyspace keyspace) {
    damage(keyspace);

    List<String> found = new ArrayList<>();
    StoreOptions options = StoreOptions.of(Path.of("repaired-" + UUID.randomUUID()));
    try (OrderedStore repaired =
        ServiceLoader.load(StoreFactory.class).findFirst().orElseThrow().open(options)) {
      Repair.run(
          rig.store, repaired, rig.nowMs, (RepairReport.Finding told) -> found.add(told.key()));
    }

    assertThat(found).contains(Bytes.hex(key(keyspace)));
  }

  /** The counts are lost as well: so a row that was never counted is counted when it goes. */
  private void damage(Keyspace keyspace) {
    rig.put(key(keyspace), GARBAGE);
    rig.put(CounterKeys.key(queue), GARBAGE);
    rig.state.forgetStored();
  }

  private boolean isAside(byte[] key) {
    return rig.keys(Keyspace.QUARANTINE).stream()
        .anyMatch(aside -> Bytes.hex(QuarantineKeys.originalKey(aside)).equals(Bytes.hex(key)));
  }

  private List<String> problems() {
    try (StoreReader reader =
        new StoreReader(() -> rig.store, () -> rig.nowMs, key -> {}, () -> {})) {
      return reader.verify().problems().stream().map(VerifyReport.Problem::key).toList();
    }
  }

  /** A key of the keyspace, at which there may be a row. */
  private byte[] key(Keyspace keyspace) {
    return switch (keyspace) {
      case META -> MetaKeys.TIME;
      case QUEUE -> QueueKeys.key(TransitionRig.MAIL);
      case QUEUE_NAME -> QueueNameKeys.key(queue);
      case COUNTERS -> CounterKeys.key(queue);
      case QUARANTINE -> QuarantineKeys.key(5, PART);
      case LEASE -> LeaseKeys.key(queue, SEQUENCE);
      case DELAYED -> DelayedKeys.key(queue, 5, SEQUENCE);
      case BLOCKED -> BlockedKeys.key(queue, PART, 0, SEQUENCE);
      case SLOT -> SlotKeys.key(queue, PART);
      case WAITING -> WaitingKeys.key(queue, PART, SEQUENCE);
      case SIGNAL -> SignalKeys.key(queue, PART);
      case DEAD -> DeadKeys.key(queue, 5, SEQUENCE);
      case DONE -> DoneKeys.key(queue, 5, SEQUENCE);
      case HISTORY -> HistoryKeys.key(queue, SEQUENCE, 1);
      case TIMER -> TimerKeys.key(5, queue, TimerKeys.Kind.TIME_TO_LIVE, SEQUENCE);
      case AGENDA -> AgendaKeys.key(5, queue);
      case UNIQUE -> UniqueKeys.key(queue, PART);
      case MOVED -> MovedKeys.key(queue, SEQUENCE);
      case BLOB -> BlobKeys.key(queue, SEQUENCE, 1);
      case TABLE -> TableKeys.key("table", PART);
      case READY -> ReadyKeys.key(queue, 0, SEQUENCE);
    };
  }
}
