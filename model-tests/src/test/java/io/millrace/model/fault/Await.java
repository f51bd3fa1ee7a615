package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting for what must come, however slow the machine is. */
final class Await {

  private static final long WAIT_SECONDS_MAX = 60;

  private Await() {}

  /** Waits until the condition holds; fails if it never does. */
  static void until(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).as("waited too long until " + what).isNegative();
      Load.pause(1);
    }
  }
}
