package io.millrace.client;

import io.millrace.api.Durability;
import io.millrace.api.JobQueues;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Queues of a server without what needs more than calls. */
final class TestQueues extends RemoteCalls {

  TestQueues(Caller caller) {
    super(caller);
  }

  @Override
  public JobQueues with(Durability durability) {
    return new TestQueues(caller().with(durability));
  }

  @Override
  public AutoCloseable beforeShutdown(Runnable work) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <R extends @Nullable Object> TransactionResult<R> transact(Function<Transaction, R> work) {
    return RemoteTransactions.transact(caller(), work);
  }

  @Override
  public boolean isClosed() {
    return false;
  }

  @Override
  public void close() {
    caller().listenings().close(); // The connection is the test's.
  }
}
