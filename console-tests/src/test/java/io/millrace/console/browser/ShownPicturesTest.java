package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pictures that documents show or link to: all are there, and no others. */
class ShownPicturesTest {

  private static final Path REPOSITORY = Path.of("..");
  private static final Path IMAGES = REPOSITORY.resolve("docs/images");
  private static final Pattern PICTURE =
      Pattern.compile("\\[([^\\]]+)]\\(([^)]+\\.(?:png|svg))\\)");
  private static final int BYTES_MAX = 150_000;

  /**
   * Returns the pictures that a document shows or links to, as paths from the folder of the
   * repository.
   */
  private static List<Path> shown(Path document) throws IOException {
    List<Path> shown = new ArrayList<>();
    Matcher found = PICTURE.matcher(Files.readString(document));
    while (found.find()) {
      shown.add(document.resolveSibling(found.group(2)).normalize());
    }
    return shown;
  }

  @Test
  void pictures_ofTheDocuments_areThereAndSmall() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(REPOSITORY.resolve("README.md")));
    try (Stream<Path> pages = Files.list(REPOSITORY.resolve("docs"))) {
      pages.filter(page -> page.toString().endsWith(".md")).forEach(documents::add);
    }
    Set<Path> shown = new TreeSet<>();
    for (Path document : documents) {
      shown.addAll(shown(document));
    }
    Set<Path> there = new TreeSet<>();
    try (Stream<Path> files = Files.walk(IMAGES)) {
      files.filter(Files::isRegularFile).map(Path::normalize).forEach(there::add);
    }

    assertThat(shown(REPOSITORY.resolve("README.md"))).as("the README's").isNotEmpty();
    assertThat(shown(REPOSITORY.resolve("docs/console.md"))).hasSizeGreaterThan(2);
    assertThat(shown).isEqualTo(there);
    assertThat(there)
        .allSatisfy(file -> assertThat(Files.size(file)).as("%s", file).isLessThan(BYTES_MAX));
  }
}
