package io.millrace.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** What editors are told of the properties is what the properties are. */
class MetadataTest {

  private static final Map<Class<?>, Class<?>> BOXES =
      Map.of(boolean.class, Boolean.class, int.class, Integer.class, long.class, Long.class);

  @Test
  void properties_ofTheMetadata_areThoseOfTheRecords() throws IOException {
    Map<String, String> described = new TreeMap<>();
    Map<String, String> defaults = new TreeMap<>();
    for (JsonNode each : metadata().get("properties")) {
      String name = each.get("name").asText();
      described.put(name, each.get("type").asText().replaceAll("<.*", ""));
      assertThat(each.get("description").asText()).as(name).endsWith(".");
      if (each.has("defaultValue")) {
        defaults.put(name, each.get("defaultValue").asText());
      }
    }

    Map<String, String> types = new TreeMap<>();
    Map<String, String> ofRecords = new TreeMap<>();
    add("millrace", MillraceProperties.class, types, ofRecords);

    assertThat(described).isEqualTo(types);
    assertThat(defaults).isEqualTo(ofRecords);
  }

  /** The settings of a queue have any name before them, so that one sentence lists them all. */
  @Test
  void settingsOfQueues_areAllNamed() throws IOException {
    Map<String, String> types = new TreeMap<>();
    add("", MillraceProperties.QueueProperties.class, types, new TreeMap<>());
    String description = "";
    for (JsonNode each : metadata().get("properties")) {
      if (each.get("name").asText().equals("millrace.queues")) {
        description = each.get("description").asText();
      }
    }

    String listed = description.substring(description.indexOf(':') + 1, description.indexOf(". "));
    assertThat(listed.strip().split(", "))
        .containsExactlyInAnyOrder(
            types.keySet().stream().map(it -> it.substring(1)).toArray(String[]::new));
  }

  private static void add(
      String prefix, Class<?> type, Map<String, String> types, Map<String, String> defaults) {
    for (RecordComponent each : type.getRecordComponents()) {
      String name = prefix + "." + each.getName().replaceAll("([A-Z])", "-$1").toLowerCase();
      if (each.getType().isRecord()) {
        add(name, each.getType(), types, defaults);
      } else {
        types.put(name, BOXES.getOrDefault(each.getType(), each.getType()).getName());
        DefaultValue value = parameter(type, each).getAnnotation(DefaultValue.class);
        if (value != null && value.value().length > 0) {
          defaults.put(name, value.value()[0]);
        }
      }
    }
  }

  private static java.lang.reflect.Parameter parameter(Class<?> type, RecordComponent component) {
    for (java.lang.reflect.Parameter each : type.getDeclaredConstructors()[0].getParameters()) {
      if (each.getName().equals(component.getName())) {
        return each;
      }
    }
    throw new AssertionError("no parameter: " + component);
  }

  private static JsonNode metadata() throws IOException {
    try (InputStream in =
        MetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      return new ObjectMapper().readTree(in);
    }
  }
}
