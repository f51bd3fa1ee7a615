package io.millrace.model.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each planted bug compiles. A change elsewhere may leave its lines as they were and yet take away
 * what they use.
 */
@Tag("thorough")
@Timeout(600)
class PlantedBugCompileTest {

  @Test
  void everyBug_classesOfToday_compilesWithThem() throws IOException {
    Map<String, String> errors = new LinkedHashMap<>();

    try (ChangedClasses classes = new ChangedClasses()) {
      for (PlantedBug bug : PlantedBug.all()) {
        String found = classes.errors(bug.sources());
        if (!found.isEmpty()) {
          errors.put(bug.name(), found);
        }
      }
    }

    assertThat(errors).as("planted bugs that do not compile").isEmpty();
  }
}
