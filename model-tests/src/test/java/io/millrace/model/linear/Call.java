package io.millrace.model.linear;

import java.util.List;

/** What a thread asked of the engine. Queues and jobs go by the numbers that the test gave them. */
sealed interface Call {

  /** Whether it only looks. */
  default boolean isRead() {
    return this instanceof Get || this instanceof Stats || this instanceof Peek;
  }

  /** The queues that it is about; empty for all. */
  List<Integer> queues();

  /**
   * A job to be.
   *
   * @param uniqueKey the key that no other job of the queue may hold; empty for none
   */
  record NewJob(int number, int priority, long delayMs, String uniqueKey) {}

  /** Enqueues jobs in one call; answers a text for each. */
  record Enqueue(int queue, List<NewJob> jobs) implements Call {
    @Override
    public List<Integer> queues() {
      return List.of(queue);
    }
  }

  /** Whether a claim that finds nothing waits. */
  enum Patience {
    NONE,
    WAITS
  }

  /** Asks for jobs; answers a list of {@link Seen.Grant}. */
  record Claim(List<Integer> queues, int max, Patience patience) implements Call {}

  /** What a holder does with a lease. */
  enum HolderAct {
    COMPLETE,
    FAIL,
    FAIL_PERMANENTLY,
    RELEASE,
    SNOOZE,
    EXTEND,
    CHECKPOINT
  }

  /**
   * A holder's act; answers a text.
   *
   * @param version which payload a checkpoint brings
   */
  record Hold(HolderAct act, int queue, int job, long token, int version) implements Call {
    @Override
    public List<Integer> queues() {
      return List.of(queue);
    }
  }

  /** What an operator does with a job. */
  enum OperatorAct {
    CANCEL,
    REQUEST_CANCEL,
    RESCHEDULE,
    REDRIVE,
    DELETE_DEAD,
    NEW_PRIORITY,
    NEW_PAYLOAD,
    RELEASE
  }

  /**
   * An operator's act; answers a text.
   *
   * @param value the new priority, the new version of the payload, or when the job is to be visible
   */
  record Operate(OperatorAct act, int queue, int job, long value) implements Call {
    @Override
    public List<Integer> queues() {
      return List.of(queue);
    }
  }

  /** Looks a job up; answers a {@link Seen.JobSeen}, or none if there is no such job. */
  record Get(int queue, int job) implements Call {
    @Override
    public List<Integer> queues() {
      return List.of(queue);
    }
  }

  /** Counts; answers a {@link Seen.StatsSeen}, or none if there is no such queue. */
  record Stats(int queue) implements Call {
    @Override
    public List<Integer> queues() {
      return List.of(queue);
    }
  }

  /** Looks at the line; answers the numbers of the ready jobs. */
  record Peek(int queue) implements Call {
    @Override
    public List<Integer> queues() {
      return List.of(queue);
    }
  }

  /** Whether a queue serves claims. */
  enum Serving {
    PAUSED,
    RESUMED
  }

  /** Pauses or resumes a queue. */
  record Serve(int queue, Serving serving) implements Call {
    @Override
    public List<Integer> queues() {
      return List.of(queue);
    }
  }

  /** Lets time pass until a moment. */
  record Tick(long untilMs) implements Call {
    @Override
    public List<Integer> queues() {
      return List.of();
    }
  }

  /** All that was due at a moment has been done. */
  record Settled(long atMs) implements Call {
    @Override
    public List<Integer> queues() {
      return List.of();
    }
  }
}
