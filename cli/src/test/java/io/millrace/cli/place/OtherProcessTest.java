package io.millrace.cli.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.spi.StoreFullException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.ConnectException;
import java.rmi.UnmarshalException;
import java.util.stream.Stream;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class OtherProcessTest {

  private static final OtherProcess PROCESS = new OtherProcess(7, OtherProcess.Whom.ENGINE);

  @Test
  void ask_answer_isHandedOn() {
    assertThat(PROCESS.<String>ask(() -> "yes")).isEqualTo("yes");
  }

  @ParameterizedTest
  @MethodSource("failures")
  void ask_failure_isASentence(RuntimeException thrown, Class<?> kind, String message) {
    assertThatThrownBy(
            () ->
                PROCESS.ask(
                    () -> {
                      throw thrown;
                    }))
        .isInstanceOf(kind)
        .hasMessage(message);
  }

  @Test
  void ask_workerThatHasStopped_isASentence() {
    assertThatThrownBy(
            () ->
                new OtherProcess(7, OtherProcess.Whom.WORKER)
                    .run(
                        () -> {
                          throw remote(new InstanceNotFoundException("io.millrace:name=x"));
                        }))
        .isInstanceOf(AttachException.class)
        .hasMessage("the process has stopped its worker: pid=7");
  }

  @Test
  void word_ofANewerEngine_isASentence() {
    assertThat(OtherProcess.word(JobState.class, "READY")).isEqualTo(JobState.READY);
    assertThatThrownBy(() -> OtherProcess.word(JobState.class, "ASLEEP"))
        .isInstanceOf(AttachException.class)
        .hasMessage(
            "the engine answers what this command line does not know, use that of its version:"
                + " JobState=ASLEEP");
  }

  static Stream<Arguments> failures() {
    String ended = "the process has ended, or does not answer any more: pid=7";
    return Stream.of(
        failure(remote(new ConnectException("Connection refused")), AttachException.class, ended),
        failure(
            remote(new UnmarshalException("x", new ConnectException("y"))),
            AttachException.class,
            ended),
        failure(
            remote(new InstanceNotFoundException("io.millrace:name=x")),
            AttachException.class,
            "the process has closed its engine: pid=7"),
        failure(
            remote(new AttributeNotFoundException("No such attribute: Metrics")),
            AttachException.class,
            "the engine does not know the question, use the command line of its version: pid=7,"
                + " reason=No such attribute: Metrics"),
        failure(
            new IllegalArgumentException("cursor is not of a page of this question"),
            AttachException.class,
            "the engine refuses that: pid=7, reason=cursor is not of a page of this question"),
        failure(
            new IllegalStateException("CorruptDataException: stored row is corrupt"),
            CorruptDataException.class,
            "stored row is corrupt"),
        failure(
            new IllegalStateException("StoreFullException: store is full"),
            StoreFullException.class,
            "store is full"),
        failure(
            new IllegalStateException("EngineClosedException: engine is closed"),
            AttachException.class,
            "engine is closed"));
  }

  private static RuntimeException remote(Exception thrown) {
    return new UndeclaredThrowableException(thrown);
  }

  private static Arguments failure(RuntimeException thrown, Class<?> kind, String message) {
    return Arguments.of(thrown, kind, message);
  }
}
