package io.millrace.micronaut;

import jakarta.inject.Singleton;

/** Sends mails, or would; tests replace it. */
@Singleton
class Mailer {

  void send(String address) {
    System.out.println("mail to " + address);
  }

  void report(String text) {
    System.out.println("report: " + text);
  }
}
