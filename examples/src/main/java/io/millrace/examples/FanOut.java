package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Table;
import io.millrace.worker.Worker;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** A job becomes many, and the last of these to end begins another that has all their results. */
final class FanOut implements Example {

  private static final JobType<String> BOOK = JobType.of("book", Codec.TEXT);
  private static final JobType<String> PAGE = JobType.of("page", Codec.TEXT);
  private static final JobType<String> SUM = JobType.of("sum", Codec.TEXT);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws Exception {
    List<String> book = List.of("it was a dark", "and stormy night", "the end");
    CountDownLatch done = new CountDownLatch(1);
    // region fan
    Table<String, Long> left = queues.table("pages left", Codec.TEXT, Codec.LONG);
    Table<String, Long> words = queues.table("words", Codec.TEXT, Codec.LONG);

    Worker worker =
        Worker.on(queues)
            .handle( // fan out: all pages, or none
                BOOK,
                (title, job) ->
                    job.completeWith(
                        tx -> {
                          tx.put(left, title, (long) book.size());
                          book.forEach(page -> tx.enqueue(PAGE, page));
                          return title;
                        }))
            .handle(
                PAGE,
                (page, job) -> {
                  long count = page.split(" ").length;
                  job.completeWith( // fan in: each page counts once, and one of them is the last
                      tx -> {
                        long others = tx.get(left, "novel").orElseThrow() - 1;
                        tx.put(left, "novel", others);
                        tx.add(words, "novel", count);
                        return others == 0 ? tx.enqueue(SUM, "novel") : null;
                      });
                })
            .handle(
                SUM,
                (title, job) -> {
                  log.accept(title + ": " + words.get(title).orElseThrow() + " words");
                  done.countDown();
                })
            .start();
    queues.enqueue(BOOK, "novel");
    // endregion
    done.await();
    worker.close();
  }
}
