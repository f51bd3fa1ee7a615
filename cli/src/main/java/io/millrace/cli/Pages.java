package io.millrace.cli;

import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/** All items of a list that is read page by page; holds one page at a time. For one thread. */
final class Pages<T> implements Iterator<T> {

  /** Small, for each job of a page may have a payload of many megabytes. */
  private static final int PAGE_SIZE = 20;

  private final Function<PageRequest, Page<T>> list;
  private Optional<PageRequest> request = Optional.of(PageRequest.first(PAGE_SIZE));
  private Iterator<T> page = List.<T>of().iterator();

  Pages(Function<PageRequest, Page<T>> list) {
    this.list = list;
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && request.isPresent()) {
      Page<T> read = list.apply(request.get());
      page = read.items().iterator();
      request = read.next().map(cursor -> PageRequest.after(cursor, PAGE_SIZE));
    }
    return page.hasNext();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there is no further page");
    }
    return page.next();
  }
}
