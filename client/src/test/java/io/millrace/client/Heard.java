package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobEvent;
import io.millrace.api.JobListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A listener that keeps what it is told, and waits for it. */
class Heard implements JobListener {

  private static final long PAUSE_NS = 200_000;

  final List<JobEvent> events = Collections.synchronizedList(new ArrayList<>());
  final List<Long> gaps = Collections.synchronizedList(new ArrayList<>());

  @Override
  public void happened(JobEvent event) {
    events.add(event);
  }

  @Override
  public void missed(long count) {
    gaps.add(count);
  }

  /** Returns the types of the events' jobs. */
  List<String> types() {
    return List.copyOf(events).stream().map(JobEvent::type).toList();
  }

  /** Waits for as many events, and returns them. */
  List<JobEvent> await(int count) {
    await("events: " + count, () -> events.size() >= count);
    return List.copyOf(events);
  }

  static void await(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).as(what).isNegative();
      LockSupport.parkNanos(PAUSE_NS);
    }
  }
}
