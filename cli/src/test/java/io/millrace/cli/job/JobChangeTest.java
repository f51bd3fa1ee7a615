package io.millrace.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.fixture.PreparedStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What acts on jobs have in common. */
class JobChangeTest {

  @TempDir Path temp;

  /** Does something with two jobs, and cannot do it with the third. */
  @Command(name = "try")
  static final class Third implements Callable<Integer> {

    @Mixin private JobChange change = new JobChange();

    private int count;

    @Override
    public Integer call() {
      return change.apply(
          (target, id) -> {
            if (++count == 3) {
              throw new CannotException("full");
            }
            return new JobChange.Outcome("OK", true);
          });
    }
  }

  @Test
  void apply_itFailsAtOneOfAll_tellsWhatWasDoneBefore() {
    PreparedStore store = PreparedStore.in(temp.resolve("store"));
    StringWriter out = new StringWriter();
    CommandLine command =
        new CommandLine(new Third())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(new StringWriter()));

    command.execute(store.path(), "--where", "attempts=0..9", "--yes");

    assertThat(out.toString()).isEqualToIgnoringNewLines("2 jobs OK");
  }
}
