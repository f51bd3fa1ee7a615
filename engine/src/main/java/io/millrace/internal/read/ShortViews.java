package io.millrace.internal.read;

import io.millrace.internal.format.Row;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A store that is gone over in chunks: each of them, and what is asked about it, has a view of its
 * own.
 */
final class ShortViews {

  private final OrderedStore store;
  private final OpenViews views;

  ShortViews(OrderedStore store, OpenViews views) {
    this.store = store;
    this.views = views;
  }

  /** Hands over all rows of the range in chunks, each with the view that it came from. */
  void eachChunk(KeyRange range, BiConsumer<ViewRows, List<Row>> consumer) {
    eachChunkThen(range, consumer, chunk -> {});
  }

  /**
   * Hands over all rows of the range in chunks; see {@link #eachChunk}.
   *
   * @param afterView takes each chunk once more when its view is closed
   */
  void eachChunkThen(
      KeyRange range, BiConsumer<ViewRows, List<Row>> consumer, Consumer<List<Row>> afterView) {
    KeyRange rest = range;
    List<Row> chunk = chunk(rest, consumer);
    while (!chunk.isEmpty()) {
      afterView.accept(chunk);
      rest = rest.after(chunk.get(chunk.size() - 1).key());
      chunk = chunk(rest, consumer);
    }
  }

  /** Returns an answer from one view. */
  <T> T answer(Function<ViewRows, T> question) {
    try (ReadView view = views.open(store)) {
      return question.apply(new ViewRows(view));
    }
  }

  private List<Row> chunk(KeyRange range, BiConsumer<ViewRows, List<Row>> consumer) {
    return answer(
        rows -> {
          List<Row> chunk = rows.chunk(range, Row.CHUNK_ROWS_MAX);
          consumer.accept(rows, chunk);
          return chunk;
        });
  }
}
