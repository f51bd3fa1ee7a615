package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.JobEvent;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobId;
import io.millrace.api.JobListening;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.protocol.Call;
import io.millrace.protocol.HeardEvent;
import io.millrace.protocol.ListenCalls.EndListen;
import io.millrace.protocol.ListenCalls.Happened;
import io.millrace.protocol.ListenCalls.Listen;
import io.millrace.protocol.ListenCalls.ListenedEvent;
import io.millrace.protocol.ListenCalls.Missed;
import io.millrace.protocol.ListenCalls.NextEvents;
import io.millrace.spi.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions that a client asks for its listeners, and the use of each answer. */
@Timeout(60)
class EventAskingTest {

  private static final Duration WAITING = Duration.ofMillis(30);

  /** A server of which a test says the answers; without more of them nothing happens. */
  private static final class Answers implements Calls {
    private final List<Call<?>> made = Collections.synchronizedList(new ArrayList<>());
    private final LinkedBlockingDeque<Object> next = new LinkedBlockingDeque<>();
    private int listenCount;

    @Override
    @SuppressWarnings("unchecked") // the test knows what the next call is
    public synchronized <C extends Call<A>, A> CompletableFuture<A> send(C call) {
      made.add(call);
      if (call instanceof EndListen) {
        return (CompletableFuture<A>) CompletableFuture.completedFuture(new EndListen.Answer());
      }
      Object answer = next.peekFirst();
      if (call instanceof Listen && !(answer instanceof RuntimeException)) {
        return (CompletableFuture<A>)
            CompletableFuture.completedFuture(new Listen.Answer("id" + ++listenCount));
      }
      next.pollFirst();
      if (answer instanceof RuntimeException thrown) {
        return CompletableFuture.failedFuture(thrown);
      }
      if (answer == null && call instanceof NextEvents none) {
        return new CompletableFuture<A>()
            .completeOnTimeout(
                (A) new NextEvents.Answer(none.after(), List.of()),
                none.waiting().toMillis(),
                TimeUnit.MILLISECONDS);
      }
      return answer == null
          ? new CompletableFuture<>()
          : CompletableFuture.completedFuture((A) answer);
    }

    private <C> List<C> made(Class<C> of) {
      synchronized (made) {
        return made.stream().filter(of::isInstance).map(of::cast).toList();
      }
    }
  }

  private final Answers answers = new Answers();
  private final RemoteListenings listenings = new RemoteListenings(WAITING);

  @AfterEach
  void close() {
    listenings.close();
  }

  private JobListening listen(Heard heard) {
    return listenings.listen(
        Caller.of(answers, System::nanoTime), Optional.empty(), EnumSet.allOf(Kind.class), heard);
  }

  private static ListenedEvent event(String type) {
    return new Happened(
        new HeardEvent(
            Kind.ENQUEUED,
            new JobId(1, 2),
            QueueName.of("mail"),
            type,
            0,
            Instant.EPOCH,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  @Test
  void answers_areConfirmedByTheNextCall() {
    answers.next.add(new NextEvents.Answer(2, List.of(event("a"), new Missed(7))));
    answers.next.add(new NextEvents.Answer(2, List.of()));
    answers.next.add(new NextEvents.Answer(3, List.of(event("b"))));
    Heard heard = new Heard();

    JobListening listening = listen(heard);
    heard.await(2);
    Heard.await("asked on", () -> answers.made(NextEvents.class).size() >= 4);
    listening.close();

    assertThat(heard.types()).containsExactly("a", "b");
    assertThat(heard.gaps).containsExactly(7L);
    assertThat(listening.missedCount()).isEqualTo(7);
    assertThat(answers.made(NextEvents.class))
        .extracting(NextEvents::after)
        .startsWith(0L, 2L, 2L, 3L);
    assertThat(answers.made(NextEvents.class).get(0))
        .isEqualTo(new NextEvents("id1", 0, OptionalInt.of(1_000), WAITING));
    assertThat(answers.made(EndListen.class)).containsExactly(new EndListen("id1"));
  }

  @Test
  void failures_thatPass_areAskedAgainWithTheSameConfirmation() {
    List<RuntimeException> passing =
        List.of(
            new StoreUnavailableException("away"),
            new OutcomeUnknownException("cut"),
            new EngineClosedException("closing"),
            new EngineOverloadedException("busy"),
            new IllegalStateException("of its own"));
    answers.next.add(new NextEvents.Answer(1, List.of(event("a"))));
    answers.next.addAll(passing);
    answers.next.add(new NextEvents.Answer(2, List.of(event("b"))));
    Heard heard = new Heard();
    listen(heard);

    heard.await(2);

    assertThat(heard.types()).containsExactly("a", "b");
    assertThat(heard.gaps).isEmpty();
    assertThat(answers.made(Listen.class)).hasSize(1);
    assertThat(answers.made(NextEvents.class).subList(1, 2 + passing.size()))
        .extracting(NextEvents::after)
        .containsOnly(1L);
  }

  @Test
  void failures_thatDoNotPass_beginAnewAndTellOfOneMissedEvent() {
    List<RuntimeException> lasting =
        List.of(
            new NoSuchListeningException("gone"),
            new IllegalArgumentException("no such event was told"),
            new OutcomeUnknownException("unreadable", new IllegalArgumentException("kind: X")));
    for (RuntimeException thrown : lasting) {
      answers.next.add(new NextEvents.Answer(5, List.of(event("a"))));
      answers.next.add(thrown);
    }
    answers.next.add(new EngineOverloadedException("too many job listeners"));
    answers.next.add(new NextEvents.Answer(1, List.of(event("b"))));
    Heard heard = new Heard();
    JobListening listening = listen(heard);

    heard.await(4);
    listening.close();

    assertThat(heard.types()).containsExactly("a", "a", "a", "b");
    assertThat(heard.gaps).containsExactly(1L, 1L, 1L);
    assertThat(listening.missedCount()).isEqualTo(3);
    assertThat(answers.made(Listen.class)).hasSize(5);
    assertThat(answers.made(NextEvents.class))
        .filteredOn(call -> call.after() == 0)
        .extracting(NextEvents::id)
        .containsExactly("id1", "id2", "id3", "id4");
    assertThat(answers.made(EndListen.class)).containsExactly(new EndListen("id4"));
  }

  @Test
  void listener_thatIsBusy_isAskedForSoThatTheServerKeepsItsEvents() {
    CountDownLatch free = new CountDownLatch(1);
    Heard heard =
        new Heard() {
          @Override
          public void happened(JobEvent event) {
            Told.quietly(free::await);
            super.happened(event);
          }
        };
    for (int i = 1; i <= 10; i++) {
      answers.next.add(new NextEvents.Answer(i * 1_000L, Collections.nCopies(1_000, event("a"))));
    }
    listen(heard);
    Heard.await(
        "kept alive",
        () ->
            answers.made(NextEvents.class).stream()
                    .filter(call -> call.most().equals(OptionalInt.of(0)))
                    .count()
                >= 3);
    assertThat(heard.events).isEmpty();
    List<NextEvents> made = answers.made(NextEvents.class);

    free.countDown();
    heard.await(10_000);

    assertThat(made.stream().filter(call -> call.most().getAsInt() == 0))
        .allMatch(call -> call.waiting().isZero());
    assertThat(answers.made(Listen.class)).hasSize(1);
  }
}
