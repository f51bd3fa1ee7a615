package io.millrace.cli;

import picocli.CommandLine.Option;

/** The option that makes the output JSON, for programs. */
final class JsonOption {

  @Option(
      names = "--json",
      description = "Write JSON for programs: one document, of lists one for each line.")
  private boolean isJson;

  boolean isJson() {
    return isJson;
  }
}
