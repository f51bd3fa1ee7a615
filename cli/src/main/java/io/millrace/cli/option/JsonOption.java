package io.millrace.cli.option;

import picocli.CommandLine.Option;

/** The option that makes the output JSON, for programs. */
public final class JsonOption {

  @Option(
      names = "--json",
      description = "Write JSON for programs: one document, of lists one for each line.")
  private boolean isJson;

  public boolean isJson() {
    return isJson;
  }
}
