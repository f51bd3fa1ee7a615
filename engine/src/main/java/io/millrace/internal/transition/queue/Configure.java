package io.millrace.internal.transition.queue;

import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A change of a queue's settings; the queue comes to be if it did not exist. If its settings are
 * not those that the change is based on, nothing happens, and the answer is what they are.
 */
public final class Configure implements Transition<Optional<QueueSettings>> {

  private final QueueName queueName;
  private final Growth growth;
  private final @Nullable QueueSettings expected;
  private final UnaryOperator<QueueRecord> update;

  private Configure(
      QueueName queueName,
      Growth growth,
      @Nullable QueueSettings expected,
      UnaryOperator<QueueRecord> update) {
    this.queueName = queueName;
    this.growth = growth;
    this.expected = expected;
    this.update = update;
  }

  /** Creates a change to these settings, which happens if the expected ones hold. */
  public static Configure settings(
      QueueName queue, QueueSettings expected, QueueSettings settings) {
    QueueSettings own = settings.over(QueueSettings.DEFAULT);
    return new Configure(queue, Growth.GROWS, expected, record -> record.withSettings(own));
  }

  public static Configure paused(QueueName queue) {
    return flag(queue, record -> record.withPaused(true));
  }

  public static Configure resumed(QueueName queue) {
    return flag(queue, record -> record.withPaused(false));
  }

  public static Configure draining(QueueName queue) {
    return flag(queue, record -> record.withDraining(true));
  }

  public static Configure notDraining(QueueName queue) {
    return flag(queue, record -> record.withDraining(false));
  }

  /**
   * Creates a change that goes on while the store is full: it rewrites a row, and is what an
   * operator needs to empty the store.
   */
  private static Configure flag(QueueName queue, UnaryOperator<QueueRecord> update) {
    return new Configure(queue, Growth.FREES, null, update);
  }

  @Override
  public Growth growth() {
    return growth;
  }

  @Override
  public Cost cost() {
    return Cost.QUEUE_ROWS;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    Queues.declare(state, reads, queueName);
  }

  @Override
  public Optional<QueueSettings> apply(OpenBatch batch) {
    QueueState queue = Queues.named(batch, queueName);
    if (expected != null && !expected.equals(queue.settings())) {
      return Optional.of(queue.settings());
    }
    Queues.createIfAbsent(batch, queue);
    boolean wasPaused = queue.record().paused();
    QueueRecord record = update.apply(queue.record()).withOrigin(QueueRecord.Origin.CONFIGURED);
    QueueSettings before = queue.settings();
    batch.state().setRecord(queue, record);
    if (!haveSameRates(before, queue.settings())) {
      batch.state().rates().changed(queue, batch.context().steadyMs());
    }
    byte[] key = QueueKeys.key(queueName);
    batch.put(key, record.encode(key));
    batch.state().markChanged(queue);
    if (queue.isHandOnDue()) {
      batch.state().slots().noteRaised(queueName);
    }
    TenantRing tenants = queue.shared().tenants();
    if (tenants != null && wasPaused && !record.paused()) {
      tenants.enter(queueName);
    }
    batch.wake(queue);
    return Optional.empty();
  }

  static boolean haveSameRates(QueueSettings a, QueueSettings b) {
    return a.rateLimit().equals(b.rateLimit()) && a.rateLimitPerKey().equals(b.rateLimitPerKey());
  }
}
