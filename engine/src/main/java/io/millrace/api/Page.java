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
 * A page of a longer list, in order.
 *
 * @param items at most as many items as were asked for; fewer, even none, does not mean the end
 * @param next the cursor of the next page; empty at the end
 */
public record Page<T>(List<T> items, Optional<String> next) {

  private static final int STREAMED_SIZE = 200;

  public Page {
    items = List.copyOf(items);
  }

  /**
   * Returns a stream of all items of all pages that the function returns:
   *
   * <pre>{@code
   * Page.stream(page -> engine.list(JobFilter.ALL.state(JobState.DEAD), page))
   *     .filter(job -> job.attempts() > 3)
   *     .limit(10)
   *     .forEach(this::show);
   * }</pre>
   *
   * <p>A page is requested only when the items before it have been used, and pages that the stream
   * does not need are never requested. Nothing is held between two pages, and nothing need be
   * closed. So each page shows the state at the moment of its request. Changes in between, even
   * those caused by the use of the items, are seen as the called method describes for two
   * successive pages. An exception of the function ends the stream.
   *
   * @param pages returns the page for a request; called by the thread that uses the stream
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
