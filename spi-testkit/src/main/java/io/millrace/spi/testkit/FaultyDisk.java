package io.millrace.spi.testkit;

import io.millrace.spi.StoreFailedException;
import io.millrace.spi.WriteBatch;
import io.millrace.store.memory.MemoryStore.Contents;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The simulated disk of one store: a synced image, and one more for each batch that was written and
 * not yet synced. Thread-safe.
 *
 * <p>Only the session that has the disk open changes it. A crash takes the disk from its session,
 * whose later calls fail.
 */
final class FaultyDisk {

  private final String storeId;
  private long epoch;

  /** The synced image, then the image after each unsynced batch; never empty. */
  private final List<Contents> images = new ArrayList<>();

  /** The image after a batch of which it is undecided whether it happened. */
  private @Nullable Contents doubtful;

  private @Nullable FaultySession holder;

  FaultyDisk(String storeId, long epoch, Contents contents) {
    this.storeId = storeId;
    this.epoch = epoch;
    images.add(contents);
  }

  String storeId() {
    return storeId;
  }

  synchronized long epoch() {
    return epoch;
  }

  synchronized boolean isOpen() {
    return holder != null;
  }

  synchronized boolean isHeldBy(FaultySession session) {
    return holder == session;
  }

  /** Raises the epoch and makes all that survived durable, as the opening of a real store does. */
  synchronized void recover(SplittableRandom random, long epochLeast) {
    settle(random);
    epoch = Math.max(epoch + 1, epochLeast);
    syncThrough(newest().commit());
  }

  /** Decides at random whether the doubtful batch happened. */
  synchronized void settle(SplittableRandom random) {
    if (doubtful != null && random.nextBoolean()) {
      images.add(doubtful);
    }
    doubtful = null;
  }

  synchronized void hold(FaultySession session) {
    holder = session;
  }

  synchronized void release(FaultySession session) {
    if (holder == session) {
      holder = null;
    }
  }

  synchronized Contents newest() {
    return images.get(images.size() - 1);
  }

  synchronized long syncedCommit() {
    return images.get(0).commit();
  }

  synchronized void append(FaultySession session, Contents contents) {
    requireHolder(session);
    images.add(contents);
  }

  synchronized void doubt(FaultySession session, Contents contents) {
    requireHolder(session);
    doubtful = contents;
  }

  synchronized void sync(FaultySession session, long commit) {
    requireHolder(session);
    syncThrough(commit);
  }

  /** Keeps the synced image and as many of the later batches as the random numbers say. */
  synchronized void crash(SplittableRandom random) {
    if (doubtful != null) {
      images.add(doubtful);
      doubtful = null;
    }
    int kept = random.nextInt(images.size());
    images.subList(kept + 1, images.size()).clear();
    syncThrough(newest().commit());
    holder = null;
  }

  /** Changes rows behind the store's back, in all images at once. */
  synchronized void tamper(WriteBatch rows) {
    if (holder != null) {
      throw new IllegalStateException("close the store before its rows are tampered with");
    }
    images.replaceAll(image -> new Contents(image.commit(), image.rows().with(rows)));
    if (doubtful != null) {
      doubtful = new Contents(doubtful.commit(), doubtful.rows().with(rows));
    }
  }

  private void syncThrough(long commit) {
    images.removeIf(image -> image.commit() < commit);
  }

  private void requireHolder(FaultySession session) {
    if (holder != session) {
      throw new StoreFailedException("the power failed while the store was open");
    }
  }
}
