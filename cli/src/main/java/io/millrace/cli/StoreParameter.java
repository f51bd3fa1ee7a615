package io.millrace.cli;

import picocli.CommandLine.Parameters;

/** The store that a command is about. */
final class StoreParameter {

  @Parameters(
      index = "0",
      paramLabel = "STORE",
      description = "A store's folder, such as millrace-demo/store or lmdb:millrace-demo/store.")
  private String argument = "";

  /**
   * Where the store is.
   *
   * @throws CannotException it is not there
   */
  String location() {
    return StoreLocation.of(argument).location();
  }
}
