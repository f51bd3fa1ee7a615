package io.millrace.cli.place;

import io.millrace.cli.text.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A process that is to be attached to.
 *
 * <p>Attaching sends it a signal (SIGQUIT) that Java understands and that ends any other process.
 * So it is checked first that the process waits for that signal.
 */
record JavaProcess(long pid) {

  private static final String CAUGHT_SIGNALS = "SigCgt:";

  /** The bit of signal 3, counted from the lowest. */
  private static final long SIGQUIT_BIT = 1L << 2;

  /**
   * Starts the process's management agent.
   *
   * @return the agent's address
   * @throws AttachException it is not there, not Java, another user's, or refuses to be attached to
   */
  String startAgent() {
    ProcessHandle process =
        ProcessHandle.of(pid)
            .filter(ProcessHandle::isAlive)
            .orElseThrow(() -> new AttachException("there is no such process: pid=" + pid));
    checkUser(process);
    try {
      if (!isJava()) {
        throw new AttachException("not a Java process: pid=" + pid);
      }
      return LocalAgent.start(pid);
    } catch (Exception e) {
      if (e instanceof AttachException told) {
        throw told;
      }
      if (!process.isAlive()) {
        throw new AttachException("the process has ended: pid=" + pid, e);
      }
      throw new AttachException(
          "the process does not let itself be attached to; it must run as this user, with the"
              + " module jdk.management.agent and without -XX:+DisableAttachMechanism: pid="
              + pid
              + ", reason="
              + Reason.root(e),
          e);
    }
  }

  private void checkUser(ProcessHandle process) {
    String self = System.getProperty("user.name");
    Optional<String> owner = process.info().user();
    if (owner.isPresent() && !owner.get().equals(self) && !"root".equals(self)) {
      throw new AttachException(
          "the process belongs to another user; run the command as that user: pid="
              + pid
              + ", user="
              + owner.get());
    }
  }

  private boolean isJava() {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    if (!Files.isReadable(status)) {
      return LocalAgent.isListed(pid);
    }
    try {
      return catchesQuit(Files.readAllLines(status));
    } catch (IOException e) {
      return LocalAgent.isListed(pid);
    }
  }

  static boolean catchesQuit(List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith(CAUGHT_SIGNALS))
        .map(line -> line.substring(CAUGHT_SIGNALS.length()).strip())
        .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) & SIGQUIT_BIT) != 0);
  }
}
