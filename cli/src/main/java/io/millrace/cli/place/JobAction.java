package io.millrace.cli.place;

import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.management.JobEngineMBean;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * An action on a job by its id, as it is asked of an engine wherever that is.
 *
 * @param here asks an engine in this process
 * @param elsewhere asks an engine in another process
 * @param <R> type of the result
 */
public record JobAction<R>(
    BiFunction<JobQueues, JobId, R> here, BiFunction<JobEngineMBean, String, R> elsewhere) {

  /**
   * Returns an action whose result is a constant, of which an engine in another process tells the
   * name.
   */
  public static <R extends Enum<R>> JobAction<R> of(
      Class<R> results,
      BiFunction<JobQueues, JobId, R> here,
      BiFunction<JobEngineMBean, String, String> elsewhere) {
    return new JobAction<>(
        here, (engine, id) -> OtherProcess.word(results, elsewhere.apply(engine, id)));
  }

  /** Returns this action with a result that is made of its own. */
  public <S> JobAction<S> map(Function<R, S> function) {
    return new JobAction<>(here.andThen(function), elsewhere.andThen(function));
  }
}
