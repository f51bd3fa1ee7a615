package io.millrace.micronaut;

import io.micronaut.context.annotation.Replaces;
import jakarta.inject.Singleton;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what is sent. What is sent to {@link #SLOW} takes a while, and says so. */
@Singleton
@Replaces(Mailer.class)
class TestMailer extends Mailer {

  static final String SLOW = "slow";
  static final String BEGUN = "mail has begun";
  static final String ENDED = "mail has ended";

  final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

  @Override
  void send(String address) {
    if (address.equals(SLOW)) {
      System.out.println(BEGUN);
      sent.add(BEGUN);
      await();
      System.out.println(ENDED);
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
