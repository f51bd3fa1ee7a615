package io.millrace.spring.sample;

import org.springframework.stereotype.Component;

/** Prints mails in place of sending them. */
@Component
class PrintingMailer implements Mailer {

  @Override
  public void send(String to, String text) {
    System.out.println("sent to " + to + ": " + text);
  }
}
