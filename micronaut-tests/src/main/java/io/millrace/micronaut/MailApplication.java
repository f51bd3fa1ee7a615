package io.millrace.micronaut;

import io.micronaut.runtime.Micronaut;

/** Sends mails, and goes on sending those that are not sent when it is started again. */
public final class MailApplication {

  private MailApplication() {}

  public static void main(String[] args) {
    Micronaut.run(MailApplication.class, args);
  }
}
