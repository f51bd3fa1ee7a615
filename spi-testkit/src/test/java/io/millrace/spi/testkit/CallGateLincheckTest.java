package io.millrace.spi.testkit;

import io.millrace.spi.folder.CallGate;
import io.millrace.spi.testkit.fault.Trials;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gate around native calls under every interleaving that Lincheck finds. */
@Tag("slow")
class CallGateLincheckTest {

  @Test
  void gate_callsAndClosesRace_interleavingsModelled_nobodyIsInsideWhatIsFreed() {
    check(new ModelCheckingOptions(), Trials.count("lincheckScenarios", 2, 6, 60));
  }

  @Test
  void gate_callsAndClosesRace_underLoad_nobodyIsInsideWhatIsFreed() {
    check(new StressOptions(), Trials.count("lincheckScenarios", 2, 6, 60));
  }

  private static void check(Options<?, ?> options, int scenarioCount) {
    options
        .threads(3)
        .actorsBefore(0)
        .actorsPerThread(2)
        .actorsAfter(1)
        .iterations(scenarioCount)
        .invocationsPerIteration(Trials.count("lincheckRuns", 100, 200, 1_000))
        .sequentialSpecification(Specification.class)
        .check(Gate.class);
    Trials.report(
        CallGateLincheckTest.class,
        options.getClass().getSimpleName() + ": scenarios=" + scenarioCount);
  }

  /** What callers of a store and its closing do with a gate. */
  public static final class Gate {

    private final CallGate gate = new CallGate();
    private volatile boolean isFreed;

    /** A call: refused, or it finds what it works on still there until its end. */
    @Operation
    public String call() {
      if (!gate.tryEnter()) {
        return "refused";
      }
      boolean wasFreed = isFreed;
      gate.exit();
      return wasFreed ? "touched freed memory" : "done";
    }

    @Operation
    public boolean isClosed() {
      return gate.isClosed();
    }

    /** A closing: the first frees what calls work on. */
    @Operation
    public String close() {
      if (!gate.close()) {
        return "was closed";
      }
      if (!gate.awaitEmpty(TimeUnit.SECONDS.toNanos(10))) {
        return "left open";
      }
      isFreed = true;
      return "freed";
    }

    /** A closing that waits for nobody: the last call to leave frees what calls work on. */
    @Operation
    public String closeAndGo() {
      if (!gate.close()) {
        return "was closed";
      }
      gate.leaveToLast(() -> isFreed = true);
      return "left to the last";
    }
  }

  /** The same without threads. */
  public static final class Specification {

    private boolean isClosed;

    public String call() {
      return isClosed ? "refused" : "done";
    }

    public boolean isClosed() {
      return isClosed;
    }

    public String close() {
      String answer = isClosed ? "was closed" : "freed";
      isClosed = true;
      return answer;
    }

    public String closeAndGo() {
      String answer = isClosed ? "was closed" : "left to the last";
      isClosed = true;
      return answer;
    }
  }
}
