package io.millrace.jmh.servers;

import io.millrace.jmh.load.Target;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** A server whose client has blocking calls only: a call by future has ended when it returns. */
abstract class BlockingTarget implements Target {

  @Override
  public CompletableFuture<?> enqueueAsync(List<byte[]> payloads) {
    enqueue(payloads);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<? extends Claimed> claimAsync(int max) {
    return CompletableFuture.completedFuture(claim(max));
  }

  /**
   * Jobs that the server has handed out.
   *
   * @param numbers their numbers
   * @param completing completes all of them at the server
   */
  record Handed(long[] numbers, Runnable completing) implements Claimed {

    static final Handed NONE = new Handed(new long[0], () -> {});

    @Override
    public int size() {
      return numbers.length;
    }

    @Override
    public long dueNs(int index) {
      return 0;
    }

    @Override
    public void complete(LongConsumer completed) {
      completing.run();
      for (long number : numbers) {
        completed.accept(number);
      }
    }

    @Override
    public CompletableFuture<?> completeAsync(LongConsumer completed) {
      complete(completed);
      return CompletableFuture.completedFuture(null);
    }
  }
}
