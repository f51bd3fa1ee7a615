package io.millrace.cli.option;

import io.millrace.spi.StoreOptions.LostCommits;
import picocli.CommandLine.Option;

/** The option to accept a store that holds less than was once durable. */
public final class LostCommitsOption {

  public static final String NAME = "--accept-lost-commits";

  @Option(
      names = NAME,
      description =
          "Go on with what is there though the store has lost what was once durable, or cannot tell"
              + " whether it has; without it such a store is refused.")
  private boolean isAccepted;

  public LostCommits lostCommits() {
    return isAccepted ? LostCommits.ACCEPT : LostCommits.REFUSE;
  }
}
