package io.millrace.spring.sample;

import java.io.IOException;

/** Sends mails. */
public interface Mailer {

  void send(String to, String text) throws IOException;
}
