package io.millrace.examples;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Page;
import io.millrace.api.ResultJobType;
import io.millrace.api.Wake;
import io.millrace.worker.Worker;
import io.millrace.workflow.Steps;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** A job becomes many, and the end of the last begins another, or goes on, with all results. */
final class FanOut implements Example {

  private static final JobType<String> BOOK = JobType.of("book", Codec.TEXT);
  private static final ResultJobType<String, Long> PAGE =
      JobType.of("page", Codec.TEXT).returning(Codec.LONG);
  private static final JobType<String> SUM = JobType.of("sum", Codec.TEXT);
  private static final JobType<String> REVIEW = JobType.of("review", Codec.TEXT);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws Exception {
    List<String> book = List.of("it was a dark", "and stormy night", "the end");
    CountDownLatch done = new CountDownLatch(1);
    // region fan
    Worker worker =
        Worker.on(queues)
            .handle( // fan out: all pages, or none
                BOOK,
                (title, job) -> {
                  Batch pages = Batch.of(title).keepResults().whenAllSucceeded(SUM, title);
                  book.forEach(page -> pages.add(PAGE, page));
                  job.completeWith(tx -> tx.start(pages));
                })
            .compute(PAGE, (page, job) -> (long) page.split(" ").length)
            .handle( // fan in: once, by the commit that completes the last page
                SUM,
                (title, job) -> {
                  BatchId pages = ((Wake.AfterBatch) job.wake()).id();
                  long words =
                      Page.stream(some -> queues.batches().results(pages, some))
                          .mapToLong(page -> Codec.LONG.decode(page.result()))
                          .sum();
                  log.accept(title + ": " + words + " words");
                  done.countDown();
                })
            .start();
    queues.enqueue(BOOK, "novel");
    // endregion
    done.await();
    CountDownLatch reviewed = new CountDownLatch(1);
    Worker reviewer =
        Worker.on(queues)
            // region all
            .steps(
                REVIEW,
                Steps.workflow(
                    (title, steps) -> {
                      List<Long> words = steps.all("pages", PAGE, book);
                      log.accept(title + ", page by page: " + words);
                      reviewed.countDown();
                    }))
            // endregion
            .start();
    queues.enqueue(REVIEW, "novel");
    reviewed.await();
    reviewer.close();
    worker.close();
  }
}
