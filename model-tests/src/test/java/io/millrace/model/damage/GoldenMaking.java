package io.millrace.model.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the golden stores that are not there yet, for a new format or for rows that a format has
 * gained. Those that were ever released are never made again: they are the proof that they can be
 * read.
 *
 * <p>Its name keeps it out of every build. Run by hand it writes into an absent folder, from which
 * the new ones are to be moved to {@code src/test/resources/golden}:
 *
 * <pre>
 *  mvn -pl model-tests -am test -Dtest=GoldenMaking -Dsurefire.failIfNoSpecifiedTests=false \
 *      -Dmillrace.golden=FOLDER
 * </pre>
 */
class GoldenMaking {

  @TempDir Path folder;

  @Test
  void make_folderIsAbsent_holdsTheNewArchivesAndTheirViews() throws IOException {
    Path archives = Files.createDirectory(Path.of(System.getProperty("millrace.golden")));

    for (GoldenStore golden : GoldenStore.all().filter(one -> !one.isThere()).toList()) {
      Path store = folder.resolve(golden.toString());
      GoldenStores.make(golden.content(), golden.scheme() + ":" + store, golden.stop());
      golden.pack(store, archives);
      golden.writeView(new GoldenReading(golden.place(store)).whole(), archives);
    }

    assertThat(archives).isDirectoryContaining(file -> file.toString().endsWith(".zip"));
  }
}
