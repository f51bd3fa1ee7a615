package io.millrace.quarkus;

import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what is sent. What is sent to {@link #SLOW} takes a while, and says so. */
@Alternative
@Priority(1)
@ApplicationScoped
class TestMailer extends Mailer {

  static final String SLOW = "slow";
  static final String BEGUN = "mail has begun";

  private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

  /** Returns what is sent; a method, for the bean is seen through a proxy. */
  BlockingQueue<String> sent() {
    return sent;
  }

  @Override
  void send(String address) {
    if (address.equals(SLOW)) {
      sent.add(BEGUN);
      await();
    }
    sent.add(address);
  }

  private static void await() {
    try {
      if (new CountDownLatch(1).await(700, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("nobody counts down");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("was interrupted", e);
    }
  }
}
