package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobEvent;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobListening;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.NotAllowedException;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.Session;
import io.millrace.server.Role;
import io.millrace.server.Server;
import io.millrace.spi.testkit.fault.CutProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners of a client whose connection is cut, and whose servers are replaced. */
@Timeout(60)
class RemoteListeningTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<AutoCloseable> open = new ArrayList<>();
  private JobEngine engine;
  private Server server;
  private CutProxy proxy;

  @BeforeEach
  void start() {
    engine = opened(JobEngine.open("memory:listening-" + UUID.randomUUID()));
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

  private TestQueues connect(int port, Duration callTimeout, Optional<String> token)
      throws Exception {
    ClientThreads threads = new ClientThreads();
    Connection connection =
        opened(
            new Connection(
                new Channels(
                    List.of("127.0.0.1:" + port), Optional.empty(), token, threads.connections()),
                new Session.Hello(UUID.randomUUID().toString(), "test", ""),
                callTimeout,
                threads));
    connection.connected().get(30, TimeUnit.SECONDS);
    return opened(new TestQueues(Caller.of(connection, System::nanoTime)));
  }

  private TestQueues connect() throws Exception {
    return connect(proxy.port(), LONG, Optional.empty());
  }

  private void enqueue(String type) {
    engine.queue(MAIL).enqueue(new byte[0], EnqueueOptions.DEFAULT.type(type));
  }

  private void closeServer() {
    open.remove(server);
    server.close();
  }

  private void replaceServer() {
    server = Server.on(engine).listen("127.0.0.1:0");
    open.add(1, server); // Closed after its clients are.
    proxy.serverPort(server.port());
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  private int listenerCount() {
    return engine.metrics().listenerCount();
  }

  /** A listener that waits in its first event until it is let go. */
  private static final class Slow extends Heard {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch free = new CountDownLatch(1);

    @Override
    public void happened(JobEvent event) {
      reached.countDown();
      Told.quietly(free::await);
      super.happened(event);
    }
  }

  @Test
  void events_whateverIsCut_areToldOnceAndInOrder() throws Exception {
    Heard heard = new Heard();
    JobListening listening = connect().listen(MAIL, Set.of(Kind.ENQUEUED), heard);
    Random random = new Random(3);
    int count = 1_500;
    for (int i = 0; i < count; i++) {
      enqueue(Integer.toString(i));
      if (i % 100 == 99) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(200)));
        proxy.cut();
      }
    }

    heard.await(count);
    listening.close();

    assertThat(heard.types()).isEqualTo(numbers(count));
    assertThat(heard.gaps).isEmpty();
    assertThat(listening.missedCount()).isZero();
    assertThat(listenerCount()).isZero();
  }

  @Test
  void server_thatIsReplaced_isToldAsAMissedEventBeforeTheNext() throws Exception {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    Heard heard =
        new Heard() {
          @Override
          public void happened(JobEvent event) {
            told.add(event.type());
            super.happened(event);
          }

          @Override
          public void missed(long count) {
            told.add("missed " + count);
            super.missed(count);
          }
        };
    JobListening listening = connect().listen(heard);
    enqueue("before");
    heard.await(1);

    closeServer();
    enqueue("unheard");
    replaceServer();
    Heard.await("begun anew", () -> heard.gaps.size() == 1);
    enqueue("after");
    heard.await(2);

    assertThat(told).containsExactly("before", "missed 1", "after");
    assertThat(listening.missedCount()).isEqualTo(1);
    assertThat(listenerCount()).isEqualTo(1);
  }

  @Test
  void server_thatIsAway_isAskedUntilThereIsOne() throws Exception {
    Heard heard = new Heard();
    JobListening listening =
        connect(proxy.port(), Duration.ofMillis(300), Optional.empty()).listen(heard);
    closeServer();
    proxy.cut();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(700)); // Calls fail meanwhile.

    replaceServer();
    Heard.await("begun anew", () -> heard.gaps.size() == 1);
    enqueue("after");

    heard.await(1);
    listening.close();
    Heard.await("those of calls that were given up end, too", () -> listenerCount() == 0);
  }

  @Test
  void close_withoutAServer_waitsForNoneAndTheServersEndsItsOwn() throws Exception {
    Heard heard = new Heard();
    JobListening listening = connect().listen(heard);
    proxy.freeze(true);
    long beganNs = System.nanoTime();

    listening.close();

    assertThat(System.nanoTime() - beganNs).isLessThan(TimeUnit.SECONDS.toNanos(4));
    enqueue("unheard");
    proxy.freeze(false);
    Heard.await("ended", () -> listenerCount() == 0);
    assertThat(heard.events).isEmpty();
  }

  @Test
  void listener_thatIsSlow_missesSomeInTheirPlaceAndKeepsNobodyWaiting() throws Exception {
    Slow slow = new Slow();
    TestQueues queues = connect();
    JobListening listening = queues.listen(slow);
    Heard quick = new Heard();
    queues.listen(QueueName.of("other"), Set.of(Kind.ENQUEUED), quick);
    enqueue("first");
    slow.reached.await();
    int count = Limits.LISTENER_EVENT_COUNT_MAX + 10_000;
    for (int left = count; left > 0; left -= Limits.CALL_JOB_COUNT_MAX) {
      int step = Math.min(left, Limits.CALL_JOB_COUNT_MAX);
      engine
          .queue(MAIL)
          .enqueueAll(Collections.nCopies(step, new NewJob(new byte[0], EnqueueOptions.DEFAULT)));
    }
    Heard.await("some are missed", () -> engine.metrics().missedEventCount() > 0);
    engine.queue("other").enqueue(new byte[0]);
    quick.await(1);
    assertThat(slow.events).isEmpty();

    slow.free.countDown();
    Heard.await("all are told", () -> slow.events.size() + told(slow.gaps) == count + 2);
    enqueue("last");
    Heard.await(
        "the last is told", () -> slow.events.get(slow.events.size() - 1).type().equals("last"));

    assertThat(quick.gaps).isEmpty();
    assertThat(told(slow.gaps)).isBetween(4_000L, 10_000L);
    assertThat(listening.missedCount()).isEqualTo(told(slow.gaps));
    assertThat(engine.metrics().missedEventCount()).isEqualTo(told(slow.gaps));
    assertThat(slow.types()).endsWith("last").startsWith("first");
  }

  private static long told(List<Long> gaps) {
    return List.copyOf(gaps).stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void client_closed_tellsWhatTheServerHasAndEndsItsListeners() throws Exception {
    Slow slow = new Slow();
    TestQueues queues = connect();
    JobListening listening = queues.listen(slow);
    Heard own = new Heard();
    JobListening here = engine.listen(own);
    for (int i = 0; i < 4_000; i++) {
      enqueue(Integer.toString(i));
    }
    own.await(4_000); // What the engine tells no later.
    here.close();
    slow.free.countDown();

    queues.close();

    assertThat(slow.types()).isEqualTo(numbers(4_000));
    assertThat(((RemoteListening) listening).isOver()).isTrue();
    assertThat(listenerCount()).isZero();
    assertThatThrownBy(() -> queues.listen(slow))
        .isInstanceOf(EngineClosedException.class)
        .hasMessage("client is closed; nothing happened");
    listening.close();
  }

  @Test
  void listen_withoutTheRole_isRefused() throws Exception {
    String token = "t".repeat(32);
    Server strict = opened(Server.on(engine).token(token, Set.of(Role.WORK)).listen("127.0.0.1:0"));
    TestQueues queues = connect(strict.port(), LONG, Optional.of(token));

    assertThatThrownBy(() -> queues.listen(event -> {}))
        .isInstanceOf(NotAllowedException.class)
        .hasMessageContaining("the token does not allow this call: call=Listen");
    assertThat(listenerCount()).isZero();
  }
}
