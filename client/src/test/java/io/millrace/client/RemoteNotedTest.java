package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineClosedException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.protocol.Call;
import io.millrace.protocol.NotedCalls.EndTrouble;
import io.millrace.protocol.NotedCalls.Serve;
import io.millrace.protocol.NotedCalls.TellTrouble;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The calls by which a client tells its server of the workers in its process. */
@Timeout(60)
class RemoteNotedTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final Duration SILENCE = Duration.ofHours(1);

  private final StagedCalls calls = new StagedCalls();
  private final AtomicLong nowNs = new AtomicLong();
  private final Caller caller = Caller.of(calls, nowNs::get);
  private final TestQueues queues = new TestQueues(caller);

  private <T> CompletableFuture<T> next() {
    CompletableFuture<T> next = new CompletableFuture<>();
    calls.next(next);
    return next;
  }

  @Test
  void serve_waitIsOver_isCalledAgainUntilItIsTakenBack() {
    CompletableFuture<Serve.Answer> first = next();
    CompletableFuture<Serve.Answer> second = next();

    Runnable end = queues.serve(List.of(MAIL), List.of("news"));
    first.complete(new Serve.Answer());
    end.run();
    end.run();

    Call<?> serve = new Serve(List.of(MAIL), List.of("news"), Duration.ofMinutes(10));
    assertThat(calls.made()).isEqualTo(List.of(serve, serve));
    assertThat(second).isCancelled();
  }

  @Test
  void serve_callFails_isCalledAgainAfterARest() throws Exception {
    CompletableFuture<Call<?>> again = new CompletableFuture<>();
    Calls once =
        new Calls() {
          private boolean isFailed;

          @Override
          public <C extends Call<A>, A> CompletableFuture<A> send(C call) {
            if (isFailed) {
              again.complete(call);
              return new CompletableFuture<>();
            }
            isFailed = true;
            return CompletableFuture.failedFuture(new OutcomeUnknownException("cut"));
          }
        };
    Serve serve = new Serve(List.of(MAIL), List.of(), Duration.ofMinutes(10));

    RemoteServing serving =
        RemoteServing.begin(Caller.of(once, nowNs::get), serve, Duration.ofMillis(1));

    assertThat(again.get(20, TimeUnit.SECONDS)).isEqualTo(serve);
    serving.close();
  }

  @Test
  void serve_clientIsClosed_isCalledNoMore() {
    calls.next(CompletableFuture.failedFuture(new EngineClosedException("client is closed")));

    RemoteServing serving =
        RemoteServing.begin(
            caller, new Serve(List.of(MAIL), List.of(), Duration.ofMinutes(10)), Duration.ZERO);
    serving.close();

    assertThat(calls.made()).hasSize(1);
  }

  @Test
  void trouble_toldOften_isSentAsNewsAndOnceAMinute() {
    assertThat(queues.troubles().tell("mail", "no route", SILENCE)).isTrue();
    assertThat(queues.troubles().tell("mail", "no route", SILENCE)).isFalse();
    nowNs.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(queues.troubles().tell("mail", "no route", SILENCE)).isFalse();
    assertThat(calls.made()).hasSize(1);
    nowNs.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(queues.troubles().tell("mail", "no route", SILENCE)).isFalse();
    assertThat(calls.made()).hasSize(2);
    assertThat(queues.troubles().tell("mail", "no host", SILENCE)).isTrue();
    queues.troubles().over("mail");
    assertThat(queues.troubles().tell("mail", "no host", SILENCE)).isTrue();

    assertThat(calls.made())
        .isEqualTo(
            List.of(
                new TellTrouble("mail", "no route", SILENCE),
                new TellTrouble("mail", "no route", SILENCE),
                new TellTrouble("mail", "no host", SILENCE),
                new EndTrouble("mail"),
                new TellTrouble("mail", "no host", SILENCE)));
  }

  /** A worker elsewhere may have told the server of it. */
  @Test
  void troubleThatNobodyHereTold_isOver_isSentAsWell() {
    queues.troubles().over("mail");

    assertThat(calls.made()).isEqualTo(List.of(new EndTrouble("mail")));
  }
}
