package io.millrace.cli.option;

import io.millrace.api.DeadLetters.Checkpointed;
import picocli.CommandLine.Option;

/** The option that says whether the checkpoints of dead letters are kept. */
public final class CheckpointOption {

  @Option(
      names = "--checkpoint",
      paramLabel = "WHAT",
      defaultValue = "KEEP",
      description =
          "What becomes of the state that a job's last checkpoint kept: keep (the default), and"
              + " its next attempt goes on from there, or clear, and it starts as it was enqueued.")
  private Checkpointed checkpoint = Checkpointed.KEEP;

  public Checkpointed checkpoint() {
    return checkpoint;
  }
}
