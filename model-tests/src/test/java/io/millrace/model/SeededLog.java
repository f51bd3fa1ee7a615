package io.millrace.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What happened to the model, entry by entry, with the batch in which the engine stored it: the
 * model can be rebuilt as of any batch.
 *
 * <p>Time passes whether batches are lost or not; everything else goes with its batch.
 */
final class SeededLog {

  private final Supplier<SeededModel> empty;
  private final List<Entry> entries = new ArrayList<>();
  private SeededModel live;

  /**
   * One change of the model.
   *
   * @param batch the number of the batch that holds it; {@link #FOR_EVER} if it cannot be lost
   */
  record Entry(Consumer<SeededModel> effect, long batch) {

    static final long FOR_EVER = 0;
  }

  SeededLog(Supplier<SeededModel> empty) {
    this.empty = empty;
    this.live = empty.get();
  }

  /** The model after all entries. */
  SeededModel live() {
    return live;
  }

  /** Adds an entry, and changes the model. */
  Entry add(long batch, Consumer<SeededModel> effect) {
    Entry entry = new Entry(effect, batch);
    entries.add(entry);
    effect.accept(live);
    return entry;
  }

  void passTime(long ms) {
    if (ms > 0) {
      add(Entry.FOR_EVER, model -> model.model.time.advance(ms));
    }
  }

  /** The number of the newest batch with an entry. */
  long newestBatch() {
    return entries.stream().mapToLong(Entry::batch).max().orElse(0);
  }

  /** The model as of a batch, and with the time that has passed since. */
  SeededModel replay(long lastCommit) {
    SeededModel model = empty.get();
    for (Entry entry : entries) {
      if (entry.batch() <= lastCommit) {
        entry.effect().accept(model);
      }
    }
    return model;
  }

  /** The batches after this one never were. */
  void cut(long lastCommit) {
    if (newestBatch() > lastCommit) {
      entries.removeIf(entry -> entry.batch() > lastCommit);
      live = replay(lastCommit);
    }
  }
}
