package io.millrace.internal.commit;

import io.millrace.api.Durability;
import io.millrace.internal.transition.lease.CheckLeases;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A request on its way to the loop and back under the interleavings that matter. */
@Tag("slow")
class RequestLincheckTest {

  private static final Request.Terms TERMS = new Request.Terms(0, 0, Durability.BUFFERED);

  @Test
  void tellAndAbandon_interleavingsModelled_oneOfThemWins() {
    LincheckTrials.checkInterleavings(getClass(), Outcome.class, OutcomeSpecification.class);
  }

  @Test
  void tellAndAbandon_underLoad_oneOfThemWins() {
    LincheckTrials.checkUnderLoad(getClass(), Outcome.class, OutcomeSpecification.class);
  }

  @Test
  void await_underLoad_endsWithTheAnswer() {
    LincheckTrials.checkUnderLoad(
        getClass(),
        RoundTrip.class,
        RoundTripSpecification.class,
        List.of(List.of("serve", "serve"), List.of("call"), List.of("call")));
  }

  @Test
  void await_interleavingsModelled_endsWithTheAnswer() {
    LincheckTrials.checkInterleavings(
        getClass(),
        RoundTrip.class,
        RoundTripSpecification.class,
        List.of(List.of("serve", "serve"), List.of("call"), List.of("call")));
  }

  /** One that has ended: answers are given at once. */
  private static AnswerThread endedThread() {
    AnswerThread thread = new AnswerThread(null);
    thread.close();
    thread.ended();
    return thread;
  }

  /** One request, the loop that tells its answer, and callers that give it up. */
  public static final class Outcome {

    private final AtomicInteger toldCount = new AtomicInteger();
    private final AnswerThread answers = endedThread();
    private final Request<Integer> request =
        Request.listening(
            new CheckLeases(0), TERMS, answered -> toldCount.addAndGet(answered.answer()));
    private boolean wasTold;

    @Operation(nonParallelGroup = "loop")
    public boolean tell() {
      request.resolve(1, 1, Durability.BUFFERED);
      boolean isTold = request.tell(answers);
      wasTold |= isTold;
      return isTold;
    }

    @Operation
    public boolean abandon() {
      return request.abandon();
    }

    @Operation
    public String state() {
      return request.isAnswered() + " " + request.isAbandoned();
    }

    @Validate
    public void isToldOnceOrNever() {
      if (toldCount.get() != (wasTold ? 1 : 0)) {
        throw new IllegalStateException("told " + toldCount + " times, wasTold=" + wasTold);
      }
    }
  }

  /** The same without threads. */
  public static final class OutcomeSpecification {

    private String state = "waiting";

    public boolean tell() {
      boolean isFirst = state.equals("waiting");
      state = isFirst ? "told" : state;
      return isFirst;
    }

    public boolean abandon() {
      boolean isFirst = state.equals("waiting");
      state = isFirst ? "abandoned" : state;
      return isFirst;
    }

    public String state() {
      return state.equals("told") + " " + state.equals("abandoned");
    }
  }

  /** Callers that wait, and a loop that sleeps while nobody does. */
  public static final class RoundTrip {

    private final RequestRing ring = RequestRingLincheckTest.ring(8);
    private final AnswerThread answers = endedThread();
    private int servedCount;

    @Operation
    public int call() {
      Request<Integer> request = Request.blocking(new CheckLeases(0), TERMS);
      ring.put(request);
      request.await();
      return request.answer();
    }

    @Operation(nonParallelGroup = "loop")
    public void serve() {
      RingEntry next = ring.take();
      while (next == null) {
        ring.sleep(1);
        next = ring.take();
      }
      @SuppressWarnings("unchecked") // Nothing else is put in.
      Request<Integer> request = (Request<Integer>) next;
      request.resolve(++servedCount, 0, Durability.BUFFERED);
      request.tell(answers);
    }
  }

  /** The same without threads. */
  public static final class RoundTripSpecification {

    private int servedCount;

    public int call() {
      return ++servedCount;
    }

    public void serve() {}
  }
}
