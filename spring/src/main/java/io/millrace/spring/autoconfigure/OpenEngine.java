package io.millrace.spring.autoconfigure;

import io.millrace.api.EngineOptions;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreLockedException;
import io.millrace.spring.EngineCustomizer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the engine that properties describe, and waits for its store if another one holds it. */
final class OpenEngine {

  static final String LOCATION = "millrace.location";
  static final String AWAIT_LOCK = "millrace.await-lock";

  private static final Logger LOG = LoggerFactory.getLogger(OpenEngine.class);

  /** The wait between two tries to get a store that another process holds. */
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

  private final MillraceProperties properties;
  private final List<EngineCustomizer> customizers;

  OpenEngine(MillraceProperties properties, List<EngineCustomizer> customizers) {
    this.properties = properties;
    this.customizers = customizers;
  }

  /**
   * Opens the engine.
   *
   * @throws ConfigurationFault no location is set, or it is a wrong one
   * @throws StoreLockedException another process holds the store, for longer than is to be waited
   * @throws io.millrace.spi.StoreException it cannot be opened; subclass and message say why
   */
  JobEngine open() {
    String location = location();
    EngineOptions options = options();
    long beganNs = System.nanoTime();
    boolean isTold = false;
    while (true) {
      try {
        return JobEngine.open(location, options);
      } catch (IllegalArgumentException e) {
        throw new ConfigurationFault(
            LOCATION + " or an option of the engine is wrong: " + e.getMessage(),
            "Set " + LOCATION + " to a kind of store and its folder, such as lmdb:./data/jobs",
            e);
      } catch (StoreLockedException e) {
        if (!canWait(beganNs)) {
          throw e;
        }
        if (!isTold) {
          LOG.info(
              "store is held, and waited for: {}={}, {}",
              AWAIT_LOCK,
              properties.awaitLock(),
              e.getMessage());
          isTold = true;
        }
        LockSupport.parkNanos(this, BETWEEN_TRIES.toNanos());
      }
    }
  }

  /** Tells whether there is time left to wait; an interrupt ends it, and stays set. */
  private boolean canWait(long beganNs) {
    return System.nanoTime() - beganNs < properties.awaitLock().toNanos()
        && !Thread.currentThread().isInterrupted();
  }

  private String location() {
    @Nullable String location = properties.location();
    if (location == null || location.isBlank()) {
      throw new ConfigurationFault(
          LOCATION + " is not set, so there is no store to keep jobs in",
          "Set it to a folder that outlives the application, such as lmdb:./data/jobs; or to"
              + " memory:jobs if jobs may be lost whenever it ends");
    }
    return location;
  }

  /**
   * Returns the options. The engine does not close itself when the JVM shuts down, as the worker
   * still needs it then: the application context closes both, one after the other.
   */
  private EngineOptions options() {
    EngineOptions options =
        EngineOptions.DEFAULT.durability(properties.durability()).closeAtShutdown(false);
    if (properties.name() != null) {
      options = options.name(properties.name());
    }
    for (EngineCustomizer each : customizers) {
      options = each.customize(options);
    }
    return options;
  }
}
