package io.millrace.internal.commit;

import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOverloadedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ring between callers and loop under the interleavings that matter. */
@Tag("slow")
class RequestRingLincheckTest {

  private static final int SMALL = 2;
  private static final EngineOptions LARGE_RING =
      EngineOptions.DEFAULT.ringSize(8).overloadWait(Duration.ZERO).clock(new StandingClock());
  private static final EngineOptions SMALL_RING = LARGE_RING.ringSize(SMALL);
  private static final AnswerThread ANSWERS = new AnswerThread(Runnable::run);

  @Test
  void putAndTake_interleavingsModelled_areThoseOfABoundedLine() {
    LincheckTrials.checkInterleavings(getClass(), Line.class, LineSpecification.class);
  }

  @Test
  void putAndTake_underLoad_areThoseOfABoundedLine() {
    LincheckTrials.checkUnderLoad(getClass(), Line.class, LineSpecification.class);
  }

  @Test
  void end_interleavingsModelled_leavesNothingNeitherTakenNorRefused() {
    LincheckTrials.checkInterleavings(getClass(), Ending.class, EndingSpecification.class);
  }

  @Test
  void end_underLoad_leavesNothingNeitherTakenNorRefused() {
    LincheckTrials.checkUnderLoad(getClass(), Ending.class, EndingSpecification.class);
  }

  /** A ring that answers nobody but on the thread that finds it ended. */
  static RequestRing ring(int size) {
    return new RequestRing(size == SMALL ? SMALL_RING : LARGE_RING, ANSWERS);
  }

  /** A ring for two. */
  public static final class Line {

    private final RequestRing ring = ring(2);
    private int taken;

    @Operation
    public String put(int value) {
      try {
        ring.put(new LoopAction(() -> taken = value));
        return "in";
      } catch (EngineOverloadedException e) {
        return "full";
      }
    }

    @Operation(nonParallelGroup = "loop")
    public String take() {
      if (!(ring.take() instanceof LoopAction action)) {
        return "nothing";
      }
      action.run();
      return "took " + taken;
    }
  }

  /** The same without threads. */
  public static final class LineSpecification {

    private final Queue<Integer> line = new ArrayDeque<>();

    public String put(int value) {
      if (line.size() == 2) {
        return "full";
      }
      line.add(value);
      return "in";
    }

    public String take() {
      Integer value = line.poll();
      return value == null ? "nothing" : "took " + value;
    }
  }

  /** A loop that ends while callers put in. */
  public static final class Ending {

    private final RequestRing ring = ring(8);
    private final List<LoopAction> in = new ArrayList<>();
    private boolean isEnded;

    @Operation
    public void put() {
      LoopAction action = new LoopAction(() -> {});
      synchronized (in) {
        in.add(action);
      }
      ring.put(action);
    }

    @Operation(nonParallelGroup = "loop")
    public void take() {
      if (!isEnded && ring.take() instanceof LoopAction action) {
        action.run();
      }
    }

    @Operation(nonParallelGroup = "loop")
    public void end() {
      isEnded = true;
      ring.end();
    }

    @Validate
    public void nothingIsLeft() {
      for (LoopAction action : in) {
        if (isEnded && !action.isOver()) {
          throw new IllegalStateException("neither taken nor refused");
        }
      }
    }
  }

  /** The same without threads. */
  public static final class EndingSpecification {

    public void put() {}

    public void take() {}

    public void end() {}
  }
}
