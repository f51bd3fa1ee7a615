package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobId;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.store.memory.MemoryStoreFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An engine whose store has a clock goes by that, and not by its host's. */
class StoreClockTrapsTest {

  private static final Duration AHEAD = Duration.ofDays(3);
  private static final Duration SLACK = Duration.ofMinutes(1);

  private final StoreOptions place = StoreOptions.of(UUID.randomUUID().toString());

  /** Returns a factory of stores whose clock is ahead of the host's by days. */
  private static StoreFactory ahead() {
    return ForwardingStore.factory(
        new MemoryStoreFactory(),
        store ->
            new ForwardingStore(store) {
              @Override
              public OptionalLong clockMs() {
                store.epoch(); // throws when it is closed
                return OptionalLong.of(System.currentTimeMillis() + AHEAD.toMillis());
              }
            });
  }

  private static Instant enqueuedAt(JobEngine engine) {
    JobId id = engine.queue("mail").enqueue(new byte[0]).jobId();
    return engine.get(id).orElseThrow().enqueuedAt();
  }

  private static void assertAbout(Instant found, Instant expected) {
    assertThat(found).isBetween(expected.minus(SLACK), expected.plus(SLACK));
  }

  @Test
  void open_storeWithAClock_timesAreTheStores() {
    try (JobEngine engine = JobEngine.open(ahead(), place, EngineOptions.DEFAULT)) {
      assertAbout(enqueuedAt(engine), Instant.now().plus(AHEAD));
      assertAbout(engine.metrics().at(), Instant.now().plus(AHEAD));
      assertThat(engine.health().warnings()).isEmpty();
    }
  }

  @Test
  void open_storeWithoutAClock_timesAreTheHosts() {
    try (JobEngine engine =
        JobEngine.open(new MemoryStoreFactory(), place, EngineOptions.DEFAULT)) {
      assertAbout(enqueuedAt(engine), Instant.now());
    }
  }

  @Test
  void open_clockOfTheUser_isTakenAndNotTheStores() {
    EngineClock own =
        new EngineClock() {
          @Override
          public long epochMs() {
            return SYSTEM.epochMs() - AHEAD.toMillis();
          }

          @Override
          public long monotonicNs() {
            return SYSTEM.monotonicNs();
          }

          @Override
          public void parkNs(long durationNs) {
            SYSTEM.parkNs(durationNs);
          }
        };
    try (JobEngine engine = JobEngine.open(ahead(), place, EngineOptions.DEFAULT.clock(own))) {
      assertAbout(enqueuedAt(engine), Instant.now().minus(AHEAD));
    }
  }

  @Test
  void close_storeIsClosed_clockGoesOn() {
    JobEngine engine = JobEngine.open(ahead(), place, EngineOptions.DEFAULT);
    engine.close();

    assertAbout(engine.metrics().at(), Instant.now().plus(AHEAD));
  }
}
