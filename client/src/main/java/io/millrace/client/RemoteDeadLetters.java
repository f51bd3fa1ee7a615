package io.millrace.client;

import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.ReadCalls;
import java.util.Objects;
import java.util.Optional;

/** The dead letters of a server's queue. Any thread. */
final class RemoteDeadLetters implements DeadLetters {

  private final Caller caller;
  private final QueueName queue;

  RemoteDeadLetters(Caller caller, QueueName queue) {
    this.caller = caller;
    this.queue = queue;
  }

  @Override
  public Page<Job> list(DeadFilter filter, PageRequest page) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(page, "page");
    return caller.look(new ReadCalls.DeadLetters(queue, filter, page)).jobs();
  }

  @Override
  public Optional<Job> get(JobId id) {
    Objects.requireNonNull(id, "id");
    return caller
        .look(new ReadCalls.Get(id))
        .job()
        .filter(job -> job.state() == JobState.DEAD && job.queue().equals(queue));
  }

  @Override
  public RedriveResult redrive(JobId id, Checkpointed checkpointed) {
    Objects.requireNonNull(checkpointed, "checkpointed");
    Objects.requireNonNull(id, "id");
    return caller.ask(new JobCalls.Redrive(queue, id, checkpointed, caller.durability())).result();
  }

  @Override
  public long redriveAll(DeadFilter filter, Checkpointed checkpointed) {
    Objects.requireNonNull(checkpointed, "checkpointed");
    Objects.requireNonNull(filter, "filter");
    return caller
        .ask(new JobCalls.RedriveAll(queue, filter, checkpointed, caller.durability()))
        .count();
  }

  @Override
  public boolean delete(JobId id) {
    Objects.requireNonNull(id, "id");
    return caller.ask(new JobCalls.DeleteDead(queue, id, caller.durability())).found();
  }

  @Override
  public long deleteAll(DeadFilter filter) {
    Objects.requireNonNull(filter, "filter");
    return caller.ask(new JobCalls.DeleteAllDead(queue, filter, caller.durability())).count();
  }
}
