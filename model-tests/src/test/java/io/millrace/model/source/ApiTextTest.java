package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.source.ApiSample.Child;
import io.millrace.model.source.ApiSample.Generic;
import io.millrace.model.source.ApiSample.Hidden;
import io.millrace.model.source.ApiSample.Line;
import io.millrace.model.source.ApiSample.Mark;
import io.millrace.model.source.ApiSample.Point;
import io.millrace.model.source.ApiSample.Shape;
import io.millrace.model.source.ApiSample.Way;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ApiTextTest {

  private final ApiText text = new ApiText(Set.of(ApiSample.class.getPackageName()));

  @Test
  void lines_ofAGenericClass_haveBoundsWildcardsArraysAndNull() {
    assertThat(lines(Generic.class))
        .containsExactly(
            "Generic: public abstract static class <T extends Comparable<? super T> & "
                + "java.io.Serializable, N extends @Nullable Object> implements Iterable<T>",
            "Generic.MAX: public static final int = 5",
            "Generic.NAME: public static final String = \"a\\nb\"",
            "Generic.all(T[] @Nullable[], Class<?>...): public final "
                + "java.util.Map<T, ? extends java.util.List<@Nullable String>>",
            "Generic.changed: protected @Nullable String",
            "Generic.new(int): protected",
            "Generic.read(java.util.Map.Entry<T, N>): @Deprecated(forRemoval=true, since=\"2\") "
                + "public abstract <E extends Exception> byte[] throws E, java.io.IOException");
  }

  @Test
  void lines_ofARecord_haveItsComponents() {
    assertThat(lines(Point.class))
        .containsExactly(
            "Point: public static final record <P> (P what, @Nullable String name) "
                + "implements Shape",
            "Point.name(): public @Nullable String",
            "Point.new(P, @Nullable String): public",
            "Point.what(): public P");
  }

  @Test
  void lines_ofASealedInterface_haveWhoMayImplementIt() {
    assertThat(lines(Shape.class))
        .containsExactly(
            "Shape: public static sealed interface permits Line, Point",
            "Shape.length(): public default int");
    assertThat(lines(Line.class)).containsExactly("Line: public static interface extends Shape");
  }

  @Test
  void lines_ofAnEnumAndAnAnnotation_haveConstantsAndDefaults() {
    assertThat(lines(Way.class))
        .containsExactly(
            "Way: public static enum",
            "Way.IN: public static final Way",
            "Way.OUT: public static final Way");
    assertThat(lines(Mark.class))
        .containsExactly(
            "Mark: public static @interface extends java.lang.annotation.Annotation",
            "Mark.at(): public abstract int",
            "Mark.why(): public abstract default String");
  }

  @Test
  void lines_ofAChildOfAHiddenClass_haveWhatItHasFromThere() {
    assertThat(lines(Child.class))
        .containsExactly(
            "Child: public static final class extends Hidden<String>",
            "Child.added(): public int",
            "Child.given(S): public S",
            "Child.new(): public");
  }

  @Test
  void isSeen_ofTypesThatAreHiddenOrInHiddenOnesOrInOtherPackages_isFalse() {
    assertThat(Stream.of(Child.class, Hidden.class, Hidden.Inside.class, Set.class))
        .extracting(text::isSeen)
        .containsExactly(true, false, false, false);
  }

  /** Answers the lines with short names. */
  private List<String> lines(Class<?> type) {
    return text.lines(type).stream()
        .map(line -> line.replace("io.millrace.model.source.ApiSample.", ""))
        .toList();
  }
}
