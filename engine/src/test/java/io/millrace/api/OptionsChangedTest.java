package io.millrace.api;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions that change options: no change that they make is lost. */
class OptionsChangedTest {

  /** What functions may change, and how they are asked to. */
  private record Taken<T>(
      T start, BiFunction<T, UnaryOperator<T>, T> changed, OptionsTest.Kind<T> kind) {

    T by(UnaryOperator<T> change) {
      return changed.apply(start, change);
    }

    @Override
    public String toString() {
      return kind.toString();
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> Taken<T> taken(
      Class<T> type, T start, BiFunction<T, UnaryOperator<T>, T> changed) {
    OptionsTest.Kind<?> kind =
        OptionsTest.kinds().filter(each -> each.type() == type).findFirst().orElseThrow();
    return new Taken<>(start, changed, (OptionsTest.Kind<T>) kind);
  }

  static Stream<Taken<?>> taken() {
    return Stream.of(
        taken(EnqueueOptions.class, EnqueueOptions.DEFAULT, EnqueueOptions::changed),
        taken(UpdateOptions.class, UpdateOptions.NOTHING, UpdateOptions::changed),
        taken(QueueSettings.class, QueueSettings.DEFAULT, QueueSettings::changed),
        taken(EngineOptions.class, EngineOptions.DEFAULT, EngineOptions::changed));
  }

  @ParameterizedTest
  @MethodSource("taken")
  <T> void changed_allChanges_areInTheAnswer(Taken<T> taken) {
    T expected = taken.start();
    for (OptionsTest.Change<T> change : taken.kind().changes()) {
      expected = change.change().apply(expected);
    }

    T changed =
        taken.by(
            given -> {
              T all = given;
              for (OptionsTest.Change<T> change : taken.kind().changes()) {
                all = change.change().apply(all);
              }
              return all;
            });

    assertThat(changed).isEqualTo(expected);
    assertThat(taken.by(given -> given)).isEqualTo(taken.start());
    assertThat(taken.by(given -> changed)).isSameAs(changed);
  }

  @ParameterizedTest
  @MethodSource("taken")
  <T> void changed_eachChangeThatIsThrownAway_isRefused(Taken<T> taken) {
    for (OptionsTest.Change<T> change : taken.kind().changes()) {
      assertThatThrownBy(
              () ->
                  taken.by(
                      given -> {
                        T lost = change.change().apply(given);
                        assertThat(lost).isNotSameAs(given);
                        return given;
                      }))
          .as(change.toString())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("changes of options are lost: made=")
          .hasMessageContaining("in the answer=0, options=" + taken.kind());
    }
  }

  @Test
  void changed_oneOfTwoIsThrownAway_isRefused() {
    assertThatThrownBy(
            () ->
                EnqueueOptions.DEFAULT.changed(
                    given -> {
                      given.delay(ofSeconds(3));
                      return given.priority(5);
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "changes of options are lost: made=2, in the answer=1, options=EnqueueOptions; options"
                + " are immutable, answer what the last change answered: o -> o.a(1).b(2)");
  }

  @Test
  void changed_answerIsNone_isRefused() {
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.changed(nothing()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("options that the function answers");
  }

  @SuppressWarnings("NullAway") // what the test is about
  private static UnaryOperator<EnqueueOptions> nothing() {
    return given -> null;
  }

  @Test
  void changed_withinAFunction_countsForItself() {
    EnqueueOptions inner = EnqueueOptions.DEFAULT.changed(o -> o.priority(1));

    EnqueueOptions outer =
        inner.changed(o -> o.weight(2).changed(p -> p.priority(p.priority() + 1)).maxAttempts(4));

    assertThat(outer).isEqualTo(EnqueueOptions.DEFAULT.priority(2).weight(2).maxAttempts(4));
    assertThat(inner.weight(9)).isEqualTo(EnqueueOptions.DEFAULT.priority(1).weight(9));
  }

  @Test
  void changed_functionWithinAFunctionAnswersWhatWasThere_losesNothing() {
    EnqueueOptions urgent = EnqueueOptions.DEFAULT.priority(7);

    assertThat(EnqueueOptions.DEFAULT.changed(o -> o.changed(p -> urgent))).isSameAs(urgent);
    assertThat(EnqueueOptions.DEFAULT.changed(o -> o.changed(p -> o.priority(7))))
        .isEqualTo(urgent);
    assertThat(
            EnqueueOptions.DEFAULT.changed(
                o -> kept(o, p -> p.changed(q -> q.priority(1).weight(0)))))
        .isEqualTo(EnqueueOptions.DEFAULT);
  }

  @Test
  void changed_changesWithinAFunctionAreThrownAway_areCounted() {
    assertThatThrownBy(
            () ->
                EnqueueOptions.DEFAULT.changed(
                    o -> {
                      o.priority(1).changed(p -> p.weight(2).maxAttempts(3));
                      return o;
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("changes of options are lost: made=3, in the answer=0");
  }

  @Test
  void changed_valueIsRefusedAndDoneWithout_losesNothing() {
    String tooLong = "k".repeat(Limits.KEY_BYTES_MAX + 1);
    Stream<UnaryOperator<EnqueueOptions>> refused =
        Stream.of(
            o -> o.concurrencyKey(tooLong),
            o -> o.type(""),
            o -> o.timeToLive(ofSeconds(-1)),
            o -> o.resultRetention(ofSeconds(-1)));

    assertThat(refused.map(change -> EnqueueOptions.DEFAULT.changed(o -> kept(o, change))))
        .containsOnly(EnqueueOptions.DEFAULT);
    byte[] large = new byte[Limits.PAYLOAD_BYTES_MAX + 1];
    assertThat(UpdateOptions.NOTHING.changed(o -> kept(o, p -> p.payload(large))))
        .isEqualTo(UpdateOptions.NOTHING);
    assertThat(UpdateOptions.NOTHING.changed(o -> kept(o, p -> p.headers(Map.of("", "a")))))
        .isEqualTo(UpdateOptions.NOTHING);
  }

  /** What was given, if the change is refused. */
  private static <O> O kept(O given, UnaryOperator<O> change) {
    try {
      return change.apply(given);
    } catch (IllegalArgumentException e) {
      return given;
    }
  }
}
