package io.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PageTest {

  private final List<String> asked = new ArrayList<>();

  /** Pages of two numbers each, from 0 to 5; the one that begins with 2 is empty. */
  private Page<Integer> page(PageRequest request) {
    String cursor = request.cursor().orElse("0");
    asked.add(cursor);
    return switch (cursor) {
      case "0" -> new Page<>(List.of(0, 1), Optional.of("none"));
      case "none" -> new Page<>(List.of(), Optional.of("2"));
      case "2" -> new Page<>(List.of(2, 3), Optional.of("4"));
      case "4" -> new Page<>(List.of(4, 5), Optional.empty());
      default -> throw new CorruptDataException("no such page: " + cursor);
    };
  }

  @Test
  void stream_allPages_hasTheItemsInOrder() {
    assertThat(Page.stream(this::page)).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(asked).containsExactly("0", "none", "2", "4");
  }

  @Test
  void stream_isNotUsed_asksForNothing() {
    Stream<Integer> all = Page.stream(this::page).filter(number -> number > 1);

    assertThat(all).isNotNull();
    assertThat(asked).isEmpty();
  }

  @Test
  void stream_endsEarly_asksForNoPageBehind() {
    assertThat(Page.stream(this::page).limit(2)).containsExactly(0, 1);
    assertThat(asked).containsExactly("0");
  }

  @Test
  void stream_asAnIterator_asksForAPageWhenThatBeforeIsUsed() {
    Iterator<Integer> all = Page.stream(this::page).iterator();
    all.next();
    all.next();
    assertThat(asked).containsExactly("0");

    assertThat(all.next()).isEqualTo(2);

    assertThat(asked).containsExactly("0", "none", "2");
  }

  @Test
  void stream_callFails_itemsBeforeWereUsed() {
    List<Integer> used = new ArrayList<>();
    Stream<Integer> all =
        Page.stream(
            request ->
                request.cursor().isEmpty() ? page(request) : page(PageRequest.after("damaged", 1)));

    assertThatThrownBy(() -> all.forEach(used::add))
        .isInstanceOf(CorruptDataException.class)
        .hasMessage("no such page: damaged");
    assertThat(used).containsExactly(0, 1);
  }
}
