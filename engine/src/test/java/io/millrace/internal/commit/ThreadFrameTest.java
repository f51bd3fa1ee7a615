package io.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread of the engine goes on whatever is thrown in it, and its end is told. */
@Timeout(60)
final class ThreadFrameTest {

  private static final Error FIRST = new OutOfMemoryError("first");
  private static final Error SECOND = new StackOverflowError("second");

  private final List<Object> done = new ArrayList<>();

  /** Work that throws what it is told to, one after the other; null stands for success. */
  private final class Scripted implements ThreadFrame.Work {
    private final List<Error> steps;
    private final List<Error> answers;
    private final List<Error> ends;

    Scripted(List<Error> steps, List<Error> answers, List<Error> ends) {
      this.steps = new ArrayList<>(steps);
      this.answers = new ArrayList<>(answers);
      this.ends = new ArrayList<>(ends);
    }

    private static void next(List<Error> script) {
      if (!script.isEmpty()) {
        throw script.remove(0);
      }
    }

    @Override
    public boolean step() {
      done.add("step");
      next(steps);
      return false;
    }

    @Override
    public void failed(Throwable thrown) {
      done.add(thrown);
      next(answers);
    }

    @Override
    public void ended() {
      done.add("ended");
      next(ends);
    }
  }

  private void run(ThreadFrame.Work work) throws InterruptedException {
    Thread thread = ThreadFrame.thread("framed", work);
    thread.start();
    thread.join();
  }

  @Test
  void step_throwsAgainAndAgain_eachIsAnsweredAndTheWorkGoesOn() throws InterruptedException {
    run(new Scripted(List.of(FIRST, SECOND), List.of(), List.of()));

    assertThat(done).containsExactly("step", FIRST, "step", SECOND, "step", "ended");
  }

  @Test
  void failed_throwsItself_isAskedAgainWithWhatTheStepThrew() throws InterruptedException {
    run(new Scripted(List.of(FIRST), List.of(SECOND, SECOND), List.of()));

    assertThat(done).containsExactly("step", FIRST, FIRST, FIRST, "step", "ended");
  }

  @Test
  void ended_throws_isAskedAgain() throws InterruptedException {
    run(new Scripted(List.of(), List.of(), List.of(FIRST)));

    assertThat(done).containsExactly("step", "ended", "ended");
  }
}
