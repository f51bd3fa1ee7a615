package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobEvent;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobListening;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.HeardEvent;
import io.millrace.protocol.ListenCalls.Happened;
import io.millrace.protocol.ListenCalls.Listen;
import io.millrace.protocol.ListenCalls.ListenedEvent;
import io.millrace.protocol.ListenCalls.Missed;
import io.millrace.protocol.ListenCalls.NextEvents;
import io.millrace.protocol.Protocol;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeldListeningsTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);
  private static final Duration LONG = NextEvents.WAITING_MAX;

  private final JobEngine engine = JobEngine.open("memory:listen-" + UUID.randomUUID());
  private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5);
  private final HeldListenings listenings = new HeldListenings(nowNs::get);

  @AfterEach
  void close() {
    listenings.close();
    engine.close();
  }

  private String listen() {
    return listenings.listen(engine, new Listen(Optional.of(MAIL), ALL)).id();
  }

  private CompletableFuture<NextEvents.Answer> ask(
      String id, long after, OptionalInt most, Duration waiting) {
    return listenings.next(new NextEvents(id, after, most, waiting));
  }

  private NextEvents.Answer next(String id, long after) throws Exception {
    return ask(id, after, OptionalInt.empty(), LONG).get(20, TimeUnit.SECONDS);
  }

  /** Returns events once there are as many. */
  private List<ListenedEvent> all(String id, int count) throws Exception {
    List<ListenedEvent> all = new ArrayList<>();
    for (long last = 0; all.size() < count; ) {
      NextEvents.Answer answer = next(id, last);
      all.addAll(answer.events());
      assertThat(answer.last()).isEqualTo(all.size());
      last = answer.last();
    }
    return all;
  }

  private static List<String> texts(List<ListenedEvent> events) {
    return events.stream()
        .map(
            event ->
                event instanceof Happened it
                    ? it.event().type() + " " + it.event().kind()
                    : event.toString())
        .toList();
  }

  private void enqueue(String type) {
    engine.queue(MAIL).enqueue(new byte[0], EnqueueOptions.DEFAULT.type(type));
  }

  private void enqueue(int count) {
    for (int left = count; left > 0; left -= Limits.CALL_JOB_COUNT_MAX) {
      engine
          .queue(MAIL)
          .enqueueAll(
              Collections.nCopies(
                  Math.min(left, Limits.CALL_JOB_COUNT_MAX),
                  new NewJob(new byte[0], EnqueueOptions.DEFAULT)));
    }
  }

  private void pass() {
    nowNs.addAndGet(HeldListening.KEPT_NS + 1);
  }

  private static void await(BooleanSupplier condition) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).isNegative();
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void events_comeInOrder_withNumbersToConfirm() throws Exception {
    String id = listen();
    enqueue("a");
    engine.queue(MAIL).claim(ClaimOptions.by("w")).get(0).complete().orThrow();
    enqueue("b");

    assertThat(texts(all(id, 4)))
        .containsExactly("a ENQUEUED", "a CLAIMED", "a COMPLETED", "b ENQUEUED");
    assertThat(ask(id, 4, OptionalInt.empty(), Duration.ZERO).get())
        .isEqualTo(new NextEvents.Answer(4, List.of()));
  }

  @Test
  void answer_thatWasLost_isToldAgainAndConfirmedEventsAreNot() throws Exception {
    String id = listen();
    enqueue("a");
    assertThat(texts(next(id, 0).events())).containsExactly("a ENQUEUED");
    enqueue("b");
    while (next(id, 0).events().size() < 2) {
      Thread.onSpinWait();
    }

    NextEvents.Answer one = ask(id, 0, OptionalInt.of(1), LONG).get();
    NextEvents.Answer again = next(id, 0);
    NextEvents.Answer rest = next(id, 1);

    assertThat(texts(one.events())).containsExactly("a ENQUEUED");
    assertThat(one.last()).isEqualTo(1);
    assertThat(texts(again.events())).containsExactly("a ENQUEUED", "b ENQUEUED");
    assertThat(texts(rest.events())).containsExactly("b ENQUEUED");
    assertThat(next(id, 0)).as("late").isEqualTo(new NextEvents.Answer(0, List.of()));
    assertThat(texts(next(id, 1).events())).containsExactly("b ENQUEUED");
  }

  @Test
  void call_thatWaits_isAnsweredByAnEventByTheTimeOrByAnotherCall() throws Exception {
    String id = listen();
    CompletableFuture<NextEvents.Answer> overtaken = ask(id, 0, OptionalInt.empty(), LONG);
    CompletableFuture<NextEvents.Answer> waiting = ask(id, 0, OptionalInt.empty(), LONG);
    assertThat(overtaken.get(20, TimeUnit.SECONDS).events()).isEmpty();
    assertThat(waiting).isNotDone();

    enqueue("a");

    assertThat(texts(waiting.get(20, TimeUnit.SECONDS).events())).containsExactly("a ENQUEUED");
    assertThat(
            ask(id, 1, OptionalInt.empty(), Duration.ofMillis(20))
                .get(20, TimeUnit.SECONDS)
                .events())
        .isEmpty();
    CompletableFuture<NextEvents.Answer> gone = ask(id, 1, OptionalInt.empty(), LONG);
    gone.cancel(false);
    enqueue("b");
    assertThat(texts(next(id, 1).events())).containsExactly("b ENQUEUED");
  }

  @Test
  void call_forNoEvents_confirmsAndTellsNone() throws Exception {
    String id = listen();
    enqueue("a");
    all(id, 1);

    assertThat(ask(id, 1, OptionalInt.of(0), LONG).get(20, TimeUnit.SECONDS))
        .isEqualTo(new NextEvents.Answer(1, List.of()));
  }

  @Test
  void caller_thatIsSlow_missesSomeAndIsToldHowManyInTheirPlace() throws Exception {
    String id = listen();
    int count = Limits.LISTENER_EVENT_COUNT_MAX + 5_000;
    enqueue(count);
    await(() -> engine.metrics().missedEventCount() > 1_000);
    await(
        () ->
            engine.metrics().missedEventCount()
                    + engine.metrics().waitingEventCount()
                    + HeldListening.COUNT_MAX
                >= count - 1);
    long missed = engine.metrics().missedEventCount();

    List<ListenedEvent> told = all(id, count - (int) missed + 1);
    enqueue("last");

    assertThat(missed).isBetween(2_000L, 5_000L);
    assertThat(told).filteredOn(Missed.class::isInstance).containsExactly(new Missed(missed));
    assertThat(told.get(told.size() - 1)).isEqualTo(new Missed(missed));
    assertThat(texts(next(id, told.size()).events())).containsExactly("last ENQUEUED");
  }

  @Test
  void listening_aboutWhichNobodyAsks_isEndedAfterAMinute() {
    String id = listen();
    pass();

    String other = listen();

    assertThat(listenings.count()).isEqualTo(1);
    assertThat(engine.metrics().listenerCount()).isEqualTo(1);
    assertThatThrownBy(() -> ask(id, 0, OptionalInt.empty(), LONG))
        .isInstanceOf(NoSuchListeningException.class)
        .hasMessageContaining("begin another one");
    assertThat(ask(other, 0, OptionalInt.empty(), LONG)).isNotDone();
  }

  @Test
  void listening_aboutWhichNobodyAsks_isEndedByItsNextEvent() {
    listen();
    pass();

    enqueue("a");

    await(() -> engine.metrics().listenerCount() == 0);
    assertThat(listenings.count()).isZero();
  }

  @Test
  void listening_thatIsFullAndAboutWhichNobodyAsks_isEndedWithoutAnother() {
    listen();
    enqueue(HeldListening.COUNT_MAX + 10);
    await(() -> engine.metrics().waitingEventCount() <= 9);
    pass();

    await(() -> engine.metrics().listenerCount() == 0);
    assertThat(listenings.count()).isZero();
  }

  @Test
  void listening_aboutWhichSomebodyAsks_goesOnForAMinuteMore() {
    String id = listen();
    CompletableFuture<NextEvents.Answer> waiting = ask(id, 0, OptionalInt.empty(), LONG);
    pass();
    listen();
    assertThat(listenings.count()).isEqualTo(2);

    waiting.cancel(false);
    nowNs.addAndGet(HeldListening.KEPT_NS - TimeUnit.SECONDS.toNanos(2));
    assertThat(ask(id, 0, OptionalInt.of(0), LONG)).isDone();
    nowNs.addAndGet(TimeUnit.SECONDS.toNanos(3));
    listen();
    assertThat(listenings.count()).as("the second one is over").isEqualTo(2);
    assertThat(ask(id, 0, OptionalInt.of(0), LONG)).isDone();

    pass();
    listen();
    assertThat(listenings.count()).isEqualTo(1);
  }

  @Test
  void calls_thatAreWrong_areRefused() throws Exception {
    String id = listen();
    enqueue("a");
    all(id, 1);
    assertThatThrownBy(() -> ask("x", 0, OptionalInt.empty(), LONG))
        .isInstanceOf(NoSuchListeningException.class);
    for (long after : new long[] {-1, 2, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> ask(id, after, OptionalInt.empty(), LONG))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no such event was told: after=" + after + ", last=1");
    }
    assertThatThrownBy(() -> ask(id, 0, OptionalInt.of(1_001), LONG))
        .hasMessageStartingWith("most is out of range: value=1001");
    assertThatThrownBy(() -> ask(id, 0, OptionalInt.empty(), LONG.plusMillis(1)))
        .hasMessageStartingWith("waiting is out of range");
    assertThatThrownBy(() -> listenings.listen(engine, new Listen(Optional.empty(), Set.of())))
        .hasMessageStartingWith("number of kinds is out of range: value=0");
  }

  @Test
  void listenings_beyondTheLimit_areRefusedUntilOthersEnd() {
    for (int i = 0; i < Limits.LISTENER_COUNT_MAX; i++) {
      listen();
    }
    assertThatThrownBy(this::listen)
        .isInstanceOf(EngineOverloadedException.class)
        .hasMessageContaining("most=64");
    assertThat(listenings.count()).isEqualTo(64);

    pass();

    assertThat(listen()).hasSize(32);
    assertThat(listenings.count()).isEqualTo(1);
  }

  @Test
  void listening_toAllQueues_tellsOfTheKindsThatWereAskedFor() throws Exception {
    String id = listenings.listen(engine, new Listen(Optional.empty(), Set.of(Kind.CLAIMED))).id();
    enqueue("a");
    engine.queue("other").enqueue(new byte[0]);
    engine.queue("other").claim(ClaimOptions.by("w")).get(0).complete().orThrow();
    engine.queue(MAIL).claim(ClaimOptions.by("w")).get(0).complete().orThrow();

    assertThat(texts(all(id, 2))).containsExactly("other CLAIMED", "a CLAIMED");
  }

  @Test
  void listening_whoseNameNobodyReceived_isTakenBack() throws Exception {
    Handler<?, ?> handler =
        listenings.handlers().stream()
            .filter(it -> it.operation().name().equals("Listen"))
            .findFirst()
            .orElseThrow();
    Handler.Told told =
        handler
            .carryOut(
                new Handler.Served(engine, Runnable::run, Runnable::run, listenings),
                Rights.ALL,
                Protocol.of(Listen.class).encode(new Listen(Optional.empty(), ALL)))
            .get(20, TimeUnit.SECONDS);
    assertThat(listenings.count()).isEqualTo(1);

    told.takeBack();

    assertThat(listenings.count()).isZero();
    assertThat(engine.metrics().listenerCount()).isZero();
  }

  @Test
  void closed_endsAllAlsoThoseThatAreFull_andLetsNoneBegin() {
    String full = listen();
    CompletableFuture<NextEvents.Answer> waiting = ask(listen(), 0, OptionalInt.empty(), LONG);
    enqueue("a");
    await(waiting::isDone);
    enqueue(HeldListening.COUNT_MAX + 10);
    await(() -> engine.metrics().waitingEventCount() <= 2 * 10);
    long beganNs = System.nanoTime();

    listenings.close();

    assertThat(System.nanoTime() - beganNs).isLessThan(TimeUnit.SECONDS.toNanos(4));
    assertThat(engine.metrics().listenerCount()).isZero();
    assertThatThrownBy(() -> ask(full, 0, OptionalInt.empty(), LONG))
        .isInstanceOf(NoSuchListeningException.class);
    assertThatThrownBy(this::listen).isInstanceOf(EngineClosedException.class);
    assertThat(engine.metrics().listenerCount()).isZero();
  }

  @Test
  void events_areThoseOfTheEngine() throws Exception {
    List<JobEvent> here = Collections.synchronizedList(new ArrayList<>());
    String id = listen();
    JobListening own = engine.listen(here::add);
    enqueue("a");
    engine.queue(MAIL).claim(ClaimOptions.by("w")).get(0).fail("x").orThrow();
    await(() -> here.size() == 3);
    own.close();

    assertThat(all(id, 3))
        .map(event -> ((Happened) event).event())
        .containsExactlyElementsOf(here.stream().map(HeardEvent::of).toList());
  }

  private static HttpResponse<String> post(Server server, String path, String json)
      throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.httpPort().orElseThrow() + "/v1/" + path);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void events_areToldByHttp_untilTheListeningIsEndedOrTheServerClosed() throws Exception {
    try (Server server = Server.on(engine).http("127.0.0.1:0").listen("127.0.0.1:0")) {
      String id =
          post(server, "listen", "{\"kinds\":[\"ENQUEUED\"]}")
              .body()
              .replaceAll(".*\"id\":\"(\\w{32})\".*", "$1");
      String ask = "{\"id\":\"" + id + "\",\"waitingMs\":\"20000\"}";
      enqueue("a");
      assertThat(post(server, "next-events", ask).body())
          .contains("\"last\":\"1\"")
          .contains("\"happened\":{\"event\":{\"kind\":\"ENQUEUED\"")
          .contains("\"type\":\"a\"");

      assertThat(post(server, "end-listen", ask.replace(",\"waitingMs\":\"20000\"", "")))
          .extracting(HttpResponse::statusCode)
          .isEqualTo(200);
      HttpResponse<String> ended = post(server, "next-events", ask);
      assertThat(ended.statusCode()).isEqualTo(404);
      assertThat(ended.body()).contains("NoSuchListening").contains("listening is not there");
      assertThat(engine.metrics().listenerCount()).isZero();

      post(server, "listen", "{\"kinds\":[\"ENQUEUED\"]}");
      assertThat(engine.metrics().listenerCount()).isEqualTo(1);
    }
    assertThat(engine.metrics().listenerCount()).isZero();
  }
}
