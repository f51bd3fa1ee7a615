package io.millrace.api;

import java.util.function.UnaryOperator;

/**
 * A type of jobs that end with a result, for code that submits jobs and waits for their results.
 *
 * @param <T> type of the payloads
 * @param <R> type of the results
 */
public final class ResultJobType<T, R> extends JobType<T> {

  private final Codec<R> results;

  ResultJobType(JobType<T> type, Codec<R> results) {
    super(type);
    this.results = results;
  }

  @Override
  public ResultJobType<T, R> queue(String value) {
    return super.queue(value).returning(results);
  }

  @Override
  public ResultJobType<T, R> tenant(String value) {
    return super.tenant(value).returning(results);
  }

  @Override
  public ResultJobType<T, R> defaults(UnaryOperator<EnqueueOptions> change) {
    return super.defaults(change).returning(results);
  }

  /** Returns the codec of the results. */
  public Codec<R> results() {
    return results;
  }
}
