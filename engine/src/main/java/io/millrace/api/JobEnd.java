package io.millrace.api;

import java.util.Objects;
import java.util.function.Function;

/**
 * The end of a job, for those who waited for it.
 *
 * @param <R> the type of the job's result
 */
public sealed interface JobEnd<R> {

  /**
   * Returns this end with the result changed by the function, if the job was completed; else the
   * same end.
   */
  <S> JobEnd<S> map(Function<? super R, ? extends S> change);

  /**
   * The job was completed by its worker.
   *
   * @param result the result of the job; no bytes if it was completed without one
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
   * The job is a dead letter: it has no attempts left, or failed for good. If it is redriven later
   * it has another end, which must be awaited anew.
   *
   * @param error the error of the last attempt
   * @param attempts the number of starts that have counted
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

  /** The job was cancelled, purged, or deleted with its queue. */
  record Cancelled<R>() implements JobEnd<R> {
    @Override
    public <S> JobEnd<S> map(Function<? super R, ? extends S> change) {
      return new Cancelled<>();
    }
  }

  /** The job was dropped because it was not started within its time to live. */
  record Dropped<R>() implements JobEnd<R> {
    @Override
    public <S> JobEnd<S> map(Function<? super R, ? extends S> change) {
      return new Dropped<>();
    }
  }

  /**
   * The job does not exist: it had ended before the wait began, and nothing of it was kept. A job
   * that was submitted never ends like this, unless it was the duplicate of a job that has ended.
   */
  record Gone<R>() implements JobEnd<R> {
    @Override
    public <S> JobEnd<S> map(Function<? super R, ? extends S> change) {
      return new Gone<>();
    }
  }
}
