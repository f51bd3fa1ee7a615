package io.millrace.api;

import java.util.Objects;
import java.util.function.Function;

/**
 * How a job ended, for those who waited for that.
 *
 * @param <R> what it is completed with
 */
public sealed interface JobEnd<R> {

  /** The same, with what the function makes of the result if it was completed. */
  <S> JobEnd<S> map(Function<? super R, ? extends S> change);

  /**
   * Its worker completed it.
   *
   * @param result what it was completed with; no bytes if that was nothing
   */
  record Completed<R>(R result) implements JobEnd<R> {
    public Completed {
      Objects.requireNonNull(result, "result");
    }

    @Override
    public <S> JobEnd<S> map(Function<? super R, ? extends S> change) {
      return new Completed<>(change.apply(result));
    }
  }

  /**
   * It is a dead letter: out of attempts, or failed for good. If it is redriven later it has
   * another end, which is to be waited for anew.
   *
   * @param error what the last attempt failed of
   * @param attempts how many starts have counted
   */
  record Died<R>(String error, int attempts) implements JobEnd<R> {
    public Died {
      Objects.requireNonNull(error, "error");
    }

    @Override
    public <S> JobEnd<S> map(Function<? super R, ? extends S> change) {
      return new Died<>(error, attempts);
    }
  }

  /** It was cancelled, purged, or deleted with its queue. */
  record Cancelled<R>() implements JobEnd<R> {
    @Override
    public <S> JobEnd<S> map(Function<? super R, ? extends S> change) {
      return new Cancelled<>();
    }
  }

  /** Nobody started it within its time to live. */
  record Dropped<R>() implements JobEnd<R> {
    @Override
    public <S> JobEnd<S> map(Function<? super R, ? extends S> change) {
      return new Dropped<>();
    }
  }

  /**
   * There is no such job: it had ended before anybody waited, and nothing of it was kept. Never of
   * a job that was submitted, unless that was the duplicate of one which has ended.
   */
  record Gone<R>() implements JobEnd<R> {
    @Override
    public <S> JobEnd<S> map(Function<? super R, ? extends S> change) {
      return new Gone<>();
    }
  }
}
