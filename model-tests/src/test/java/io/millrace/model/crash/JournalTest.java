package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.crash.Journal.Event;
import io.millrace.model.crash.Journal.Line;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

  @TempDir Path folder;

  @Test
  void read_linesWereWritten_areTheSame() throws Exception {
    Path file = folder.resolve("journal");
    List<Line> lines =
        List.of(
            Journal.line(Event.ASK, "mail:0:p:1", Op.ENQUEUE, "SYNCED", "p-1"),
            Journal.line(Event.WRONG, "life", "a text of\nseveral words"));

    try (Journal journal = Journal.create(file)) {
      journal.addAll(lines);
    }

    assertThat(Journal.read(file)).isEqualTo(lines);
    assertThat(lines.get(1).fact(0)).isEqualTo("a_text_of_several_words");
  }

  @Test
  void read_lastLineIsTorn_isLeftOut() throws Exception {
    Path file = folder.resolve("journal");
    try (Journal journal = Journal.create(file)) {
      journal.add(Event.BEGIN, "life");
    }

    Files.writeString(file, "12 TOLD mail:0:p", StandardOpenOption.APPEND);

    assertThat(Journal.read(file)).extracting(Line::event).containsExactly(Event.BEGIN);
  }

  @Test
  void read_processDiedBeforeItWrote_isEmpty() throws Exception {
    assertThat(Journal.read(folder.resolve("none"))).isEmpty();
  }
}
