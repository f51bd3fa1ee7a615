package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.DrainResult;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The steps of a history that empty queues or delete them. */
final class RemovalSteps {

  /** What can be purged; bits of a step choose among them. */
  private static final List<JobState> PURGEABLE =
      List.of(
          JobState.READY,
          JobState.DELAYED,
          JobState.DEAD,
          JobState.DONE,
          JobState.BLOCKED,
          JobState.WAITING);

  private final World world;

  RemovalSteps(World world) {
    this.world = world;
  }

  void purge(int queue, int bits) {
    QueueName name = Histories.queue(queue);
    Set<JobState> states = EnumSet.noneOf(JobState.class);
    for (int i = 0; i < PURGEABLE.size(); i++) {
      if ((bits >> i & 1) == 1) {
        states.add(PURGEABLE.get(i));
      }
    }
    if (world.model.tallies.mayGoOnAsOthersGo(name)) {
      return;
    }
    int expected = world.model.operator.purge(name, states);
    assertThat(world.engine().queue(name).purge(states)).as("purged").isEqualTo(expected);
  }

  void drain(int queue, boolean isDraining) {
    QueueName name = Histories.queue(queue);
    JobQueue drained = world.engine().queue(name);
    world.model.setDraining(name, isDraining);
    if (isDraining) {
      DrainResult expected = world.model.hasWork(name) ? DrainResult.DRAINING : DrainResult.EMPTY;
      assertThat(drained.drain(Duration.ZERO)).isEqualTo(expected);
    } else {
      drained.endDrain();
    }
  }

  void deleteQueue(int queue) {
    QueueName name = Histories.queue(queue);
    assertThat(world.engine().queue(name).delete())
        .isEqualTo(world.model.operator.deleteQueue(name));
    // Its jobs count in their batches as their rows go.
    world.harness.awaitNothingDue();
  }
}
