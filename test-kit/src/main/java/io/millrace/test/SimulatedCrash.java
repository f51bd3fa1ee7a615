package io.millrace.test;

import java.io.Serial;

/** Ends the run of a handler in which the test has let the process die. */
final class SimulatedCrash extends Error {

  @Serial private static final long serialVersionUID = 1;

  SimulatedCrash() {
    super("the process died here: TestEngine.crash() was called in this handler; let this pass");
  }
}
