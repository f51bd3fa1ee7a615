package io.millrace.internal.commit;

import io.millrace.internal.measure.Gauges;
import io.millrace.internal.measure.Gauges.Gauge;
import io.millrace.internal.state.WorkingSet;

/** Notes how much there is in memory; nothing is gone over for it. */
final class GaugeNotes {

  private GaugeNotes() {}

  static void note(WorkingSet state, Gauges gauges) {
    gauges.set(Gauge.LEASES, state.leases().size());
    gauges.set(Gauge.PARKED_CLAIMS, state.parked().count());
    gauges.set(Gauge.WINDOW_BYTES, state.windowBytes());
    gauges.set(Gauge.RATE_BUCKETS, state.rates().size());
    gauges.set(Gauge.RATE_LIMITED_QUEUES, state.rates().waitingQueueCount());
    gauges.set(Gauge.TENANT_NAMES, state.tenants().size());
    gauges.set(Gauge.TENANT_TURNS, state.tenants().turnCount());
    gauges.set(Gauge.BROADCASTS, state.broadcasts().count());
  }
}
