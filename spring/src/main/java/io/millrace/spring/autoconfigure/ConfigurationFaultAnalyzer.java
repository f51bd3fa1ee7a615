package io.millrace.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with properties or annotations, without a stack trace. */
final class ConfigurationFaultAnalyzer extends AbstractFailureAnalyzer<ConfigurationFault> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, ConfigurationFault cause) {
    return new FailureAnalysis(
        "Millrace cannot start: " + cause.mistake() + ".", cause.action(), cause);
  }
}
