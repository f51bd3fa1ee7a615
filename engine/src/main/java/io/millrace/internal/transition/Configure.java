package io.millrace.internal.transition;

import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueRecord;
import io.millrace.internal.state.QueueState;
import java.util.function.UnaryOperator;

/** A queue's settings change; it comes to be if it did not exist. Answers what holds now. */
public final class Configure implements Transition<QueueSettings> {

  private final QueueName queueName;
  private final UnaryOperator<QueueRecord> update;

  private Configure(QueueName queueName, UnaryOperator<QueueRecord> update) {
    this.queueName = queueName;
    this.update = update;
  }

  public static Configure settings(QueueName queue, QueueSettings settings) {
    return new Configure(queue, record -> record.withSettings(settings));
  }

  public static Configure paused(QueueName queue) {
    return new Configure(queue, record -> record.withPaused(true));
  }

  public static Configure resumed(QueueName queue) {
    return new Configure(queue, record -> record.withPaused(false));
  }

  public static Configure draining(QueueName queue) {
    return new Configure(queue, record -> record.withDraining(true));
  }

  public static Configure notDraining(QueueName queue) {
    return new Configure(queue, record -> record.withDraining(false));
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  public int operationCountMax() {
    return 6;
  }

  @Override
  public QueueSettings apply(Change change) {
    QueueState queue = change.queue(queueName);
    if (!queue.exists()) {
      change.create(queue);
    }
    QueueRecord record = update.apply(queue.record()).withOrigin(QueueRecord.Origin.CONFIGURED);
    change.state().setRecord(queue, record);
    byte[] key = QueueKeys.key(queueName);
    change.put(key, record.encode(key));
    change.state().markChanged(queue);
    change.wake(queue);
    return record.settings();
  }
}
