package io.millrace.spring.autoconfigure;

import io.millrace.spi.StoreLockedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says who has the store, and how a rolling deployment waits for it. */
final class StoreLockedAnalyzer extends AbstractFailureAnalyzer<StoreLockedException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, StoreLockedException cause) {
    return new FailureAnalysis(
        "Millrace cannot open its store, which another process has open: " + cause.getMessage(),
        "If the other process is the one that this one replaces, as in a rolling deployment, set "
            + OpenEngine.AWAIT_LOCK
            + " to the time that it may take to end, such as 60s. Otherwise stop the other process,"
            + " or give this one a store of its own by "
            + OpenEngine.LOCATION
            + ".",
        cause);
  }
}
