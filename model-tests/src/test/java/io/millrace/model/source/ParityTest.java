package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds docs/record/parity.md to the API and to the tests that there are. */
class ParityTest {

  private static final Path REPOSITORY = Path.of("..");
  private static final Path FOLDER = REPOSITORY.resolve("docs/record");

  /** A row in which nothing is wrong. */
  private static final String SOUND =
      "| `ack` | `Lease.complete` | `ParityTest#page_asItIs_hasNoFlaw` | – |";

  private static final ParityPage PAGE =
      new ParityPage(FOLDER, TestSources.of(REPOSITORY), PublicNames.of(REPOSITORY));

  @Test
  void page_asItIs_hasNoFlaw() throws IOException {
    List<String> lines = Files.readAllLines(FOLDER.resolve("parity.md"));

    assertThat(PAGE.flaws(lines)).isEmpty();
    assertThat(ParityPage.systems(lines))
        .containsExactly(
            "Bedrock.JobQueue.Store",
            "codeQ",
            "Durable.Queue.Adapter",
            "Effectum",
            "FoundationDB Processing Queue");
  }

  @Test
  void rows_withTestOrReason_haveNoFlaw() {
    assertThat(
            flaws(
                SOUND,
                "| `nack` | `FailOptions.PERMANENT`, `./millrace dead redrive` | – | the worker"
                    + " says so ([why](../adr/README.md#claims-and-leases)) |",
                "| `gc` | – | – | there is nothing to be collected |",
                "| histories | `EnqueueResult.QueueFull` |"
                    + " `MemoryHistoryModelTest#history_anySteps_engineAnswersAsTheModel` | – |",
                "",
                ParityPage.HEADING_OF_WORDS,
                "|---|---|",
                "| nack | `fail` |",
                "",
                "## The next system",
                "",
                ParityPage.HEADING,
                SOUND))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          Lease.complete; Lease.finish; is not of the API: Lease.finish
          Lease.complete; LeaseHandle.complete; is not of the API: LeaseHandle.complete
          Lease.complete; ./millrace dead bury; is not of the API: ./millrace dead bury
          Lease.complete; JobState.READY.name; is not of the API: JobState.READY.name
          page_asItIs; page_asItWas; the class has no such method
          ParityTest#; ParitiesTest#; there is no such test class
          ParityTest#; DiskFaultTest#; the class has no such method
          ParityTest#page_asItIs_hasNoFlaw; JobEventsTest; is not written Class#method
          ParityTest#page_asItIs_hasNoFlaw; HistoryModelTest#report; the class is abstract
          ParityTest#page_asItIs_hasNoFlaw; MemoryHistoryModelTest#report; the method is no test
          page_asItIs_hasNoFlaw`; page_asItIs_hasNoFlaw` too; is no list of tests
          `ParityTest#page_asItIs_hasNoFlaw`; –; neither a test shows it nor a reason is given
          `Lease.complete`; –; is nowhere here, and nobody says why
          `ack`; –; says of nothing
          | –; | [why](adr/0000-why.md); leads nowhere: adr/0000-why.md
          | – |; |; has not four cells
          """)
  void row_wrongInOneWay_isTold(String of, String by, String flaw) {
    String wrong = SOUND.replace(of, by);
    assertThat(wrong).isNotEqualTo(SOUND);

    assertThat(flaws(SOUND, wrong)).anySatisfy(found -> assertTells(found, flaw));
  }

  private static void assertTells(String found, String flaw) {
    assertThat(found).startsWith("4: ").contains(flaw);
  }

  @Test
  void row_thatGoesOnInTheNext_isJudgedWhole() {
    String test = "`ParityTest#rows_withTestOrReason_haveNoFlaw`";

    assertThat(
            flaws(
                "| `ack` | `Lease.complete` | `ParityTest#page_asItIs_hasNoFlaw`, | a job that |",
                "|  |  | " + test + " | is done is gone |"))
        .isEmpty();
    assertThat(flaws("| `ack` | `Lease.complete` |  |  |", "|  | `Lease.finish` |  | so |"))
        .containsExactly("3: is not of the API: Lease.finish");
    assertThat(flaws("| `ack` | `Lease.complete` | – |  |", "|  |  |  | – |"))
        .containsExactly("3: neither a test shows it nor a reason is given");
    assertThat(flaws("|  |  |  | so |")).contains("3: goes on with no row");
    assertThat(flaws("| `ack` | `Lease.complete` | – |  |", "|  | so |"))
        .contains("3: has not four cells");
  }

  @Test
  void tests_ofTheNightOrOfSeveralClasses_areTold() {
    String nightly = "SoakTest#soak_long_takesNoMoreAtTheEndThanAtTheBegin";
    String several = "WrongInputsTest#execute_wrongInput_isToldInASentenceWithItsExitCode";

    List<String> flaws =
        flaws("| a | – | `" + nightly + "` | so |", "| b | – | `" + several + "` | so |");

    assertThat(flaws)
        .containsExactly(
            "3: it is run at night alone: " + nightly,
            "4: several classes have such a test: " + several);
  }

  @Test
  void tables_thatAreNotAsTheyShouldBe_areTold() {
    assertThat(flaws(SOUND, SOUND)).containsExactly("4: is there twice: `ack`");
    assertThat(PAGE.flaws(List.of("# Parity"))).containsExactly("0: there are no rows");
    assertThat(PAGE.flaws(List.of("| there | here | shown by |", SOUND)))
        .containsExactly("1: is no heading of a table of this page", "0: there are no rows");
  }

  /** What is wrong with a table of these rows, of which the first is in the third line. */
  private List<String> flaws(String... rows) {
    List<String> lines = new ArrayList<>(List.of(ParityPage.HEADING, "|---|---|---|---|"));
    lines.addAll(List.of(rows));
    return PAGE.flaws(lines);
  }
}
