package io.millrace.model.outage;

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

  /** One change of the model, and the number of the batch that holds it. */
  static final class Entry {

    /** The batch of what cannot be lost. */
    static final long FOR_EVER = 0;

    /** The batch of what no batch holds. */
    static final long NEVER = Long.MAX_VALUE;

    private final Consumer<SeededModel> effect;
    private long batch;

    Entry(Consumer<SeededModel> effect, long batch) {
      this.effect = effect;
      this.batch = batch;
    }

    Consumer<SeededModel> effect() {
      return effect;
    }

    long batch() {
      return batch;
    }

    /** It turned out which batch holds it. */
    void heldBy(long number) {
      batch = number;
    }
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

  /** A batch that holds nothing took a number: what was to come with it comes with the next. */
  void skip(long number) {
    for (Entry entry : entries) {
      if (entry.batch == number) {
        entry.batch = number + 1;
      }
    }
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
