package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ByHandTest {

  private static final QueueName MAIL = QueueName.of("mail");

  private final List<String> sent = new ArrayList<>();

  @TempDir private Path folder;

  @Test
  void run_onLmdb_sendsTheUrgentMailFirstAndLeavesNothing() {
    String location = "lmdb:" + folder.resolve("jobs");

    ByHand.run(location, sent::add, () -> sent.size() < 2);

    assertThat(sent).containsExactly("Urgent!", "Hello, Ada");
    assertThat(count(location, JobState.READY)).isZero();
    assertThat(count(location, JobState.LEASED)).isZero();
  }

  @Test
  void run_inMemory_sendsTheUrgentMailFirst() {
    String location = "memory:by-hand";

    ByHand.run(location, sent::add, () -> sent.size() < 2);

    assertThat(sent).containsExactly("Urgent!", "Hello, Ada");
  }

  @Test
  void run_withFailingMailer_keepsBothJobsForALaterAttempt() {
    String location = "lmdb:" + folder.resolve("jobs");

    ByHand.run(location, this::refuse, () -> sent.size() < 2);

    assertThat(count(location, JobState.DELAYED)).isEqualTo(2);
    assertThat(count(location, JobState.LEASED)).isZero();
  }

  private void refuse(String text) throws IOException {
    sent.add(text);
    throw new IOException("no connection: text=" + text);
  }

  private static long count(String location, JobState state) {
    try (JobReader reader = JobEngine.inspect(location)) {
      return reader.stats(MAIL).map((QueueStats stats) -> stats.count(state)).orElseThrow();
    }
  }
}
