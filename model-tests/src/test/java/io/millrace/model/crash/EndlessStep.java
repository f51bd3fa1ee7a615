package io.millrace.model.crash;

import java.util.Random;

/** What a thread of a process that is to be killed does again and again. */
@FunctionalInterface
interface EndlessStep {

  void take(Random random);

  /** Takes the step on a thread of its own; the process ends with the first that throws. */
  static void start(long seed, EndlessStep step) {
    Random random = new Random(seed);
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  step.take(random);
                }
              } catch (RuntimeException | Error e) {
                e.printStackTrace();
                // Whoever waits for an answer learns that there will be none.
                Runtime.getRuntime().halt(1);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
