package io.millrace.jmh;

import io.millrace.api.Durability;
import picocli.CommandLine.Option;

/** The options of the store that is measured, as given on the command line. */
final class StoreArguments {

  @Option(
      names = "--store",
      paramLabel = "KIND",
      defaultValue = "lmdb",
      description = "Kind of store, any that is on the class path (default: ${DEFAULT-VALUE}).")
  String store = "lmdb";

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      defaultValue = "synced",
      description = "What a call waits for: synced (default) or buffered.")
  Durability durability = Durability.SYNCED;
}
