package io.millrace.model.source;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Types with something of all that {@link ApiText} tells. */
public final class ApiSample {

  private ApiSample() {}

  /** Bounds, wildcards, arrays, constants; and what nobody sees. */
  public abstract static class Generic<
          T extends Comparable<? super T> & Serializable, N extends @Nullable Object>
      implements Iterable<T> {
    public static final int MAX = 5;
    public static final String NAME = "a\nb";
    static final int HIDDEN = 7;

    protected @Nullable String changed;

    protected Generic(int size) {}

    Generic(String hidden) {}

    /** Kept for a while. */
    @Deprecated(since = "2", forRemoval = true)
    public abstract <E extends Exception> byte[] read(Map.Entry<T, N> from) throws IOException, E;

    public final Map<T, ? extends List<@Nullable String>> all(
        T @Nullable [][] many, Class<?>... types) {
      return Map.of();
    }

    void hidden() {}

    @Override
    public String toString() {
      return "";
    }
  }

  /** One of a closed set. */
  public sealed interface Shape permits Point, Line {
    default int length() {
      return 0;
    }
  }

  /** A record, with a component that may be null. */
  public record Point<P>(P what, @Nullable String name) implements Shape {}

  /** The way out of a closed set. */
  public non-sealed interface Line extends Shape {}

  /** Constants, one with a body. */
  public enum Way {
    OUT,
    IN {
      @Override
      boolean isIn() {
        return true;
      }
    };

    boolean isIn() {
      return false;
    }
  }

  /** A value without a default and one with it. */
  public @interface Mark {
    int at();

    String why() default "";
  }

  /** A parent that nobody sees. */
  abstract static class Hidden<S> implements HiddenToo {
    public S given(S self) {
      return self;
    }

    /** A nested type that nobody can name. */
    public static final class Inside {}
  }

  /** A parent with something that children do not have, and something that they have. */
  interface HiddenToo {
    static HiddenToo of() {
      return () -> 1;
    }

    int added();
  }

  /** A child, with what it has from its parent. */
  public static final class Child extends Hidden<String> {
    @Override
    public int added() {
      return 1;
    }
  }
}
