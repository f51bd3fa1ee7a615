package io.millrace.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.JobQueue;
import io.millrace.api.UniqueKey;
import java.time.Duration;
import java.util.List;

/** The example of the guide for unique keys: mails that must not go out twice. */
final class UniqueMails {

  private UniqueMails() {}

  /** Asks for a mail of each kind to the address; returns how each was taken up. */
  static List<Enqueued> enqueue(JobQueue mail, String to) {
    byte[] text = ("Hello, " + to).getBytes(UTF_8);
    // region unique
    Enqueued welcome = // at most one that is not finished: the one that is there stays
        mail.enqueue(text, EnqueueOptions.DEFAULT.unique("welcome:" + to));
    if (welcome.isDuplicate()) {
      System.out.println("is under way: " + welcome.jobId());
    }

    UniqueKey digest = UniqueKey.of("digest:" + to).replace(); // the newest wins while it waits
    Enqueued newest =
        mail.enqueue(text, EnqueueOptions.DEFAULT.unique(digest).delay(Duration.ofMinutes(10)));

    UniqueKey refresh = UniqueKey.of("refresh:" + to).untilStarted(); // one waits, one may run
    Enqueued next = mail.enqueue(text, EnqueueOptions.DEFAULT.unique(refresh));

    UniqueKey reset = UniqueKey.of("reset:" + to).within(Duration.ofHours(1)); // at most hourly
    Enqueued hourly = mail.enqueue(text, EnqueueOptions.DEFAULT.unique(reset));
    // endregion
    return List.of(welcome, newest, next, hourly);
  }
}
