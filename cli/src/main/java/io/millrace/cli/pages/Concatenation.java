package io.millrace.cli.pages;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The items of several iterators, one after the other. For one thread. */
final class Concatenation<T> implements Iterator<T> {

  private final Iterator<? extends Iterator<T>> parts;
  private Iterator<T> part = Collections.emptyIterator();

  Concatenation(Iterator<? extends Iterator<T>> parts) {
    this.parts = parts;
  }

  @Override
  public boolean hasNext() {
    while (!part.hasNext() && parts.hasNext()) {
      part = parts.next();
    }
    return part.hasNext();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there is nothing further");
    }
    return part.next();
  }
}
