package io.millrace.jmh.suite;

import io.millrace.api.CompleteResult;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.Wake;
import io.millrace.protocol.Call;
import io.millrace.protocol.Granted;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost, for each job of a batch, of the messages of its cycle: each is put together by one side
 * and taken apart by the other.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ProtocolBenchmark {

  private static final int JOB_COUNT = 100;

  /** The calls of a batch, and their answers. */
  @State(Scope.Benchmark)
  public static class Batch {

    private static final QueueName QUEUE = QueueName.of("mail");

    JobCalls.Enqueue enqueue =
        new JobCalls.Enqueue(QUEUE, each(i -> NewJob.of(new byte[256])), Optional.empty());
    JobCalls.Enqueue.Answer enqueued = new JobCalls.Enqueue.Answer(each(i -> new Enqueued(id(i))));
    LeaseCalls.Claim.Answer claimed = new LeaseCalls.Claim.Answer(each(Batch::granted));
    LeaseCalls.Complete complete =
        new LeaseCalls.Complete(
            each(i -> new LeaseCalls.Finished(new LeaseRef(id(i), i), Optional.empty())),
            Optional.empty());
    LeaseCalls.Complete.Answer completed =
        new LeaseCalls.Complete.Answer(each(i -> CompleteResult.COMPLETED));

    private static <T> List<T> each(IntFunction<T> one) {
      return IntStream.range(0, JOB_COUNT).mapToObj(one).toList();
    }

    private static JobId id(int i) {
      return new JobId(77L << 32, (long) i << 20);
    }

    private static Granted granted(int i) {
      return new Granted(
          id(i),
          i,
          QUEUE,
          "",
          new byte[256],
          Map.of(),
          1,
          20,
          0,
          1,
          "worker",
          Instant.ofEpochMilli(1_800_000_000_000L),
          Duration.ofSeconds(30),
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          new Wake.First());
    }
  }

  private static <C extends Call<A>, A> C sent(C call) {
    @SuppressWarnings("unchecked") // the class of a call
    Operation<C, A> operation = Protocol.of((Class<C>) call.getClass());
    Session.Calls calls =
        new Session.Calls(
            Optional.empty(),
            List.of(new Session.SentCall(1, operation.name(), operation.encode(call))),
            List.of(),
            List.of(),
            false);
    return operation.decode(Session.Calls.decode(calls.encode()).calls().get(0).request());
  }

  private static <C extends Call<A>, A> A told(Class<C> call, A answer) {
    Operation<C, A> operation = Protocol.of(call);
    Session.Answers answers =
        new Session.Answers(
            Optional.empty(),
            List.of(
                new Session.Answer(
                    1, Optional.of(operation.encodeAnswer(answer)), Optional.empty())));
    return operation.decodeAnswer(
        Session.Answers.decode(answers.encode()).answers().get(0).response().orElseThrow());
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public Object enqueue(Batch batch) {
    return sent(batch.enqueue);
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public Object enqueued(Batch batch) {
    return told(JobCalls.Enqueue.class, batch.enqueued);
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public Object claimed(Batch batch) {
    return told(LeaseCalls.Claim.class, batch.claimed);
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public Object complete(Batch batch) {
    return sent(batch.complete);
  }

  @Benchmark
  @OperationsPerInvocation(JOB_COUNT)
  public Object completed(Batch batch) {
    return told(LeaseCalls.Complete.class, batch.completed);
  }
}
