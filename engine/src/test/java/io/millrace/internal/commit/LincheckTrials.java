package io.millrace.internal.commit;

import io.millrace.spi.testkit.fault.Trials;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** How Lincheck is asked: how many scenarios, and how often each. */
final class LincheckTrials {

  private static final int THREADS = 3;
  private static final int CALLS_PER_THREAD = 2;

  private LincheckTrials() {}

  /** Tries the interleavings one after the other, with switches wherever memory is shared. */
  static void checkInterleavings(Class<?> test, Class<?> operations, Class<?> specification) {
    check(test, new ModelCheckingOptions(), operations, specification);
  }

  /**
   * Tries the interleavings of one scenario, a list of calls for each thread, in which a thread
   * that waits for ever is a mistake.
   */
  static void checkInterleavings(
      Class<?> test, Class<?> operations, Class<?> specification, List<List<String>> threads) {
    int runCount = Trials.count("lincheckRunsOfOne", 100, 500, 10_000);
    checkOne(
        test,
        new ModelCheckingOptions().invocationsPerIteration(runCount),
        operations,
        specification,
        threads);
  }

  /** Lets threads run one scenario as they do in earnest. */
  static void checkUnderLoad(
      Class<?> test, Class<?> operations, Class<?> specification, List<List<String>> threads) {
    int runCount = Trials.count("lincheckLoadsOfOne", 2_000, 20_000, 500_000);
    checkOne(
        test,
        new StressOptions().invocationsPerIteration(runCount),
        operations,
        specification,
        threads);
  }

  private static void checkOne(
      Class<?> test,
      Options<?, ?> options,
      Class<?> operations,
      Class<?> specification,
      List<List<String>> threads) {
    List<List<Actor>> parallel = threads.stream().map(calls -> actors(operations, calls)).toList();
    options
        .iterations(0)
        .addCustomScenario(new ExecutionScenario(List.of(), parallel, List.of(), null))
        .sequentialSpecification(specification)
        .check(operations);
    report(test, options, operations, "scenario=" + threads);
  }

  private static List<Actor> actors(Class<?> operations, List<String> calls) {
    return calls.stream()
        .map(
            call -> {
              try {
                return new Actor(operations.getMethod(call), List.of());
              } catch (NoSuchMethodException e) {
                throw new IllegalArgumentException(e);
              }
            })
        .toList();
  }

  /** Lets threads run as they do in earnest. */
  static void checkUnderLoad(Class<?> test, Class<?> operations, Class<?> specification) {
    check(test, new StressOptions(), operations, specification);
  }

  private static void check(
      Class<?> test, Options<?, ?> options, Class<?> operations, Class<?> specification) {
    int scenarioCount = Trials.count("lincheckScenarios", 2, 4, 60);
    int invocationCount = Trials.count("lincheckRuns", 100, 200, 1_000);
    options
        .threads(THREADS)
        .actorsBefore(0)
        .actorsPerThread(CALLS_PER_THREAD)
        .actorsAfter(0)
        .iterations(scenarioCount)
        .invocationsPerIteration(invocationCount)
        .sequentialSpecification(specification)
        .check(operations);
    report(
        test,
        options,
        operations,
        "scenarios=" + scenarioCount + ", runs of each at most=" + invocationCount);
  }

  private static void report(
      Class<?> test, Options<?, ?> options, Class<?> operations, String tried) {
    String mode = options instanceof StressOptions ? "under load" : "interleavings";
    Trials.report(test, operations.getSimpleName() + ", " + mode + ": " + tried + ", violations=0");
  }
}
