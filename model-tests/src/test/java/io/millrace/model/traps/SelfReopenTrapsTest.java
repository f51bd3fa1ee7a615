package io.millrace.model.traps;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CompleteResult;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.EngineListener;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnginePoisonedException;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A poisoned engine opens its store again by itself, patiently, and not for ever. */
@InProcess("how an engine opens its store again by itself")
class SelfReopenTrapsTest extends TrapTest {

  private static final List<Duration> DEFAULT = EngineOptions.REOPEN_AFTER_DEFAULT;

  private final Machine machine = new Machine();
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());

  /** A machine whose disk may be away: then nothing can be opened. */
  private static final class Machine implements StoreFactory {

    private final FaultyStore disk = new FaultyStore(1);
    private final AtomicInteger openings = new AtomicInteger();
    private volatile boolean isAway;
    private volatile boolean isStarved;

    @Override
    public String scheme() {
      return disk.scheme();
    }

    @Override
    public OrderedStore open(StoreOptions options) {
      openings.incrementAndGet();
      if (isStarved) {
        throw new OutOfMemoryError("thrown by the test");
      }
      if (isAway) {
        throw new StoreException("the disk is away");
      }
      return disk.open(options);
    }
  }

  private EngineHarness start(List<Duration> reopenAfter) {
    EngineListener listener =
        new EngineListener() {
          @Override
          public void poisoned(Throwable cause) {
            told.add("poisoned");
          }

          @Override
          public void reopened() {
            told.add("reopened");
          }
        };
    EngineHarness harness =
        new EngineHarness(
            machine,
            folder.resolve("store"),
            clock -> options(clock).reopenAfter(reopenAfter).listener(listener));
    machine.openings.set(0);
    return started(harness);
  }

  private static EngineOptions options(ManualClock clock) {
    return Setup.DEFAULT.options(clock);
  }

  /** Makes the engine's next write fail; answers once it is poisoned. */
  private void poison(EngineHarness harness) {
    machine.disk.failNext(StoreCall.WRITE, Fault.BEFORE);
    assertThatThrownBy(() -> enqueue(mail(harness), "unknown"))
        .isInstanceOf(OutcomeUnknownException.class);
    await("it is poisoned", () -> harness.engine().health().status() == Status.POISONED);
  }

  private void awaitOpenings(int count) {
    await(count + " openings", () -> machine.openings.get() == count);
  }

  /** Lets the time pass up to a millisecond before, where nothing happens, and then over it. */
  private void pass(EngineHarness harness, Duration wait, int openingsAfter) {
    harness.clock().advanceMs(wait.toMillis() - 1);
    harness.awaitNothingDue();
    assertThat(machine.openings.get()).as("before %s are over", wait).isEqualTo(openingsAfter - 1);
    harness.clock().advanceMs(1);
    awaitOpenings(openingsAfter);
  }

  private static void awaitUp(EngineHarness harness) {
    await("it is up", () -> harness.engine().health().status() == Status.UP);
  }

  @Test
  void poisoned_byDefault_isOpenedAgainAfterASecond() {
    assertThat(EngineOptions.DEFAULT.reopenAfter())
        .isEqualTo(DEFAULT)
        .containsExactly(ofSeconds(1), ofSeconds(5), ofSeconds(25));
    EngineHarness harness = start(DEFAULT);
    JobId id = enqueue(mail(harness), "before");
    final Lease lease = claim(mail(harness));
    poison(harness);

    pass(harness, ofSeconds(1), 1);
    awaitUp(harness);

    assertThat(harness.engine().poison()).isEmpty();
    assertThat(lease.remaining()).isEqualTo(ofSeconds(30));
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(enqueue(mail(harness), "after")).isNotNull();
    await("the listener knows", () -> told.equals(List.of("poisoned", "reopened")));
    assertThat(harness.engine().health().warnings()).isEmpty();
    assertThat(harness.engine().health().lastError()).isPresent();
    assertClean(harness);
  }

  @Test
  void poisoned_storeStaysAway_isTriedAfterEachWaitAndThenNotAnyMore() {
    EngineHarness harness = start(DEFAULT);
    JobId id = enqueue(mail(harness), "before");
    machine.isAway = true;
    poison(harness);

    pass(harness, ofSeconds(1), 1);
    pass(harness, ofSeconds(5), 2);
    assertThat(harness.engine().health().status()).isEqualTo(Status.POISONED);
    pass(harness, ofSeconds(25), 3);
    for (int hour = 0; hour < 24; hour++) {
      harness.clock().advanceMs(Duration.ofHours(1).toMillis());
      harness.awaitNothingDue();
    }

    assertThat(machine.openings.get()).isEqualTo(3);
    assertThat(harness.engine().health().status()).isEqualTo(Status.POISONED);
    assertThat(harness.engine().health().lastError().orElseThrow().error())
        .contains("the disk is away");
    assertThatThrownBy(() -> enqueue(mail(harness), "refused"))
        .isInstanceOf(EnginePoisonedException.class);
    await("the listener knows", () -> told.equals(List.of("poisoned")));
    machine.isAway = false;
    harness.engine().reopen();
    awaitUp(harness);
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
    await("the listener knows", () -> told.equals(List.of("poisoned", "reopened")));
    assertClean(harness);
  }

  @Test
  void poisoned_storeComesBack_nextTryFindsIt() {
    EngineHarness harness = start(DEFAULT);
    machine.isAway = true;
    poison(harness);
    pass(harness, ofSeconds(1), 1);
    machine.isAway = false;

    pass(harness, ofSeconds(5), 2);

    awaitUp(harness);
    assertThat(enqueue(mail(harness), "after")).isNotNull();
    assertClean(harness);
  }

  @Test
  void poisoned_forWantOfMemory_isTriedUntilThereIsSome() {
    EngineHarness harness = start(DEFAULT);
    machine.isStarved = true;
    harness.store().breakNextWrite(new OutOfMemoryError("thrown by the test"));
    assertThatThrownBy(() -> enqueue(mail(harness), "unknown"))
        .isInstanceOf(OutcomeUnknownException.class);
    await("it is poisoned", () -> harness.engine().health().status() == Status.POISONED);

    pass(harness, ofSeconds(1), 1);
    pass(harness, ofSeconds(5), 2);
    for (int opening = 3; opening < 10; opening++) {
      pass(harness, ofSeconds(25), opening);
    }
    assertThat(harness.engine().health().reason())
        .isEqualTo("engine met an error: java.lang.OutOfMemoryError: thrown by the test");
    machine.isStarved = false;
    pass(harness, ofSeconds(25), 10);

    awaitUp(harness);
    assertThat(enqueue(mail(harness), "after")).isNotNull();
    assertClean(harness);
  }

  @Test
  void warnings_whilePoisoned_tellWhatIsTriedAndWhatIsNot() {
    EngineHarness harness = start(DEFAULT);
    assertThat(harness.engine().health().warnings()).isEmpty();
    machine.isAway = true;
    poison(harness);

    final List<String> first = harness.engine().health().warnings();
    pass(harness, ofSeconds(1), 1);
    pass(harness, ofSeconds(5), 2);
    pass(harness, ofSeconds(25), 3);
    harness.awaitNothingDue();
    List<String> last = harness.engine().health().warnings();

    assertThat(last).as("first %s", first).hasSize(1).isNotEqualTo(first);
    assertThat(last.get(0)).contains("reopen");
  }

  @Test
  void emptyList_poisoned_waitsForSomebody() {
    EngineHarness harness = start(List.of());
    poison(harness);

    for (int hour = 0; hour < 24; hour++) {
      harness.clock().advanceMs(Duration.ofHours(1).toMillis());
      harness.awaitNothingDue();
    }

    assertThat(machine.openings.get()).isZero();
    assertThat(harness.engine().health().status()).isEqualTo(Status.POISONED);
    harness.engine().reopen();
    assertThat(machine.openings.get()).isEqualTo(1);
    awaitUp(harness);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 100})
  void list_ofOnesOwn_isGoneThrough(int count) {
    EngineHarness harness = start(Collections.nCopies(count, ofMillis(300)));
    machine.isAway = true;
    poison(harness);

    for (int i = 1; i <= count; i++) {
      pass(harness, ofMillis(300), i);
    }
    harness.clock().advanceMs(Duration.ofHours(1).toMillis());
    harness.awaitNothingDue();

    assertThat(machine.openings.get()).isEqualTo(count);
  }

  @Test
  void list_ofAZeroWait_isTriedAtOnce() {
    EngineHarness harness = start(List.of(Duration.ZERO));
    machine.disk.failNext(StoreCall.WRITE, Fault.BEFORE);

    assertThatThrownBy(() -> enqueue(mail(harness), "unknown"))
        .isInstanceOf(OutcomeUnknownException.class);

    awaitOpenings(1);
    awaitUp(harness);
    assertThat(enqueue(mail(harness), "after")).isNotNull();
  }

  @Test
  void poisonedAgain_soonAfterAReopening_goesOnInTheList() {
    EngineHarness harness = start(DEFAULT);
    poison(harness);
    pass(harness, ofSeconds(1), 1);
    awaitUp(harness);

    poison(harness);
    pass(harness, ofSeconds(5), 2);
    awaitUp(harness);
    poison(harness);
    pass(harness, ofSeconds(25), 3);
    awaitUp(harness);
    poison(harness);
    harness.clock().advanceMs(Duration.ofHours(1).toMillis());
    harness.awaitNothingDue();

    assertThat(machine.openings.get()).isEqualTo(3);
    assertThat(harness.engine().health().status()).isEqualTo(Status.POISONED);
    harness.engine().reopen();
  }

  @Test
  void poisonedAgain_afterACalmTime_beginsTheListAnew() {
    EngineHarness harness = start(DEFAULT);
    for (int round = 0; round < 5; round++) {
      poison(harness);
      pass(harness, ofSeconds(1), round + 1);
      awaitUp(harness);
      advance(harness, ofMillis(31_001));
    }

    assertThat(harness.engine().health().status()).isEqualTo(Status.UP);
    assertClean(harness);
  }

  @Test
  void poisonedAgain_somebodyReopenedWhatWorkedNowAndThen_beginsTheListAnewAllTheSame() {
    EngineHarness harness = start(DEFAULT);
    poison(harness);
    pass(harness, ofSeconds(1), 1);
    awaitUp(harness);
    for (int i = 0; i < 4; i++) {
      advance(harness, ofSeconds(10));
      harness.engine().reopen();
    }

    poison(harness);

    pass(harness, ofSeconds(1), 2);
    awaitUp(harness);
  }

  @Test
  void poisonedAgain_reopenedBySomebodyMeanwhile_ownTryIsNotMade() {
    EngineHarness harness = start(DEFAULT);
    poison(harness);
    harness.engine().reopen();
    awaitUp(harness);

    advance(harness, ofSeconds(1));
    harness.awaitNothingDue();

    assertThat(machine.openings.get()).isEqualTo(1);
    assertThat(harness.engine().health().status()).isEqualTo(Status.UP);
  }

  @Test
  @Timeout(30)
  void close_duringTheWait_returnsAndNothingIsOpenedAfterwards() {
    EngineHarness harness = start(DEFAULT);
    poison(harness);

    assertThatThrownBy(() -> harness.engine().close()).isInstanceOf(StoreFailedException.class);

    assertThat(harness.engine().health().status()).isEqualTo(Status.CLOSED);
    harness.clock().advanceMs(Duration.ofHours(1).toMillis());
    assertThat(machine.openings.get()).isZero();
    assertThatThrownBy(() -> enqueue(mail(harness), "late"))
        .isInstanceOf(EngineClosedException.class);
    harness.openAgain();
    assertThat(enqueue(mail(harness), "after")).isNotNull();
    assertClean(harness);
  }

  @Test
  void reopenAfter_badInput_isRefusedWithTheLimit() {
    EngineOptions options = EngineOptions.DEFAULT;

    assertThatThrownBy(() -> options.reopenAfter(Collections.nCopies(101, ofSeconds(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("number of waits in reopenAfter is out of range: value=101, least=0, most=100");
    assertThatThrownBy(() -> options.reopenAfter(List.of(ofMillis(-1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reopenAfter");
  }
}
