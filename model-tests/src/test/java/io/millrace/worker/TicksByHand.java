package io.millrace.worker;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import java.util.List;

/** Ticks of schedules one by one, as a test wants them: a worker would run them as they come. */
public final class TicksByHand {

  /** The queue of tick jobs. */
  public static final String QUEUE = ScheduleTicks.TICK.queueName().name();

  private TicksByHand() {}

  /** Claims the next tick jobs that are due. */
  public static List<Lease> claim(JobQueues queues, int most) {
    return queues.queue(QUEUE).claim(ClaimOptions.by("ticker").max(most));
  }

  /** Runs the tick of a lease, to its end. */
  public static void run(JobQueues queues, Lease lease) {
    run(queues, lease, () -> {});
  }

  /** As the other; this happens when the tick has said what is to be done, and before it is. */
  public static void run(JobQueues queues, Lease lease, Runnable beforeCommit) {
    Next next =
        new ScheduleTicks(queues)
            .run(
                Codec.TEXT.decode(lease.payload()),
                lease.jobId(),
                effects ->
                    queues
                        .transact(
                            tx -> {
                              tx.complete(lease);
                              List<JobId> made = effects.apply(tx);
                              beforeCommit.run();
                              return made;
                            })
                        .orThrow());
    if (next instanceof Next.Snooze snooze) {
      lease.snooze(snooze.time()).orThrow();
    }
  }

  /** What a worker does once a second: looks whether the clock was set back. */
  public static Runnable looks(JobQueues queues) {
    ScheduleKeeper keeper = new ScheduleKeeper(queues, new ScheduleTicks(queues));
    return () -> {
      if (keeper.look()) {
        keeper.tryToPutRight();
      }
    };
  }

  /** Runs all ticks that are due; how many there were. */
  public static int runDue(JobQueues queues) {
    int count = 0;
    for (List<Lease> due = claim(queues, 100); !due.isEmpty(); due = claim(queues, 100)) {
      due.forEach(lease -> run(queues, lease));
      count += due.size();
    }
    return count;
  }
}
