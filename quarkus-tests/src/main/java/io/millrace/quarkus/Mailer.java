package io.millrace.quarkus;

import jakarta.enterprise.context.ApplicationScoped;

/** Sends mails, or would; tests replace it. */
@ApplicationScoped
class Mailer {

  void send(String address) {
    System.out.println("mail to " + address);
  }

  void report(String text) {
    System.out.println("report: " + text);
  }
}
