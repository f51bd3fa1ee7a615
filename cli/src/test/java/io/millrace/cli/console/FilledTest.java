package io.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FilledTest {

  private static final int DAMAGED = 7;

  /** Returns numbers below ten, at most three of them. */
  private static Page<Integer> part(PageRequest page) {
    int begin = page.cursor().map(Integer::parseInt).orElse(0);
    int end = Math.min(10, begin + Math.min(3, page.size()));
    List<Integer> items = IntStream.range(begin, end).boxed().toList();
    return new Page<>(items, end == 10 ? Optional.empty() : Optional.of("" + end));
  }

  private static Page<Integer> damagedPart(PageRequest page) {
    Page<Integer> part = part(page);
    if (part.items().get(0) == DAMAGED) {
      throw new CorruptDataException("stored row is corrupt");
    }
    int end = part.items().indexOf(DAMAGED);
    return end < 0 ? part : new Page<>(part.items().subList(0, end), Optional.of("" + DAMAGED));
  }

  @Test
  void small_moreThanAPart_isAsLargeAsWasAskedForAndGoesOnBehind() {
    Page<Integer> page = Filled.small(PageRequest.first(5), FilledTest::part);
    Page<Integer> rest = Filled.small(PageRequest.after("5", 1_000), FilledTest::part);

    assertThat(page.items()).containsExactly(0, 1, 2, 3, 4);
    assertThat(page.next()).contains("5");
    assertThat(rest.items()).containsExactly(5, 6, 7, 8, 9);
    assertThat(rest.next()).isEmpty();
  }

  @Test
  void large_manyBytes_endsEarlyAndGoesOnBehind() {
    Page<Integer> page = Filled.large(PageRequest.first(10), item -> 2L << 20, FilledTest::part);

    assertThat(page.items()).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(page.next()).contains("6");
  }

  @Test
  void page_damageWithin_endsBeforeItAndTheNextOneTellsIt() {
    Page<Integer> page = Filled.small(PageRequest.first(10), FilledTest::damagedPart);

    assertThat(page.items()).containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(page.next()).contains("7");
    assertThatThrownBy(() -> Filled.small(PageRequest.after("7", 10), FilledTest::damagedPart))
        .isInstanceOf(CorruptDataException.class);
  }
}
