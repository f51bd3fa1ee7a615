package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import io.millrace.protocol.NotedCalls.EndTrouble;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ReadCalls;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The limits of calls that are not answered for long. */
class DispatchTest {

  /** A message that takes room. */
  private static final byte[] LARGE = message(100 << 20);

  private final JobEngine engine = JobEngine.open("memory:dispatch-" + UUID.randomUUID());
  private final Dispatch dispatch = new Dispatch(engine, Runnable::run, Runnable::run, 100);
  private final Deque<CompletableFuture<EndTrouble.Answer>> underWay = new ArrayDeque<>();
  private final Handler<?, ?> unanswered =
      new Handler<>(
          Protocol.of(EndTrouble.class),
          call -> Set.of(),
          false,
          (served, call) -> {
            CompletableFuture<EndTrouble.Answer> answer = new CompletableFuture<>();
            underWay.add(answer);
            return answer;
          },
          (queues, answer) -> {});

  /** Returns a message with nothing but a topic, of so many bytes at least. */
  private static byte[] message(int length) {
    return Protocol.of(EndTrouble.class).encode(new EndTrouble("a".repeat(length)));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private CompletableFuture<Handler.Told> call(byte[] message) {
    return dispatch.carryOut(unanswered, Rights.ALL, message);
  }

  @Test
  void requests_beyondTheBytesUnderWay_areRefusedUntilOthersAreAnswered() {
    assertThat(call(LARGE)).isNotDone();
    assertThat(call(LARGE)).isNotDone();
    assertThat(call(LARGE)).isCompletedExceptionally();
    assertThat(call(new byte[0])).isCompletedExceptionally();
    assertThat(underWay).hasSize(2);

    underWay.remove().cancel(false);
    assertThat(call(LARGE)).isNotDone();
    assertThat(underWay).hasSize(2);
  }

  @Test
  void request_largerThanAllThatMayBeUnderWay_isLetInAlone() {
    assertThat(call(message(193 << 20))).isNotDone();
    assertThat(call(new byte[0])).isCompletedExceptionally();
  }

  @Test
  void error_ofAHandler_failsTheCallAndGivesRoom() {
    Handler<?, ?> broken =
        new Handler<>(
            Protocol.of(ReadCalls.Now.class),
            call -> Set.of(),
            true,
            (served, call) -> {
              throw new StackOverflowError("too deep");
            },
            (queues, answer) -> {});
    Rights someQueues =
        new Rights(Rights.ALL.roles(), Optional.of(Set.of(QueuePattern.of("mail"))));
    for (int i = 0; i < 200; i++) { // More than have room.
      assertThat(dispatch.carryOut(broken, Rights.ALL, new byte[0]))
          .failsWithin(Duration.ofSeconds(10))
          .withThrowableThat()
          .withCauseInstanceOf(StackOverflowError.class);
      assertThat(dispatch.carryOut(broken, someQueues, new byte[0]))
          .failsWithin(Duration.ofSeconds(10))
          .withThrowableThat()
          .withCauseInstanceOf(StackOverflowError.class);
    }
  }
}
