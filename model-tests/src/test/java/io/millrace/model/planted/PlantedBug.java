package io.millrace.model.planted;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.difflib.patch.PatchFailedException;
import com.github.difflib.unifieddiff.UnifiedDiffFile;
import com.github.difflib.unifieddiff.UnifiedDiffReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A bug, and the tests that must fail of it.
 *
 * @param name name of the file, without its ending
 * @param wrong what is wrong, in a sentence
 * @param caughtBy the tests
 * @param changes what the bug changes in which file, named from the root of the repository
 */
record PlantedBug(
    String name, String wrong, List<NamedTest> caughtBy, List<UnifiedDiffFile> changes) {

  private static final Path FOLDER = Path.of("src/test/planted");
  private static final String CAUGHT_BY = "caught-by: ";
  private static final String DIFF = "--- ";

  /** The number of lines at each end of a change's surroundings that may be others by now. */
  private static final int FUZZ = 2;

  /** All bugs that there are, by number. */
  static List<PlantedBug> all() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .sorted(Comparator.comparingInt(PlantedBug::number))
          .map(PlantedBug::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int number(Path file) {
    String name = file.getFileName().toString();
    return Integer.parseInt(name.substring(0, name.indexOf('-')));
  }

  private static PlantedBug read(Path file) {
    try {
      List<String> head = new ArrayList<>();
      List<String> diff = new ArrayList<>();
      for (String line : Files.readAllLines(file)) {
        boolean isDiff = !diff.isEmpty() || line.startsWith(DIFF);
        (isDiff ? diff : head).add(line);
      }
      byte[] bytes = (String.join("\n", diff) + "\n").getBytes(UTF_8);
      return new PlantedBug(
          file.getFileName().toString().replaceFirst("\\.diff$", ""),
          wrong(head),
          caughtBy(file, head),
          UnifiedDiffReader.parseUnifiedDiff(new ByteArrayInputStream(bytes)).getFiles());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String wrong(List<String> head) {
    List<String> lines = head.stream().filter(line -> !line.startsWith(CAUGHT_BY)).toList();
    return String.join(" ", lines).strip();
  }

  private static List<NamedTest> caughtBy(Path file, List<String> head) {
    List<NamedTest> tests =
        head.stream()
            .filter(line -> line.startsWith(CAUGHT_BY))
            .map(line -> NamedTest.of(line.substring(CAUGHT_BY.length()).strip()))
            .toList();
    if (tests.isEmpty()) {
      throw new AssertionError(file + " does not say which test catches it");
    }
    return tests;
  }

  /**
   * The sources with the bug, by file. A change may be found some lines away from where the diff
   * has it. The lines that it takes away and those next to it must be as they are there.
   */
  Map<Path, String> sources() {
    Map<Path, String> sources = new LinkedHashMap<>();
    for (UnifiedDiffFile change : changes) {
      Path file = NamedTest.REPOSITORY.resolve(change.getFromFile());
      try {
        List<String> lines = Files.readAllLines(file);
        sources.put(file, String.join("\n", change.getPatch().applyFuzzy(lines, FUZZ)) + "\n");
      } catch (PatchFailedException e) {
        throw new AssertionError(name + " does not fit " + file + " any more", e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return sources;
  }

  /**
   * Its lines in the list of docs/record/reliability-record.md.
   *
   * @param seconds how long its tests took, as the list has it
   */
  List<String> lines(String seconds) {
    List<String> lines = new ArrayList<>(List.of("* **" + name + "** (" + seconds + "): " + wrong));
    caughtBy.forEach(test -> lines.add("  * " + test.shortName()));
    return lines;
  }

  @Override
  public String toString() {
    return name;
  }
}
