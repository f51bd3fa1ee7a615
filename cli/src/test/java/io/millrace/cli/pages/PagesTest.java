package io.millrace.cli.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PagesTest {

  @Test
  void pages_someOfThemEmpty_giveAllItems() {
    List<Integer> items = new ArrayList<>();

    new Pages<>(PagesTest::page).forEachRemaining(items::add);

    assertThat(items).containsExactly(1, 2, 3);
  }

  @Test
  void concatenation_someOfThemEmpty_givesAllItemsInOrder() {
    Iterator<Iterator<Integer>> parts =
        List.of(
                List.<Integer>of().iterator(),
                List.of(1, 2).iterator(),
                List.<Integer>of().iterator(),
                List.of(3).iterator())
            .iterator();
    List<Integer> items = new ArrayList<>();

    new Concatenation<>(parts).forEachRemaining(items::add);

    assertThat(items).containsExactly(1, 2, 3);
  }

  private static Page<Integer> page(PageRequest request) {
    return switch (request.cursor().orElse("first")) {
      case "first" -> new Page<>(List.of(), Optional.of("second"));
      case "second" -> new Page<>(List.of(1, 2), Optional.of("third"));
      case "third" -> new Page<>(List.of(), Optional.of("fourth"));
      default -> new Page<>(List.of(3), Optional.empty());
    };
  }
}
