package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultJournalTest {

  private static final HashedFile A = file("a", Names.of("a"));
  private static final HashedFile B = file("b", Names.of("b\n\\"));
  private static final HashedFile C = file("c", FileName.of(new byte[] {(byte) 0xff}));

  @TempDir private Path temp;
  private Path file = Path.of("none");

  @BeforeEach
  void setUp() {
    file = temp.resolve("results.journal");
  }

  @Test
  void read_afterReopening_holdsWhatWasAppended() throws IOException {
    try (ResultJournal journal = ResultJournal.open(file)) {
      journal.append(List.of(A, B));
      journal.append(List.of());
    }

    try (ResultJournal journal = ResultJournal.open(file)) {
      journal.append(List.of(C));

      assertThat(journal.read()).isEqualTo(Map.of(A.name(), A, B.name(), B, C.name(), C));
    }
  }

  @Test
  void append_byAThreadThatIsInterrupted_leavesTheJournalToTheOthers() throws Exception {
    try (ResultJournal journal = ResultJournal.open(file)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> journal.append(A)).isInstanceOf(InterruptedException.class);

      journal.append(B);

      assertThat(journal.read()).isEqualTo(Map.of(A.name(), A, B.name(), B));
    }
  }

  @Test
  void read_nameThatIsThereTwice_holdsTheLaterResult() throws IOException {
    HashedFile again = file("f", A.name());
    try (ResultJournal journal = ResultJournal.open(file)) {
      journal.append(List.of(A, B));
      journal.append(List.of(again));

      assertThat(journal.read()).isEqualTo(Map.of(A.name(), again, B.name(), B));
    }
  }

  @Test
  void open_lastLineTornAnywhere_isCutOff() throws IOException {
    byte[] first = JournalLine.encode(A);
    byte[] second = JournalLine.encode(B);
    for (int torn = 0; torn < second.length; torn++) {
      Files.write(file, concat(first, Arrays.copyOf(second, torn)));

      try (ResultJournal journal = ResultJournal.open(file)) {
        assertThat(Files.readAllBytes(file)).as("torn at %d", torn).isEqualTo(first);
        journal.append(List.of(C));
        assertThat(journal.read()).isEqualTo(Map.of(A.name(), A, C.name(), C));
      }
    }
  }

  @Test
  void open_linesAfterOneThatNeverReachedTheDisk_areCutOffWithIt() throws IOException {
    byte[] first = JournalLine.encode(A);
    Files.write(file, concat(first, new byte[40], new byte[] {'\n'}, JournalLine.encode(B)));

    try (ResultJournal journal = ResultJournal.open(file)) {
      assertThat(journal.read()).isEqualTo(Map.of(A.name(), A));
      assertThat(Files.size(file)).isEqualTo(first.length);
    }
  }

  private static HashedFile file(String digit, FileName name) {
    return new HashedFile(digit.repeat(64), 1, 2, name);
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      whole.writeBytes(part);
    }
    return whole.toByteArray();
  }
}
