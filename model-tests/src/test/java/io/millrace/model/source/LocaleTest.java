package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Texts are the same wherever the machine stands: in some locales the digits of formatted numbers
 * are others, and letters have other capitals.
 */
class LocaleTest {

  private static final Pattern NUMBER = Pattern.compile("\"[^\"\n]*%[-+,.0-9]*[dxXfeg]");
  private static final Pattern CASE = Pattern.compile("\\.to(Lower|Upper)Case\\(\\)");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spi",
        "memtable",
        "store-memory",
        "store-lmdb",
        "store-rocksdb",
        "store-postgresql",
        "engine",
        "worker",
        "workflow",
        "jackson",
        "micrometer",
        "opentelemetry",
        "protocol",
        "server",
        "client",
        "console",
        "outbox-jdbc",
        "spring",
        "spring-boot-3-starter",
        "spring-boot-4-starter",
        "test-kit"
      })
  void statements_withNumbersOrCapitals_nameALocale(String module) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(sources).isNotEmpty();
      sources.forEach(source -> statements(source).filter(LocaleTest::isLocal).forEach(found::add));
    }

    assertThat(found).isEmpty();
  }

  private static Stream<String> statements(Path source) {
    try {
      String code = Files.readString(source).replaceAll("(?m)^\\s*(/?\\*|//).*$", "");
      return Arrays.stream(code.split(";\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isLocal(String statement) {
    boolean isTold = NUMBER.matcher(statement).find() || CASE.matcher(statement).find();
    return isTold && !statement.contains("Locale.ROOT");
  }
}
