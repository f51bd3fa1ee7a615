package io.millrace.examples;

import io.millrace.api.Codec;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Table;
import io.millrace.worker.Worker;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A job's effect and its end are one commit: the money moves once, whenever the process dies. */
final class Transfer implements Example {

  private static final JobType<Long> PAYMENT = JobType.of("payment", Codec.LONG);
  private static final JobType<String> RECEIPT = JobType.of("receipt", Codec.TEXT);

  @Override
  public void run(JobQueues queues, Consumer<String> log) throws Exception {
    // region transfer
    Table<String, Long> accounts = queues.table("accounts", Codec.TEXT, Codec.LONG);
    JobId payment =
        queues
            .transact(
                tx -> {
                  tx.put(accounts, "ada", 100L);
                  tx.put(accounts, "shop", 0L);
                  return tx.enqueue(PAYMENT, 30L);
                })
            .orThrow();
    CompletableFuture<JobEnd<byte[]>> end = queues.await(payment);

    Worker worker =
        Worker.on(queues)
            .handle(
                PAYMENT,
                (cents, job) ->
                    job.completeInTransaction(
                        tx -> {
                          long ada = tx.get(accounts, "ada").orElseThrow();
                          long shop = tx.get(accounts, "shop").orElseThrow();
                          tx.put(accounts, "ada", ada - cents);
                          tx.put(accounts, "shop", shop + cents);
                          tx.enqueue(RECEIPT, "paid: " + cents); // now, or not at all
                        }))
            .start();
    // endregion
    log.accept(end.get().getClass().getSimpleName());
    log.accept("ada " + accounts.get("ada").orElseThrow());
    log.accept("shop " + accounts.get("shop").orElseThrow());
    worker.close();
  }
}
