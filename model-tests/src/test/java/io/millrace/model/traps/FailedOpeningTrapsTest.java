package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.ForwardingStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Whatever fails while an engine is opened, and wherever: nothing of it stays, and the next opening
 * may come at once.
 */
@Tag("slow")
class FailedOpeningTrapsTest {

  private static final int CALLS_MAX = 1_000;

  @TempDir Path folder;

  /** Counts calls while an engine is opened, and fails at one of them. */
  private static final class Tripwire {
    private final AtomicInteger callsLeft = new AtomicInteger();
    private final AtomicBoolean isArmed = new AtomicBoolean();

    void arm(int call) {
      callsLeft.set(call);
      isArmed.set(true);
    }

    void disarm() {
      isArmed.set(false);
    }

    void pass() {
      if (isArmed.get() && callsLeft.decrementAndGet() == 0) {
        throw new OutOfMemoryError("planted");
      }
    }
  }

  private static EngineClock clock(Tripwire tripwire) {
    return new EngineClock() {
      @Override
      public long epochMs() {
        tripwire.pass();
        return SYSTEM.epochMs();
      }

      @Override
      public long monotonicNs() {
        tripwire.pass();
        return SYSTEM.monotonicNs();
      }

      @Override
      public void parkNs(long durationNs) {
        SYSTEM.parkNs(durationNs);
      }
    };
  }

  private static StoreFactory factory(StoreFactory inner, Tripwire tripwire) {
    return ForwardingStore.factory(
        inner,
        store -> proxy((proxy, method, arguments) -> call(store, method, arguments, tripwire)));
  }

  private static OrderedStore proxy(InvocationHandler handler) {
    return (OrderedStore)
        Proxy.newProxyInstance(
            OrderedStore.class.getClassLoader(), new Class<?>[] {OrderedStore.class}, handler);
  }

  private static Object call(
      OrderedStore store, Method method, Object[] arguments, Tripwire tripwire) throws Throwable {
    if (!method.getName().equals("close")) {
      tripwire.pass();
    }
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static long threadCount() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("millrace-(commit|answer)"))
        .filter(Thread::isAlive)
        .count();
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.FAULTY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void open_failsAtAnyCallOfTheStore_canBeTriedAgainAtOnce(StoreKind kind) {
    Tripwire tripwire = new Tripwire();
    StoreFactory factory = factory(kind.newFactory(), tripwire);

    assertEveryCallFails(factory, EngineOptions.DEFAULT, tripwire);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.FAULTY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void open_failsAtAnyLookAtTheClock_canBeTriedAgainAtOnce(StoreKind kind) {
    Tripwire tripwire = new Tripwire();

    assertEveryCallFails(kind.newFactory(), EngineOptions.DEFAULT.clock(clock(tripwire)), tripwire);
  }

  /** The first call that is not reached ends it; one that the loop makes later poisons at most. */
  private void assertEveryCallFails(
      StoreFactory factory, EngineOptions options, Tripwire tripwire) {
    long threadsBefore = threadCount();
    int failedCount = 0;
    boolean isThrough = false;
    for (int call = 1; call <= CALLS_MAX && !isThrough; call++) {
      tripwire.arm(call);
      try {
        JobEngine engine =
            JobEngine.open(factory, StoreOptions.of(folder.resolve("store")), options);
        tripwire.disarm();
        engine.close();
        isThrough = true;
      } catch (OutOfMemoryError e) {
        tripwire.disarm();
        failedCount++;
        assertThat(e).hasMessage("planted");
      }
      TrapTest.await("its threads are gone", () -> threadCount() == threadsBefore);
    }
    assertThat(isThrough).isTrue();
    assertThat(failedCount).isPositive();
    JobEngine.open(factory, StoreOptions.of(folder.resolve("store")), options).close();
  }

  /** What is told to JMX is asked for when the loop runs already. */
  @ParameterizedTest
  @EachStoreKind({StoreKind.FAULTY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void open_failsOnceTheLoopRuns_canBeTriedAgainAtOnce(StoreKind kind) {
    AtomicBoolean hasWritten = new AtomicBoolean();
    AtomicBoolean isBroken = new AtomicBoolean(true);
    StoreFactory factory =
        ForwardingStore.factory(
            kind.newFactory(),
            store ->
                proxy(
                    (proxy, method, arguments) -> {
                      boolean isOpener = !Thread.currentThread().getName().startsWith("millrace");
                      if (isOpener
                          && isBroken.get()
                          && hasWritten.get()
                          && method.getReturnType() == StoreInfo.class) {
                        throw new IllegalStateException("planted");
                      }
                      hasWritten.compareAndSet(false, method.getName().equals("write"));
                      return call(store, method, arguments, new Tripwire());
                    }));
    long threadsBefore = threadCount();

    assertThatThrownBy(
            () ->
                JobEngine.open(
                    factory, StoreOptions.of(folder.resolve("store")), EngineOptions.DEFAULT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("planted");

    TrapTest.await("its threads are gone", () -> threadCount() == threadsBefore);
    isBroken.set(false);
    try (JobEngine engine =
        JobEngine.open(factory, StoreOptions.of(folder.resolve("store")), EngineOptions.DEFAULT)) {
      engine.queue("mail").enqueue(new byte[1]);
      assertThat(engine.verify().problems()).isEmpty();
    }
  }
}
