package io.millrace.internal.transition.move;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.BroadcastRecord;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that wait for a signal, and the ways in which they go on.
 *
 * <p>A broadcast reaches many jobs in many batches. One that it has not reached waits in the store,
 * but to everybody it is as good as woken: whatever comes for it later, another signal or its
 * deadline, finds that the broadcast was first.
 */
public final class Waits {

  private Waits() {}

  /** Returns the record of a job that goes on since the signal came. */
  public static JobRecord signalled(JobRecord job, byte[] name, byte[] payload) {
    return job.toBuilder()
        .set(JobField.WAKE_REASON, JobRecord.WAKE_SIGNALLED)
        .set(JobField.SIGNAL, name)
        .set(JobField.SIGNAL_PAYLOAD, payload)
        .build();
  }

  /** Returns the record of a job that goes on since its deadline has passed. */
  public static JobRecord timedOut(JobRecord job, byte[] name) {
    return job.toBuilder()
        .set(JobField.WAKE_REASON, JobRecord.WAKE_TIMED_OUT)
        .set(JobField.SIGNAL, name)
        .set(JobField.SIGNAL_PAYLOAD, null)
        .build();
  }

  /** Returns the record of a job that goes on since the tally for which it waited is over. */
  public static JobRecord tallied(JobRecord job) {
    return job.toBuilder()
        .set(JobField.WAKE_REASON, JobRecord.WAKE_TALLIED)
        .set(JobField.TALLY_CONDITION, 0)
        .build();
  }

  /** Returns the record of the waiting job as an earlier broadcast wakes it; null if none has. */
  public static @Nullable JobRecord broadcast(
      OpenBatch batch, QueueState queue, byte[] key, JobRecord job) {
    if (batch.state().broadcasts().isEmpty()) {
      return null;
    }
    byte[] name = WaitingKeys.signal(key);
    BroadcastRecord first =
        batch.state().broadcasts().covering(queue.number(), name, job.waitSequence());
    return first == null ? null : signalled(job, name, first.payload());
  }

  /**
   * Ends the wait of the job, whose record is at the key, since a timer of it is due. In stores of
   * older versions all timers ran on engine time: if one came too early by the clock of the wait,
   * that goes on for the rest.
   */
  public static void end(OpenBatch batch, QueueState queue, byte[] key, JobRecord job) {
    JobRecord broadcast = broadcast(batch, queue, key, job);
    long restMs =
        job.waitSteadyEndMs() == 0
            ? job.waitInstantMs() - batch.context().nowMs()
            : job.waitSteadyEndMs() - batch.context().steadyMs();
    if (broadcast != null) {
      wake(batch, queue, key, broadcast);
    } else if (restMs > 0) {
      goOn(batch, key, job);
    } else {
      wake(batch, queue, key, timedOut(job, WaitingKeys.signal(key)));
    }
  }

  private static void goOn(OpenBatch batch, byte[] key, JobRecord job) {
    JobRecord waiting = job.toBuilder().waitEnd(job.waitInstantMs(), job.waitSteadyEndMs()).build();
    batch.put(key, waiting.encode(key));
    batch.putOwned(OwnedRows.timer(key, waiting));
  }

  /** Lets the waiting job, whose record is at the key, go on with this record. */
  public static void wake(OpenBatch batch, QueueState queue, byte[] key, JobRecord woken) {
    JobState state = Moves.move(batch, queue, key, woken, Destination.READY);
    queue.countMoved(Total.WOKEN, woken, state);
  }
}
