package io.millrace.model.planted;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * A process that runs one test and says how that went.
 *
 * <p>Arguments: the test, the file to say it to.
 */
public final class OneTest {

  /** How a test went. */
  enum Verdict {
    GREEN,
    FAILED,
    /** This machine lacks what it needs. */
    SKIPPED,
    /** It did not come to run, or classes did not fit together. */
    BROKEN
  }

  private OneTest() {}

  public static void main(String[] args) throws IOException {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    ClassLoader loader = OneTest.class.getClassLoader();
    MethodSelector selector =
        NamedTest.of(args[0])
            .selector(loader)
            .orElseThrow(() -> new IllegalArgumentException("no such test: " + args[0]));
    LauncherFactory.create().execute(NamedTest.request(selector), listener);
    TestExecutionSummary summary = listener.getSummary();
    StringWriter failures = new StringWriter();
    summary.printFailuresTo(new PrintWriter(failures), 5);
    // Names are hostile on purpose, and half of a character is no UTF-8: it is written as "?".
    Files.write(Path.of(args[1]), (verdict(summary) + "\n" + failures).getBytes(UTF_8));
    // User threads of a store that the bug left open do not keep the process.
    Runtime.getRuntime().halt(0);
  }

  private static Verdict verdict(TestExecutionSummary summary) {
    boolean hasBroken =
        summary.getContainersFailedCount() > 0
            || summary.getFailures().stream().anyMatch(one -> isOfLinkage(one.getException()));
    if (summary.getTestsAbortedCount() > 0) {
      return Verdict.SKIPPED;
    }
    long ranCount = summary.getTestsSucceededCount() + summary.getTestsFailedCount();
    if (hasBroken || ranCount == 0 || ranCount < summary.getTestsFoundCount()) {
      return Verdict.BROKEN;
    }
    return summary.getTestsFailedCount() > 0 ? Verdict.FAILED : Verdict.GREEN;
  }

  private static boolean isOfLinkage(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof LinkageError) {
        return true;
      }
    }
    return false;
  }
}
