package io.millrace.internal.commit;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The source of a view that is opened at its first use, since most groups read nothing. */
final class ViewSource implements Supplier<ReadView> {

  private final OrderedStore store;
  private @Nullable ReadView view;

  ViewSource(OrderedStore store) {
    this.store = store;
  }

  @Override
  public ReadView get() {
    ReadView open = view;
    if (open == null) {
      open = store.read();
      view = open;
    }
    return open;
  }

  /** Closes the view if there is one, so that the next read sees what was written meanwhile. */
  void release() {
    ReadView open = view;
    view = null;
    if (open != null) {
      open.close();
    }
  }
}
