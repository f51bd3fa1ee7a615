package io.millrace.api;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Some of many, in order.
 *
 * @param items at most as many as were asked for; fewer, even none, does not mean the end
 * @param next where the next page begins; empty at the end
 */
public record Page<T>(List<T> items, Optional<String> next) {

  private static final int STREAMED_SIZE = 200;

  public Page {
    items = List.copyOf(items);
  }

  /**
   * All items of all pages, whatever call it is that answers them:
   *
   * <pre>{@code
   * Page.stream(page -> engine.list(JobFilter.ALL.state(JobState.DEAD), page))
   *     .filter(job -> job.attempts() > 3)
   *     .limit(10)
   *     .forEach(this::show);
   * }</pre>
   *
   * <p>A page is asked for when the items before it have been used, not earlier, and none behind
   * what the stream is asked for. Nothing is held between two pages, and nothing need be closed. So
   * each page is as of the moment in which it is asked for: what changes meanwhile, also because of
   * what is done with the items, is seen as the call says of two pages one after the other. What
   * the call throws ends the stream.
   *
   * @param pages answers the page that it is asked for, by the thread that uses the stream
   */
  public static <T> Stream<T> stream(Function<PageRequest, Page<T>> pages) {
    return StreamSupport.stream(new Items<>(pages), false);
  }

  /** The items of one page after the other. */
  private static final class Items<T> extends AbstractSpliterator<T> {

    private final Function<PageRequest, Page<T>> pages;
    private Optional<PageRequest> next = Optional.of(PageRequest.first(STREAMED_SIZE));
    private Iterator<T> items = Collections.emptyIterator();

    Items(Function<PageRequest, Page<T>> pages) {
      super(Long.MAX_VALUE, ORDERED | NONNULL);
      this.pages = Objects.requireNonNull(pages, "pages");
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
      while (!items.hasNext() && next.isPresent()) {
        Page<T> page = pages.apply(next.get());
        items = page.items().iterator();
        next = page.next().map(cursor -> PageRequest.after(cursor, STREAMED_SIZE));
      }
      if (!items.hasNext()) {
        return false;
      }
      action.accept(items.next());
      return true;
    }
  }
}
