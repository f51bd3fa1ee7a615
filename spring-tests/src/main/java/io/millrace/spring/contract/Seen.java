package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Values that handlers have seen, for tests to wait for. */
final class Seen {

  private static final int WAIT_SECONDS = 30;

  private final BlockingQueue<Object> values = new LinkedBlockingQueue<>();

  void add(Object value) {
    values.add(value);
  }

  /** Returns the next value, once there is one. */
  Object next() {
    try {
      @Nullable Object value = values.poll(WAIT_SECONDS, TimeUnit.SECONDS);
      assertThat(value).as("what a handler has seen").isNotNull();
      return value;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean isEmpty() {
    return values.isEmpty();
  }
}
