package io.millrace.spi.testkit.shared;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.OwnerName;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.WriteBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Contract of stores that several owners share: there is one owner at a time, the one that opened
 * the store last, and an outcome is known whatever becomes of the connection. In place of the tests
 * of stores in folders that are about locks, processes and lost files.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class SharedStoreContractTest {

  private static final OwnerName FIRST =
      OwnerName.of("first-host", 11, "node-1").address("10.0.0.1:7171");
  private static final OwnerName SECOND = OwnerName.of("second-host", 22, "node-2");
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] BEYOND = {(byte) 0xFF};

  private final SharedPlace place;
  private final SharedPlace.Link link;
  private final SharedPlace.Link otherLink;
  private final List<OrderedStore> opened = new ArrayList<>();

  protected SharedStoreContractTest(SharedPlace.Fixture fixture) {
    this.place = fixture.newPlace();
    this.link = place.newLink();
    this.otherLink = place.newLink();
  }

  @AfterEach
  void close() {
    link.heal();
    otherLink.heal();
    for (OrderedStore store : opened) {
      try {
        store.close();
      } catch (StoreException e) {
        // A store that lost its place, or was cut off, has said what the test expects.
        continue;
      }
    }
    place.close();
  }

  @Test
  void info_ofASharedStore_saysSo() {
    StoreInfo info = first().info();

    assertThat(info.sharing()).isEqualTo(StoreInfo.Sharing.SHARED);
    assertThat(info.folder()).isEmpty();
    assertThat(info.keyBytesMax()).isGreaterThanOrEqualTo(StoreInfo.KEY_BYTES_LEAST);
    assertThat(info.valueBytesMax()).isGreaterThanOrEqualTo(StoreInfo.VALUE_BYTES_LEAST);
    assertThat(info.batchOperationsMax()).isGreaterThanOrEqualTo(StoreInfo.BATCH_OPERATIONS_LEAST);
    assertThat(info.batchBytesMax()).isGreaterThanOrEqualTo(info.valueBytesMax());
  }

  @Test
  void open_whileHeld_isRefusedAndSaysByWhomAndForHowLong() {
    OrderedStore held = first();

    StoreLockedException locked = catchThrowableOfType(StoreLockedException.class, this::second);

    assertThat(locked).hasMessageContaining("first-host").hasMessageContaining("node-1");
    assertThat(locked.holder().map(OwnerName::toString)).contains(FIRST.toString());
    assertThat(locked.holderPid()).hasValue(11);
    assertThat(locked.freeIn().orElseThrow()).isPositive().isLessThanOrEqualTo(ownedFor());
    put(held, "still mine");
  }

  @Test
  void open_whileHeld_locationWithAPassword_isNotShown() {
    first();
    String location = place.options().location();
    String secretly = location + (location.contains("?") ? "&" : "?") + "password=hidden";
    StoreOptions secret = StoreOptions.of(secretly).owner(SECOND);

    assertThatThrownBy(() -> otherLink.open(secret))
        .isInstanceOf(StoreException.class)
        .message()
        .doesNotContain("hidden");
  }

  @Test
  void open_whenTheTimeIsOver_takesOverAllThereIs() {
    OrderedStore old = first();
    put(old, "old");
    long oldEpoch = old.epoch();

    place.letPass(ownedFor().plusMillis(1));
    OrderedStore taken = second();

    assertThat(taken.epoch()).isGreaterThan(oldEpoch);
    assertThat(taken.lastCommit()).isEqualTo(1);
    assertThat(taken.syncedCommit()).isEqualTo(1);
    assertThat(value(taken)).isEqualTo("old");
  }

  @Test
  void settle_whileTimePasses_keepsTheStore() {
    OrderedStore held = first();
    for (int i = 0; i < 6; i++) {
      place.letPass(ownedFor().dividedBy(2));
      held.settle();
    }

    assertThatThrownBy(this::second).isInstanceOf(StoreLockedException.class);
  }

  @Test
  void write_whileTimePasses_keepsTheStore() {
    OrderedStore held = first();
    for (int i = 0; i < 6; i++) {
      place.letPass(ownedFor().dividedBy(2));
      put(held, "value " + i);
    }

    assertThatThrownBy(this::second).isInstanceOf(StoreLockedException.class);
  }

  @Test
  void write_timeIsOverAndNobodyCame_goesOn() {
    OrderedStore held = first();

    place.letPass(ownedFor().multipliedBy(3));
    put(held, "late");

    assertThat(value(held)).isEqualTo("late");
    assertThatThrownBy(this::second).isInstanceOf(StoreLockedException.class);
  }

  @Test
  void write_afterATakeOver_isFencedAndNothingOfItIsThere() {
    OrderedStore old = first();
    put(old, "old");
    OrderedStore taken = takeOver();

    // The number is the next one for both: only the epoch tells them apart.
    assertThatThrownBy(() -> put(old, "too late")).isInstanceOf(StoreFencedException.class);
    assertThatThrownBy(() -> put(old, "again")).isInstanceOf(StoreFencedException.class);

    assertThat(value(taken)).isEqualTo("old");
    assertThat(taken.lastCommit()).isEqualTo(1);
    put(taken, "new");
    assertThatThrownBy(() -> put(old, "later still")).isInstanceOf(StoreFencedException.class);
    assertThat(value(taken)).isEqualTo("new");
    assertThat(old.lastCommit()).isEqualTo(1);
  }

  @Test
  void settle_afterATakeOver_isFenced() {
    OrderedStore old = first();
    OrderedStore taken = takeOver();

    assertThatThrownBy(old::settle).isInstanceOf(StoreFencedException.class);
    put(taken, "new");
  }

  @Test
  void sync_afterATakeOver_isFenced() {
    OrderedStore old = first();
    write(old, "buffered", WriteBatch.Wanted.BUFFERED);
    assertThat(old.syncedCommit()).isZero();
    OrderedStore taken = takeOver();

    assertThatThrownBy(old::sync).isInstanceOf(StoreFencedException.class);
    assertThat(value(taken)).isEqualTo("buffered");
  }

  @Test
  void close_afterATakeOver_leavesTheStoreToTheOther() {
    OrderedStore old = first();
    OrderedStore taken = takeOver();

    old.close();

    put(taken, "new");
    assertThatThrownBy(() -> open(link, FIRST)).isInstanceOf(StoreLockedException.class);
  }

  @Test
  void close_byTheOwner_freesTheStoreAtOnce() {
    OrderedStore old = first();
    put(old, "old");
    old.close();

    assertThat(value(second())).isEqualTo("old");
  }

  @Test
  void open_byTheSameOwnerAgain_takesOverAtOnce() {
    OrderedStore old = first();
    put(old, "old");

    OrderedStore again = open(otherLink, FIRST);

    assertThat(again.epoch()).isGreaterThan(old.epoch());
    assertThatThrownBy(() -> put(old, "too late")).isInstanceOf(StoreFencedException.class);
    put(again, "new");
    assertThat(value(again)).isEqualTo("new");
  }

  @Test
  void write_sameNumberTwice_isRefused() {
    OrderedStore store = first();
    put(store, "once");
    WriteBatch twice = new WriteBatch(1);
    twice.put(KEY, "twice".getBytes(UTF_8));

    assertThatIllegalArgumentException().isThrownBy(() -> store.write(twice));

    assertThat(value(store)).isEqualTo("once");
  }

  @Test
  void write_synced_isDurableWhenItReturns() {
    OrderedStore store = first();

    write(store, "buffered", WriteBatch.Wanted.BUFFERED);
    assertThat(store.syncedCommit()).isLessThanOrEqualTo(1);
    write(store, "synced", WriteBatch.Wanted.SYNCED);

    assertThat(store.syncedCommit()).isEqualTo(2);
    write(store, "buffered again", WriteBatch.Wanted.BUFFERED);
    store.sync();
    assertThat(store.syncedCommit()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(CutPoint.class)
  void anyCall_connectionBreaksThere_outcomeIsKnownAndHappensOnce(CutPoint point) {
    link.breakAt(point);
    OrderedStore store = first();

    write(store, "1", WriteBatch.Wanted.BUFFERED);
    store.settle();
    assertThat(value(store)).isEqualTo("1");
    store.sync();
    put(store, "2");

    assertThat(store.lastCommit()).isEqualTo(2);
    assertThat(store.syncedCommit()).isEqualTo(2);
    assertThat(value(store)).isEqualTo("2");
    store.close();
    OrderedStore next = second();
    assertThat(next.lastCommit()).isEqualTo(2);
    assertThat(value(next)).isEqualTo("2");
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE_WRITE", "AFTER_WRITE"})
  void write_cutOffForGood_isUnknownHereAndWholeOrAbsentThere(CutPoint point) {
    OrderedStore old = first();
    put(old, "old");
    link.cutOffAt(point);

    assertThatThrownBy(() -> put(old, "new")).isInstanceOf(StoreFailedException.class);
    OrderedStore taken = takeOver();

    boolean isThere = point == CutPoint.AFTER_WRITE;
    assertThat(taken.lastCommit()).isEqualTo(isThere ? 2 : 1);
    assertThat(value(taken)).isEqualTo(isThere ? "new" : "old");
    link.heal();
    assertThatThrownBy(() -> put(old, "late")).isInstanceOf(StoreException.class);
    assertThat(value(taken)).isEqualTo(isThere ? "new" : "old");
  }

  @Test
  void settle_cutOff_isLeftToTheNextCall() {
    OrderedStore store = first();
    put(store, "value");
    place.letPass(ownedFor().dividedBy(2));
    link.cutOffAt(CutPoint.BEFORE_SETTLE);
    store.settle();
    link.heal();

    store.settle();

    place.letPass(ownedFor().dividedBy(2));
    assertThatThrownBy(this::second).isInstanceOf(StoreLockedException.class);
    put(store, "mine");
  }

  @Test
  void read_cutOff_isUnavailableAndTheStoreGoesOn() throws Exception {
    OrderedStore store = first();
    put(store, "value");
    link.cutOffAt(CutPoint.BEFORE_READ);

    assertUnavailable(() -> value(store));
    assertUnavailable(() -> elsewhere(() -> store.read()));
    assertUnavailable(() -> elsewhere(() -> store.getAll(List.of(KEY))));
    assertUnavailable(() -> store.getAll(List.of(KEY)));

    link.heal();
    assertThat(value(store)).isEqualTo("value");
    assertThat(elsewhere(() -> value(store))).isEqualTo("value");
    put(store, "next");
  }

  @Test
  void open_cutOffBefore_isUnavailableAndNothingIsTaken() {
    link.cutOffAt(CutPoint.BEFORE_OPEN);

    assertUnavailable(this::first);

    put(second(), "free");
  }

  @Test
  void open_cutOffAfter_isUnavailableAndFreeWhenItsTimeIsOver() {
    link.cutOffAt(CutPoint.AFTER_OPEN);

    assertUnavailable(this::first);

    assertThatThrownBy(this::second).isInstanceOf(StoreLockedException.class);
    put(takeOver(), "free");
  }

  @Test
  void view_acrossATakeOver_seesWhatItSaw() throws Exception {
    OrderedStore old = first();
    put(old, "old");
    try (ReadView view = elsewhere(old::read)) {
      put(takeOver(), "new");

      assertThat(view.commit()).isEqualTo(1);
      assertThat(view.get(KEY)).asString(UTF_8).isEqualTo("old");
    }
  }

  @Test
  void viewOfTheWriter_acrossATakeOver_seesWhatItSawOrIsFenced() {
    OrderedStore old = first();
    put(old, "old");
    try (ReadView view = old.read()) {
      put(takeOver(), "new");

      assertThat(view.commit()).isEqualTo(1);
      if (place.fencesViewsOfTheWriter()) {
        assertThatThrownBy(() -> view.get(KEY)).isInstanceOf(StoreFencedException.class);
        assertThatThrownBy(() -> view.scan(KEY, BEYOND, 1, (key, value) -> true))
            .isInstanceOf(StoreFencedException.class);
      } else {
        assertThat(view.get(KEY)).asString(UTF_8).isEqualTo("old");
      }
    }
    assertThatThrownBy(() -> put(old, "too late")).isInstanceOf(StoreFencedException.class);
  }

  @Test
  void openReadOnly_besideTheOwner_looksOnAndTakesNothing() {
    OrderedStore owner = first();
    put(owner, "1");

    OrderedStore looking =
        keep(otherLink.open(place.options().owner(SECOND).access(Access.READ_ONLY)));

    assertThat(looking.epoch()).isEqualTo(owner.epoch());
    assertThat(value(looking)).isEqualTo("1");
    put(owner, "2");
    assertThat(value(looking)).isEqualTo("2");
    assertThat(looking.lastCommit()).isEqualTo(2);
    assertThatThrownBy(() -> put(looking, "3")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(looking::settle).isInstanceOf(IllegalStateException.class);
    looking.close();
    put(owner, "3");
    assertThat(value(owner)).isEqualTo("3");
  }

  @Test
  void openReadOnly_withoutAStore_isRefused() {
    assertThatThrownBy(() -> link.open(place.options().access(Access.READ_ONLY)))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void open_manyTakeOvers_noEpochIsGivenTwice() {
    List<Long> epochs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      epochs.add(open(link, FIRST).epoch());
      epochs.add(takeOver().epoch());
      place.letPass(ownedFor().plusMillis(1));
    }

    assertThat(epochs).isSorted().doesNotHaveDuplicates();
  }

  private OrderedStore first() {
    return open(link, FIRST);
  }

  private OrderedStore second() {
    return open(otherLink, SECOND);
  }

  /** Takes the store over by the second owner, once the time of the present one is over. */
  private OrderedStore takeOver() {
    place.letPass(ownedFor().plusMillis(1));
    return second();
  }

  private OrderedStore open(SharedPlace.Link way, OwnerName owner) {
    return keep(way.open(place.options().owner(owner)));
  }

  private OrderedStore keep(OrderedStore store) {
    opened.add(store);
    return store;
  }

  private Duration ownedFor() {
    return place.options().ownedFor();
  }

  private static void put(OrderedStore store, String value) {
    write(store, value, WriteBatch.Wanted.SYNCED);
  }

  private static void write(OrderedStore store, String value, WriteBatch.Wanted wanted) {
    WriteBatch batch = new WriteBatch(store.lastCommit() + 1);
    batch.put(KEY, value.getBytes(UTF_8));
    batch.want(wanted);
    store.write(batch);
  }

  /** Returns the one value, which every way of reading finds. */
  private static String value(OrderedStore store) {
    List<String> found = new ArrayList<>();
    found.add(new String(store.getAll(List.of(KEY)).get(0), UTF_8));
    try (ReadView view = store.read()) {
      view.scan(new byte[0], BEYOND, 10, (key, value) -> found.add(new String(value, UTF_8)));
    }
    assertThat(found).hasSize(2).containsOnly(found.get(0));
    return found.get(0);
  }

  /** Calls on a thread of its own, which is not the writer's, and throws what was thrown. */
  private static <T> T elsewhere(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    new Thread(task, "not-the-writer").start();
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StoreUnavailableException.class);
  }
}
