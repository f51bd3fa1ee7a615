package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Documents are read as they are written: no line is endless, and a decision is one screen. */
class DocumentShapeTest {

  private static final int LINE_LENGTH_MAX = 200;

  /** One screen. */
  private static final int DECISION_LINE_COUNT_MAX = 60;

  private static final int DECISION_LINE_LENGTH_MAX = 120;

  private static final Path REPOSITORY = Path.of("..");
  private static final Path DECISIONS = REPOSITORY.resolve("docs/adr");

  /** Folders in which others leave documents. */
  private static final Set<String> NOT_OURS = Set.of(".git", "target");

  @Test
  void documents_allLines_areShortEnough() throws IOException {
    List<Path> documents = documents(REPOSITORY);

    List<String> flaws = new ArrayList<>();
    for (Path document : documents) {
      flaws.addAll(longLines(document, Files.readAllLines(document), LINE_LENGTH_MAX));
    }

    assertThat(documents).contains(REPOSITORY.resolve("README.md"), DECISIONS.resolve("README.md"));
    assertThat(flaws).isEmpty();
  }

  @Test
  void decisions_all_areOneScreen() throws IOException {
    List<Path> decisions =
        documents(DECISIONS).stream()
            .filter(document -> document.getFileName().toString().matches("\\d{4}-.*"))
            .toList();

    List<String> flaws = new ArrayList<>();
    for (Path decision : decisions) {
      List<String> lines = Files.readAllLines(decision);
      flaws.addAll(longDecision(decision, lines));
      flaws.addAll(longLines(decision, lines, DECISION_LINE_LENGTH_MAX));
    }

    assertThat(decisions).isNotEmpty();
    assertThat(flaws).isEmpty();
  }

  @Test
  void whatIsTooLong_isToldWithItsPlaceAndLength() {
    List<String> lines = List.of("x".repeat(LINE_LENGTH_MAX), "x".repeat(LINE_LENGTH_MAX + 1));

    assertThat(longLines(REPOSITORY.resolve("docs/guide.md"), lines, LINE_LENGTH_MAX))
        .containsExactly(
            "docs/guide.md:2 has 201 characters, not 200 at most: break the line; a table whose"
                + " cells need more becomes a list, or a row becomes several");
    assertThat(longDecision(DECISIONS.resolve("0001-why.md"), Collections.nCopies(60, "")))
        .isEmpty();
    assertThat(longDecision(DECISIONS.resolve("0001-why.md"), Collections.nCopies(61, "")))
        .containsExactly(
            "docs/adr/0001-why.md has 61 lines, not 60 at most: leave out what nobody needs to"
                + " understand the choice, and link to the page that tells the rest");
  }

  private static List<String> longLines(Path document, List<String> lines, int lengthMax) {
    List<String> flaws = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      int length = lines.get(i).length();
      if (length > lengthMax) {
        flaws.add(
            String.format(
                "%s:%d has %d characters, not %d at most: break the line; a table whose cells need"
                    + " more becomes a list, or a row becomes several",
                name(document), i + 1, length, lengthMax));
      }
    }
    return flaws;
  }

  private static List<String> longDecision(Path decision, List<String> lines) {
    if (lines.size() <= DECISION_LINE_COUNT_MAX) {
      return List.of();
    }
    return List.of(
        String.format(
            "%s has %d lines, not %d at most: leave out what nobody needs to understand the choice,"
                + " and link to the page that tells the rest",
            name(decision), lines.size(), DECISION_LINE_COUNT_MAX));
  }

  private static Path name(Path document) {
    return REPOSITORY.relativize(document);
  }

  private static List<Path> documents(Path folder) throws IOException {
    List<Path> documents = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
            return NOT_OURS.contains(inner.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              documents.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return documents;
  }
}
