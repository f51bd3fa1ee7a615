package io.millrace.cli;

import picocli.CommandLine.Option;

/** Whether a program reads the output. */
final class JsonOption {

  @Option(
      names = "--json",
      description = "Write JSON for programs: one document, of lists one for each line.")
  private boolean isJson;

  boolean isJson() {
    return isJson;
  }
}
