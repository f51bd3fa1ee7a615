package io.millrace.client;

import io.millrace.api.JobAdmin;
import io.millrace.api.JobId;
import io.millrace.api.JobReleaseResult;
import io.millrace.api.LeasedQueue;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.StuckResult;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.QueueCalls;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The operations of those who look after the work of a server. Any thread. */
final class RemoteAdmin implements JobAdmin {

  private final RemoteReads queues;
  private final Caller caller;

  RemoteAdmin(RemoteReads queues) {
    this.queues = queues;
    this.caller = queues.caller();
  }

  @Override
  public void configure(String queueName, UnaryOperator<QueueSettings> change) {
    QueueSettings held = queues.settings(queueName);
    RemoteSettings.change(caller, Optional.empty(), Optional.of(queueName), held, change);
  }

  @Override
  public JobReleaseResult release(JobId id) {
    Objects.requireNonNull(id, "id");
    return caller.ask(new JobCalls.ReleaseJob(id, caller.durability())).result();
  }

  @Override
  public StuckResult failStuck(JobId id, String error) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(error, "error");
    return caller.ask(new JobCalls.FailStuck(id, error, caller.durability())).result();
  }

  @Override
  public List<LeasedQueue> queueLeases() {
    return caller.look(new QueueCalls.QueueLeases()).leases();
  }

  @Override
  public boolean endQueueLease(QueueName queue) {
    Objects.requireNonNull(queue, "queue");
    return caller.ask(new QueueCalls.EndQueueLease(queue)).found();
  }
}
