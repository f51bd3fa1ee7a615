package io.millrace.cli.pages;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/** All items of a list that is read page by page; holds one page at a time. For one thread. */
public final class Pages<T> implements Iterator<T> {

  /**
   * The size of a page. It is small, since each job of a page may have a payload of many megabytes.
   */
  private static final int PAGE_SIZE = 20;

  private final Function<PageRequest, Page<T>> list;
  private final Function<CorruptDataException, Optional<String>> onDamage;
  private Optional<PageRequest> request = Optional.of(PageRequest.first(PAGE_SIZE));
  private Iterator<T> page = List.<T>of().iterator();

  /** Creates an iterator that a damaged page ends with its exception. */
  public Pages(Function<PageRequest, Page<T>> list) {
    this(
        list,
        damage -> {
          throw damage;
        });
  }

  /**
   * Creates an iterator over pages that may be damaged.
   *
   * @param onDamage is told of a page that cannot be read, and answers the cursor of the next one,
   *     if there is one to go on with
   */
  Pages(
      Function<PageRequest, Page<T>> list,
      Function<CorruptDataException, Optional<String>> onDamage) {
    this.list = list;
    this.onDamage = onDamage;
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && request.isPresent()) {
      request = read(request.get()).map(cursor -> PageRequest.after(cursor, PAGE_SIZE));
    }
    return page.hasNext();
  }

  /** Reads a page, and returns the cursor of the next one. */
  private Optional<String> read(PageRequest asked) {
    try {
      Page<T> read = list.apply(asked);
      page = read.items().iterator();
      return read.next();
    } catch (CorruptDataException e) {
      return onDamage.apply(e);
    }
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there is no further page");
    }
    return page.next();
  }
}
