package io.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing where something must be is refused where it is handed in, by its name. */
class OptionsNullTest {

  /** Every change of one value that is no number, of every class of options. */
  static Stream<Arguments> changes() {
    return Stream.<Object>of(
            EnqueueOptions.DEFAULT,
            ClaimOptions.by("worker"),
            FailOptions.RETRY,
            UpdateOptions.NOTHING,
            QueueSettings.DEFAULT,
            EngineOptions.DEFAULT,
            TestOptions.DEFAULT,
            JobFilter.ALL,
            DeadFilter.ALL)
        .flatMap(
            options ->
                Arrays.stream(options.getClass().getDeclaredMethods())
                    .filter(method -> isChange(method, options.getClass()))
                    .map(method -> Arguments.of(options, method)));
  }

  private static boolean isChange(Method method, Class<?> type) {
    return Modifier.isPublic(method.getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && method.getReturnType() == type
        && method.getParameterCount() == 1
        && !method.getParameterTypes()[0].isPrimitive();
  }

  @ParameterizedTest
  @MethodSource("changes")
  void change_givenNull_isRefusedByItsName(Object options, Method method) {
    Throwable thrown = catchThrowable(() -> call(options, method));

    assertThat(thrown).isExactlyInstanceOf(NullPointerException.class);
    assertThat(thrown.getMessage())
        .as("a message of ours, not the machine's")
        .isIn(method.getName(), name(method));
  }

  private static void call(Object options, Method method) throws Throwable {
    try {
      method.invoke(options, (Object) null);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** What is handed in, where the method is not called after it. */
  private static String name(Method method) {
    return switch (method.getName()) {
      case "inherit" -> "setting";
      case "over" -> "others";
      case "with" -> "texts";
      case "changed", "forTests" -> "change";
      default -> method.getName();
    };
  }

  @Test
  @SuppressWarnings("NullAway") // A caller's mistake.
  void others_givenNull_areRefusedByTheirName() {
    assertThatThrownBy(() -> ClaimOptions.by(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("worker");
    assertThatThrownBy(() -> QueueSettings.DEFAULT.retry(3, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("backoff");
    assertThatThrownBy(
            () -> EngineOptions.DEFAULT.reopenAfter(Collections.singletonList((Duration) null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("reopenAfter");
    assertThatThrownBy(() -> Backoff.fixed(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("delay");
    assertThatThrownBy(() -> Backoff.list((Duration[]) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("delays");
    assertThatThrownBy(() -> Backoff.list((Duration) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("delays");
  }
}
