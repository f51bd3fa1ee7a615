package io.millrace.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.command.CannotException;
import io.millrace.cli.fixture.PreparedStore;
import io.millrace.cli.place.JobAction;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What acts on jobs have in common. */
class JobChangeTest {

  @TempDir Path temp;

  /** Does something with two jobs, and cannot do it with the third. */
  @Command(name = "try")
  static final class Third extends JobChange {

    private int count;

    @Override
    JobAction<Outcome> action() {
      return new JobAction<>((engine, id) -> change(), (engine, id) -> change());
    }

    private Outcome change() {
      if (++count == 3) {
        throw new CannotException("full");
      }
      return new Outcome("OK", true);
    }
  }

  @Tag("slow")
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
