package io.millrace.cli;

import io.millrace.spi.StoreOptions.LostCommits;
import picocli.CommandLine.Option;

/** The option to accept a store that holds less than was once durable. */
final class LostCommitsOption {

  static final String NAME = "--accept-lost-commits";

  @Option(
      names = NAME,
      description =
          "Go on with what is there though the store has lost what was once durable, or cannot tell"
              + " whether it has; without it such a store is refused.")
  private boolean isAccepted;

  LostCommits lostCommits() {
    return isAccepted ? LostCommits.ACCEPT : LostCommits.REFUSE;
  }
}
