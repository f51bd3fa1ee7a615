package io.millrace.model.crash;

import java.nio.file.Path;

/** A process that does a little of what ours do, so that their classes can be archived. */
final class Rehearsal {

  private Rehearsal() {}

  /** Argument: a folder to work in. It goes on as a {@link CrashWorker}. */
  public static void main(String[] args) throws Exception {
    OrderWorker.rehearse(Path.of(args[0]));
    CrashWorker.main(new String[0]);
  }
}
