package io.millrace.workflow;

import io.millrace.api.Codec;
import io.millrace.api.ResultJobType;
import io.millrace.api.Transaction;
import io.millrace.worker.JobContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** The steps of a run, with a limit on how often each is tried in vain before it is given up. */
record LimitedSteps(FlowRun run, int most) implements Steps {

  @Override
  public Steps attempts(int value) {
    return run.attempts(value);
  }

  @Override
  public <R> R step(String name, Codec<R> result, Callable<R> work) throws Exception {
    return run.step(name, result, work, most);
  }

  @Override
  public void step(String name, Work work) throws Exception {
    run.step(name, work, most);
  }

  @Override
  public <R> R step(String name, Codec<R> result, Function<Transaction, R> work) {
    return run.step(name, result, work, most);
  }

  @Override
  public void sleep(String name, Duration time) {
    run.sleep(name, time);
  }

  @Override
  public <S> S await(String signal, Codec<S> payload) {
    return run.await(signal, payload);
  }

  @Override
  public <S> Optional<S> await(String signal, Codec<S> payload, Duration time) {
    return run.await(signal, payload, time);
  }

  @Override
  public <T, R> List<R> all(String name, ResultJobType<T, R> type, List<? extends T> payloads) {
    return run.all(name, type, payloads);
  }

  @Override
  public JobContext job() {
    return run.job();
  }
}
