package io.millrace.spring.sample;

import io.millrace.spring.JobHandler;
import io.millrace.spring.Recurring;
import io.millrace.worker.JobContext;
import java.io.IOException;
import org.springframework.stereotype.Component;

// region spring: handlers
/** The jobs of this application: a component like any other. */
@Component
class MailJobs {

  private final Mailer mailer;

  MailJobs(Mailer mailer) {
    this.mailer = mailer;
  }

  @JobHandler("mail")
  void send(Mail mail, JobContext job) throws IOException {
    mailer.send(mail.to(), mail.text()); // throws: again after 1 s, 2 s, 4 s...
  }

  @Recurring(name = "nightly", cron = "0 3 * * *", zone = "Europe/Berlin")
  void report() throws IOException {
    mailer.send("ops@example.org", "all is well");
  }

  @Recurring(name = "ping", every = "${sample.ping:5m}")
  void ping() throws IOException {
    mailer.send("ping@example.org", "still here");
  }
}
// endregion
