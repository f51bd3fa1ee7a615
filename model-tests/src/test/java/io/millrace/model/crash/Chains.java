package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.engine.JobEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Chains of jobs that go from queue to queue: each job is completed with a note of its link, and
 * the next one is enqueued, in one transaction. So whatever happens, a chain that is not at its end
 * has one job, in the queue of its next link.
 */
public final class Chains {

  private static final int LINK_COUNT = 5;

  private static final List<QueueName> QUEUES =
      IntStream.range(0, LINK_COUNT).mapToObj(link -> QueueName.of("link-" + link)).toList();

  private final JobEngine engine;
  private final Table<String, String> links;

  public Chains(JobEngine engine) {
    this.engine = engine;
    this.links = engine.table("links", Codec.TEXT, Codec.TEXT);
  }

  /** Makes the next link of a chain, or begins one if there is none; answers which it made. */
  public Optional<String> goOnOrBegin(String worker) {
    Optional<String> made = goOn(worker);
    if (made.isEmpty()) {
      engine.queue(QUEUES.get(0)).enqueue(new byte[0]);
    }
    return made;
  }

  /** Makes the next link of a chain, if there is one; answers which. */
  public Optional<String> goOn(String worker) {
    List<Lease> leases = engine.claim(QUEUES, ClaimOptions.by(worker).max(1));
    return leases.stream().findFirst().map(this::link);
  }

  private String link(Lease lease) {
    String chain = chain(lease.jobId(), lease.payload());
    int link = QUEUES.indexOf(lease.queue());
    String made = name(chain, link);
    engine
        .inTransaction(
            tx -> {
              if (tx.get(links, made).isPresent()) {
                throw new IllegalStateException("link is made already: " + made);
              }
              tx.put(links, made, lease.jobId().toString());
              if (link + 1 < LINK_COUNT) {
                tx.enqueue(QUEUES.get(link + 1), chain.getBytes(UTF_8));
              }
              tx.complete(lease);
            })
        .orThrow();
    return made;
  }

  /** A chain is named after its first job. */
  private static String chain(JobId id, byte[] payload) {
    return payload.length == 0 ? id.toString() : new String(payload, UTF_8);
  }

  private static String name(String chain, int link) {
    return chain + "/" + link;
  }

  /** What does not agree. */
  public List<String> flaws(Set<String> acknowledged) {
    List<String> flaws = new ArrayList<>();
    Map<String, String> made = Rows.of(links);
    Map<String, Integer> lengths = new TreeMap<>();
    made.keySet().forEach(link -> lengths.merge(link.split("/")[0], 1, Integer::sum));
    lengths.forEach(
        (chain, length) -> {
          for (int link = 0; link < length; link++) {
            if (!made.containsKey(name(chain, link))) {
              flaws.add("a link is left out: " + name(chain, link) + " of " + length);
            }
          }
        });
    Map<String, Integer> next = new TreeMap<>();
    for (QueueName queue : QUEUES) {
      for (JobState state : List.of(JobState.READY, JobState.LEASED, JobState.DELAYED)) {
        Rows.jobs(engine.queue(queue), state)
            .forEach(
                job -> {
                  String chain = chain(job.id(), job.payload());
                  if (next.put(chain, QUEUES.indexOf(queue)) != null) {
                    flaws.add("chain has two jobs: " + chain);
                  }
                });
      }
    }
    next.forEach(
        (chain, link) -> {
          if (!lengths.getOrDefault(chain, 0).equals(link)) {
            flaws.add("chain of " + lengths.get(chain) + " links goes on with " + link);
          }
        });
    lengths.forEach(
        (chain, length) -> {
          if (length < LINK_COUNT && !next.containsKey(chain)) {
            flaws.add("chain of " + length + " links has no job: " + chain);
          }
        });
    acknowledged.stream()
        .filter(link -> !made.containsKey(link))
        .forEach(link -> flaws.add("a link that was made is gone: " + link));
    return flaws;
  }
}
