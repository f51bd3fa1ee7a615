package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.Enqueued.Kind;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import java.util.List;
import org.junit.jupiter.api.Test;

class UniqueMailsTest {

  @Test
  void enqueue_again_eachKindIsTakenUpByItsOwnRule() {
    try (JobEngine engine = JobEngine.open("memory:unique-mails")) {
      JobQueue mail = engine.queue("mail");

      List<Enqueued> first = UniqueMails.enqueue(mail, "ada");
      List<Enqueued> waiting = UniqueMails.enqueue(mail, "ada");
      List<Lease> leases = mail.claim(ClaimOptions.by("worker").max(10));
      List<Enqueued> running = UniqueMails.enqueue(mail, "ada");
      leases.forEach(lease -> lease.complete().orThrow());
      List<Enqueued> done = UniqueMails.enqueue(mail, "ada");

      assertThat(kinds(first)).containsOnly(Kind.NEW);
      assertThat(kinds(waiting))
          .containsExactly(Kind.DUPLICATE, Kind.REPLACED, Kind.DUPLICATE, Kind.DUPLICATE);
      assertThat(leases).hasSize(3);
      assertThat(kinds(running))
          .containsExactly(Kind.DUPLICATE, Kind.REPLACED, Kind.NEW, Kind.DUPLICATE);
      assertThat(kinds(done))
          .containsExactly(Kind.NEW, Kind.REPLACED, Kind.DUPLICATE, Kind.DUPLICATE);
    }
  }

  private static List<Kind> kinds(List<Enqueued> results) {
    return results.stream().map(Enqueued::kind).toList();
  }
}
