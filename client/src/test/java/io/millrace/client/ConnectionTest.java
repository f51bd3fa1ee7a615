package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.MillraceException;
import io.millrace.api.BatchId;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.BatchCalls;
import io.millrace.protocol.Granted;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import io.millrace.protocol.ReadCalls;
import io.millrace.protocol.Session;
import io.millrace.server.Role;
import io.millrace.server.Server;
import io.millrace.spi.StoreUnavailableException;
import io.millrace.spi.testkit.fault.CutProxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120) // Some wait without end for what must come.
class ConnectionTest {

  private static final QueueName MAIL = new QueueName("mail", "");
  private static final QueueName OTHER = new QueueName("other", "");
  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<AutoCloseable> open = new ArrayList<>();
  private JobEngine engine;
  private Server server;
  private CutProxy proxy;

  @BeforeEach
  void start() {
    engine = opened(JobEngine.open("memory:connection-" + UUID.randomUUID()));
    server = opened(Server.on(engine).listen("127.0.0.1:0"));
    proxy = opened(new CutProxy(server.port()));
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private <T extends AutoCloseable> T opened(T it) {
    open.add(it);
    return it;
  }

  private Connection connect(int port, Duration callTimeout, Optional<String> token) {
    ClientThreads threads = new ClientThreads();
    return opened(
        new Connection(
            new Channels(
                List.of("127.0.0.1:" + port), Optional.empty(), token, threads.connections()),
            new Session.Hello(UUID.randomUUID().toString(), "test", ""),
            callTimeout,
            threads));
  }

  private Connection connect(Duration callTimeout) throws Exception {
    Connection connection = connect(proxy.port(), callTimeout, Optional.empty());
    connection.connected().get(30, TimeUnit.SECONDS);
    connection.send(new ReadCalls.Now()).get(30, TimeUnit.SECONDS); // The server remembers it now.
    return connection;
  }

  private static JobCalls.Enqueue enqueue(int bytes) {
    return new JobCalls.Enqueue(
        MAIL, List.of(new NewJob(new byte[bytes], EnqueueOptions.DEFAULT)), Optional.empty());
  }

  private static LeaseCalls.Claim claim(int max, Duration waiting) {
    return new LeaseCalls.Claim(
        List.of(MAIL), List.of(), ClaimOptions.by("w").waiting(waiting).max(max));
  }

  private static LeaseCalls.Complete complete(List<Granted> leases) {
    return new LeaseCalls.Complete(
        leases.stream()
            .map(
                it ->
                    new LeaseCalls.Finished(new LeaseRef(it.jobId(), it.token()), Optional.empty()))
            .toList(),
        Optional.empty());
  }

  private static void pause(int ms) {
    LockSupport.parkNanos(Duration.ofMillis(ms).toNanos());
  }

  private long count(JobState state) {
    return engine.queue(MAIL).stats().map(stats -> stats.count(state)).orElse(0L);
  }

  private void awaitCount(JobState state, long expected) throws InterruptedException {
    for (int i = 0; i < 3_000 && count(state) != expected; i++) {
      pause(10);
    }
    assertThat(count(state)).isEqualTo(expected);
  }

  private interface Work {
    void run() throws Exception;
  }

  /** Does the work, and cuts the way to the server now and then until it is done. */
  private void whileCutting(Work work) throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    Thread thread =
        new Thread(
            () -> {
              Random random = new Random(3);
              while (!isOver.get()) {
                pause(20 + random.nextInt(200));
                proxy.cut();
              }
            });
    thread.start();
    try {
      work.run();
    } finally {
      isOver.set(true);
      thread.join();
    }
  }

  @Test
  void callsAreAnsweredWhileOthersWait() throws Exception {
    Connection connection = connect(LONG);
    CompletableFuture<LeaseCalls.Claim.Answer> waits =
        connection.send(claim(1, Duration.ofMinutes(1)));
    assertThat(connection.send(new ReadCalls.Now()).get().now()).isNotNull();
    assertThat(waits).isNotDone();

    connection.send(enqueue(9)).get();

    assertThat(waits.get().leases()).extracting(lease -> lease.payload().length).containsExactly(9);
  }

  @Test
  void eachEnqueueCountsOnceWhateverIsCut() throws Exception {
    Connection connection = connect(LONG);
    List<CompletableFuture<JobCalls.Enqueue.Answer>> answers = new ArrayList<>();
    whileCutting(
        () -> {
          long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
          while (System.nanoTime() - endNs < 0) {
            for (int i = 0; i < 20; i++) {
              answers.add(connection.send(enqueue(200)));
            }
            answers.get(answers.size() - 1).get();
          }
        });
    for (CompletableFuture<JobCalls.Enqueue.Answer> answer : answers) {
      answer.get().results().get(0).orThrow();
    }
    assertThat(answers).hasSizeGreaterThan(100);
    assertThat(count(JobState.READY)).isEqualTo(answers.size());
  }

  @Test
  void eachJobIsRunOnceWhateverIsCut() throws Exception {
    int count = 300;
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(new NewJob(new byte[100], EnqueueOptions.DEFAULT));
    }
    engine.queue(MAIL).enqueueAll(jobs);
    Connection connection = connect(LONG);
    whileCutting(
        () -> {
          for (int completed = 0; completed < count; pause(1)) { // It lasts some cuts.
            List<Granted> leases = connection.send(claim(7, Duration.ofMillis(500))).get().leases();
            assertThat(leases).as("done: %s", completed).isNotEmpty();
            assertThat(leases).allMatch(lease -> lease.attempt() == 1);
            assertThat(connection.send(complete(leases)).get().results())
                .containsOnly(CompleteResult.COMPLETED);
            completed += leases.size();
          }
        });
    awaitCount(JobState.LEASED, 0);
    assertThat(count(JobState.READY)).isZero();
  }

  @Test
  void waitAndCallsGoOnAtTheNextServer() throws Exception {
    Connection connection = connect(LONG);
    CompletableFuture<LeaseCalls.Claim.Answer> waits =
        connection.send(claim(1, Duration.ofMinutes(1)));
    connection.send(new ReadCalls.Now()).get();

    server.close();
    CompletableFuture<JobCalls.Enqueue.Answer> enqueued = connection.send(enqueue(3));
    pause(300);
    assertThat(enqueued).isNotDone();
    server = opened(Server.on(engine).listen("127.0.0.1:0"));
    proxy.serverPort(server.port());

    enqueued.get().results().get(0).orThrow();
    assertThat(waits.get().leases()).hasSize(1);
  }

  @Test
  void whatAServerDidNotAnswerBeforeItWasReplacedIsUnknown() throws Exception {
    Connection connection = connect(LONG);
    proxy.freeze(true);
    CompletableFuture<JobCalls.Enqueue.Answer> enqueued = connection.send(enqueue(3));
    CompletableFuture<ReadCalls.Now.Answer> asked = connection.send(new ReadCalls.Now());
    pause(100);

    server.close();
    server = opened(Server.on(engine).listen("127.0.0.1:0"));
    proxy.serverPort(server.port());
    proxy.cut();
    proxy.freeze(false);

    assertThat(asked.get().now()).isNotNull();
    assertThatThrownBy(enqueued::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("call=Enqueue: the server does not know it any more");
  }

  @Test
  void endedClaimTakesNoJob() throws Exception {
    Connection connection = connect(LONG);
    CompletableFuture<LeaseCalls.Claim.Answer> waits =
        connection.send(claim(1, Duration.ofMinutes(1)));
    connection.send(new ReadCalls.Now()).get();

    waits.cancel(false);
    connection.send(enqueue(1)).get();
    connection.send(new ReadCalls.Now()).get();

    assertThat(connection.send(claim(1, Duration.ZERO)).get().leases()).hasSize(1);
  }

  @Test
  void claimsThatEndWhileTheyAreAnsweredLoseNoJob() throws Exception {
    Connection connection = connect(LONG);
    int count = 300;
    for (int i = 0; i < count; i++) {
      engine.queue(MAIL).enqueue(new byte[1]);
    }
    Random random = new Random(5);
    int taken = 0;
    for (int i = 0; i < 500; i++) {
      CompletableFuture<LeaseCalls.Claim.Answer> claimed = connection.send(claim(1, Duration.ZERO));
      long untilNs = System.nanoTime() + random.nextInt(600_000);
      while (System.nanoTime() - untilNs < 0) {
        Thread.onSpinWait();
      }
      if (!claimed.cancel(false)) {
        taken += claimed.get().leases().size();
      }
    }
    assertThat(taken).isBetween(0, count);
    awaitCount(JobState.READY, count - taken);
  }

  @Test
  void callsAboveTheServersLimitWaitAtTheClient() throws Exception {
    Server small = opened(Server.on(engine).callCountMax(5).listen("127.0.0.1:0"));
    proxy.serverPort(small.port());
    Connection connection = connect(LONG);

    List<CompletableFuture<JobCalls.Enqueue.Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      answers.add(connection.send(enqueue(1)));
    }

    for (CompletableFuture<JobCalls.Enqueue.Answer> answer : answers) {
      answer.get().results().get(0).orThrow();
    }
    assertThat(count(JobState.READY)).isEqualTo(500);
  }

  @Test
  void largeCallsGoThrough() throws Exception {
    Connection connection = connect(LONG);
    List<CompletableFuture<JobCalls.Enqueue.Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      answers.add(connection.send(enqueue(1_000_000)));
    }
    for (CompletableFuture<JobCalls.Enqueue.Answer> answer : answers) {
      answer.get().results().get(0).orThrow();
    }
    assertThat(connection.send(claim(3, Duration.ZERO)).get().leases())
        .isNotEmpty()
        .allMatch(lease -> lease.payload().length == 1_000_000);
  }

  @Test
  void callThatIsNotAnsweredInTimeEndsWithWhatIsKnown() throws Exception {
    Connection connection = connect(Duration.ofMillis(700));
    proxy.freeze(true);
    CompletableFuture<JobCalls.Enqueue.Answer> sent = connection.send(enqueue(3));
    assertThatThrownBy(sent::get)
        .cause()
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("callTimeout=PT0.7S");

    server.close();
    proxy.cut();
    proxy.freeze(false);
    pause(100);
    CompletableFuture<JobCalls.Enqueue.Answer> unsent = connection.send(enqueue(3));

    assertThatThrownBy(unsent::get)
        .cause()
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("nothing of the call happened: call=Enqueue")
        .hasMessageContaining("address=127.0.0.1:" + proxy.port());
  }

  @Test
  void closedClientLeavesNobodyWaiting() throws Exception {
    Connection connection = connect(LONG);
    CompletableFuture<LeaseCalls.Claim.Answer> waits =
        connection.send(claim(1, Duration.ofMinutes(1)));
    CompletableFuture<JobCalls.Enqueue.Answer> sent =
        connection.send(
            new JobCalls.Enqueue(OTHER, List.of(NewJob.of(new byte[1])), Optional.empty()));
    connection.send(new ReadCalls.Now()).get(); // What was called before it is on its way.

    connection.close();
    connection.close();

    sent.get().results().get(0).orThrow();
    assertThatThrownBy(waits::get).cause().isInstanceOf(EngineClosedException.class);
    assertThatThrownBy(connection.send(enqueue(1))::get)
        .cause()
        .isInstanceOf(EngineClosedException.class);
    assertThat(engine.queue(OTHER).claim("other", LONG)).isPresent();
  }

  @Test
  void closedClientSendsFirstWhatManyMessagesAreNeededFor() throws Exception {
    Connection connection = connect(LONG);
    List<CompletableFuture<JobCalls.Enqueue.Answer>> sent = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      sent.add(connection.send(enqueue(100_000)));
    }

    connection.close();

    for (CompletableFuture<JobCalls.Enqueue.Answer> each : sent) {
      each.get().results().get(0).orThrow();
    }
    assertThat(count(JobState.READY)).isEqualTo(10);
  }

  @Test
  void failuresAreThoseOfTheEngine() throws Exception {
    Connection connection = connect(LONG);

    assertThatThrownBy(
            connection.send(new BatchCalls.SealBatch(new BatchId(7), Optional.empty()))::get)
        .cause()
        .isInstanceOf(NoSuchBatchException.class);
  }

  @Test
  void refusedClientIsTold() throws Exception {
    Server closed =
        opened(Server.on(engine).token("t".repeat(32), Set.of(Role.READ)).listen("127.0.0.1:0"));

    Connection wrong = connect(closed.port(), LONG, Optional.of("x".repeat(32)));

    assertThatThrownBy(() -> wrong.connected().get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("the token is missing or unknown");
    Connection right = connect(closed.port(), LONG, Optional.of("t".repeat(32)));
    right.connected().get(30, TimeUnit.SECONDS);
    assertThatThrownBy(right.send(enqueue(1))::get)
        .cause()
        .hasMessageContaining("the token does not allow this call: call=Enqueue");
  }

  @Test
  void otherServersAreNoMillrace() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Connection connection = connect(other.getLocalPort(), LONG, Optional.empty());
      other.accept().getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes("UTF-8"));
      other.accept().close();
      for (int i = 0; i < 3_000 && connection.lastFailure().contains("not connected"); i++) {
        pause(10);
      }
      assertThat(connection.lastFailure()).contains("address=127.0.0.1:");
      assertThat(connection.connected()).isNotDone();
    }
  }
}
