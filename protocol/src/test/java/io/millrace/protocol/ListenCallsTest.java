package io.millrace.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobEvent;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.protocol.ListenCalls.Happened;
import io.millrace.protocol.ListenCalls.Listen;
import io.millrace.protocol.ListenCalls.ListenedEvent;
import io.millrace.protocol.ListenCalls.Missed;
import io.millrace.protocol.ListenCalls.NextEvents;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ListenCallsTest {

  private static final QueueName MAIL = new QueueName("mail", "acme");
  private static final JobId JOB = new JobId(1L << 32, 77L << 16);

  private static NextEvents.Answer sent(NextEvents.Answer answer) {
    Operation<NextEvents, NextEvents.Answer> operation = Protocol.of(NextEvents.class);
    return operation.decodeAnswer(operation.encodeAnswer(answer));
  }

  private static JobEvent sent(JobEvent event) {
    NextEvents.Answer told = sent(new NextEvents.Answer(9, List.of(new Happened(event))));
    assertThat(told.last()).isEqualTo(9);
    return ((Happened) told.events().get(0)).event();
  }

  /** Returns the facts of an event by the names of its accessors. */
  private static Map<String, Object> facts(JobEvent event) throws ReflectiveOperationException {
    Map<String, Object> facts = new HashMap<>();
    for (Method accessor : JobEvent.class.getMethods()) {
      facts.put(accessor.getName(), accessor.invoke(event));
    }
    return facts;
  }

  /** An event of the engine's own, which is no record. */
  private static JobEvent foreign(JobEvent of) {
    return (JobEvent)
        Proxy.newProxyInstance(
            JobEvent.class.getClassLoader(),
            new Class<?>[] {JobEvent.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(of, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static HeardEvent full(JobEvent.Kind kind) {
    return new HeardEvent(
        kind,
        JOB,
        MAIL,
        "letter",
        3,
        Instant.ofEpochMilli(1_700_000_000_123L),
        Optional.of(Duration.ofMillis(7)),
        Optional.of(Duration.ZERO),
        Optional.of("w"),
        Optional.of("no such letter"),
        Optional.of(JobState.DEAD));
  }

  @ParameterizedTest
  @EnumSource(JobEvent.Kind.class)
  void events_ofEachKind_keepAllOfTheirFacts(JobEvent.Kind kind) throws Exception {
    HeardEvent full = full(kind);
    HeardEvent empty =
        new HeardEvent(
            kind,
            JOB,
            QueueName.of("mail"),
            "mail",
            0,
            Instant.EPOCH,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    for (HeardEvent event : List.of(full, empty)) {
      assertThat(facts(sent(foreign(event)))).isEqualTo(facts(event)).hasSize(11);
      assertThat(sent(event)).isEqualTo(event);
    }
  }

  @Test
  void events_inEachState_keepIt() {
    for (JobState state : JobState.values()) {
      HeardEvent event = full(JobEvent.Kind.RETRIED);
      HeardEvent in =
          new HeardEvent(
              event.kind(),
              event.jobId(),
              event.queue(),
              event.type(),
              event.attempt(),
              event.at(),
              event.waited(),
              event.ran(),
              event.worker(),
              event.error(),
              Optional.of(state));
      assertThat(sent(in).state()).contains(state);
    }
  }

  @Test
  void answers_keepTheOrderOfEventsAndOfMissingOnes() {
    List<ListenedEvent> events = new ArrayList<>();
    Arrays.stream(JobEvent.Kind.values())
        .forEach(
            kind -> {
              events.add(new Happened(full(kind)));
              events.add(new Missed(1L + kind.ordinal()));
            });
    NextEvents.Answer answer = new NextEvents.Answer(Long.MAX_VALUE, events);

    assertThat(sent(answer)).isEqualTo(answer);
  }

  @Test
  void calls_tellWhatIsLeftOutFromZero() {
    Operation<NextEvents, NextEvents.Answer> next = Protocol.of(NextEvents.class);
    Operation<Listen, Listen.Answer> listen = Protocol.of(Listen.class);
    for (OptionalInt most : List.of(OptionalInt.empty(), OptionalInt.of(0), OptionalInt.of(7))) {
      NextEvents call = new NextEvents("id", 5, most, Duration.ofSeconds(20));
      assertThat(next.decode(next.encode(call))).isEqualTo(call);
    }
    for (Listen call :
        List.of(
            new Listen(Optional.of(MAIL), EnumSet.allOf(JobEvent.Kind.class)),
            new Listen(Optional.empty(), Set.of(JobEvent.Kind.DIED)))) {
      assertThat(listen.decode(listen.encode(call))).isEqualTo(call);
    }
  }
}
