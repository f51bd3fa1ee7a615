package io.millrace.internal.transition.queue;

import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.NameSettings;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.SharedSettings;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A change of the settings for all queues of a name. If they are not those that the change is based
 * on, nothing happens, and the answer is what they are.
 */
public final class ConfigureName implements Transition<Optional<QueueSettings>> {

  private final String queueName;
  private final QueueSettings expected;
  private final QueueSettings settings;

  public ConfigureName(String queueName, QueueSettings expected, QueueSettings settings) {
    this.queueName = queueName;
    this.expected = expected;
    this.settings = settings.over(QueueSettings.DEFAULT);
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  public Cost cost() {
    return new Cost(3, RowBytes.QUEUE + RowBytes.QUARANTINE);
  }

  @Override
  public Optional<QueueSettings> apply(OpenBatch batch) {
    SharedSettings shared = batch.state().sharedSettings(queueName);
    QueueSettings known = shared == null ? null : shared.settings();
    QueueSettings before = known == null ? QueueLoading.ofName(batch, queueName) : known;
    if (!before.equals(expected)) {
      return Optional.of(before);
    }
    byte[] key = NameSettings.key(queueName);
    if (settings.setHere().isEmpty()) {
      batch.delete(key);
    } else {
      batch.put(key, NameSettings.encode(key, settings));
    }
    if (shared != null) {
      shared.setSettings(settings);
    }
    noteRaised(batch.state());
    if (!Configure.haveSameRates(before, settings)) {
      noteLimits(batch);
    }
    return Optional.empty();
  }

  /**
   * Notes the new rate limits. Tokens of queues that are not loaded are looked at by these limits
   * when the queues are loaded.
   */
  private void noteLimits(OpenBatch batch) {
    Map<QueueName, QueueState> loaded = new HashMap<>();
    for (QueueState queue : batch.state().queues()) {
      if (queue.isLoaded() && queue.name().name().equals(queueName)) {
        loaded.put(queue.name(), queue);
      }
    }
    batch.state().rates().changed(loaded, batch.context().steadyMs());
    batch.state().rates().mayHaveChanged(queueName);
  }

  /**
   * Notes the queues of which blocked jobs may go on; of queues that are not loaded that is not
   * known yet, so they are noted, too.
   */
  private void noteRaised(WorkingSet state) {
    for (QueueState queue : state.queues()) {
      boolean isOfName = queue.name().name().equals(queueName);
      if (isOfName && (!queue.isLoaded() || queue.isHandOnDue())) {
        state.slots().noteRaised(queue.name());
      }
    }
  }
}
