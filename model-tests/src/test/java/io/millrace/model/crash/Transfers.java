package io.millrace.model.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.api.VerifyReport;
import io.millrace.engine.JobEngine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Money that is moved between ten accounts, one job a transfer: each job is made with a note of it,
 * and applied with its completion, another note and a job that tells of it, in one transaction
 * each. So whatever happens, the notes, the accounts and the jobs agree.
 */
public final class Transfers {

  private static final int ACCOUNT_COUNT = 10;
  private static final long START = 1_000;
  private static final QueueName TOLD = QueueName.of("told");

  private final JobEngine engine;
  private final JobQueue transfers;
  private final Table<Long, Long> accounts;
  private final Table<String, byte[]> issued;
  private final Table<String, byte[]> applied;

  public Transfers(JobEngine engine) {
    this.engine = engine;
    this.transfers = engine.queue("transfers");
    this.accounts = engine.table("accounts", Codec.LONG, Codec.LONG);
    this.issued = engine.table("issued", Codec.TEXT, Codec.BYTES);
    this.applied = engine.table("applied", Codec.TEXT, Codec.BYTES);
  }

  /** So much from one account to another. */
  private record Transfer(long from, long to, long amount) {

    static Transfer of(byte[] bytes) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new Transfer(buffer.getLong(), buffer.getLong(), buffer.getLong());
    }

    byte[] bytes() {
      return ByteBuffer.allocate(24).putLong(from).putLong(to).putLong(amount).array();
    }
  }

  /** One more transfer is to be made. */
  public JobId issue(RandomGenerator random) {
    long from = random.nextInt(ACCOUNT_COUNT);
    long to = (from + 1 + random.nextInt(ACCOUNT_COUNT - 1)) % ACCOUNT_COUNT;
    byte[] transfer = new Transfer(from, to, random.nextInt(100)).bytes();
    return engine
        .transact(
            tx -> {
              JobId id = tx.enqueue(transfers.name(), transfer);
              tx.put(issued, id.toString(), transfer);
              return id;
            })
        .orThrow();
  }

  /** Makes the next transfer, if there is one. */
  public Optional<JobId> applyNext(String worker) {
    Optional<Lease> lease = transfers.claim(ClaimOptions.by(worker)).stream().findFirst();
    lease.ifPresent(this::apply);
    return lease.map(Lease::jobId);
  }

  private void apply(Lease lease) {
    Transfer transfer = Transfer.of(lease.payload());
    String id = lease.jobId().toString();
    engine
        .inTransaction(
            tx -> {
              if (tx.get(applied, id).isPresent()) {
                throw new IllegalStateException("transfer is applied already: job=" + id);
              }
              long from = tx.get(accounts, transfer.from()).orElse(START);
              long to = tx.get(accounts, transfer.to()).orElse(START);
              tx.put(accounts, transfer.from(), from - transfer.amount());
              tx.put(accounts, transfer.to(), to + transfer.amount());
              tx.put(applied, id, lease.payload());
              tx.enqueue(TOLD, id.getBytes(UTF_8));
              tx.complete(lease);
            })
        .orThrow();
  }

  /** What does not agree. */
  public List<String> flaws(Set<String> acknowledged) {
    List<String> flaws = new ArrayList<>();
    VerifyReport report = engine.verify();
    expect(flaws, "the store is sound: " + report, report.problemCount() == 0);
    Map<String, byte[]> made = Rows.of(issued);
    Map<String, byte[]> done = Rows.of(applied);
    Map<Long, Long> right = new HashMap<>();
    for (byte[] bytes : done.values()) {
      Transfer transfer = Transfer.of(bytes);
      right.merge(transfer.from(), -transfer.amount(), Long::sum);
      right.merge(transfer.to(), transfer.amount(), Long::sum);
    }
    long sum = 0;
    for (long account = 0; account < ACCOUNT_COUNT; account++) {
      long there = accounts.get(account).orElse(START);
      long wanted = START + right.getOrDefault(account, 0L);
      expect(flaws, "account " + account + " has " + there + " of " + wanted, there == wanted);
      sum += there;
    }
    expect(flaws, "the sum is " + sum, sum == START * ACCOUNT_COUNT);
    Set<String> waiting = new HashSet<>();
    for (JobState state : List.of(JobState.READY, JobState.LEASED, JobState.DELAYED)) {
      Rows.jobs(transfers, state).forEach(job -> waiting.add(job.id().toString()));
    }
    Set<String> open = new HashSet<>(made.keySet());
    open.removeAll(done.keySet());
    expect(flaws, "each that is not applied has its job: " + open.size(), open.equals(waiting));
    expect(flaws, "none is applied that was not made", made.keySet().containsAll(done.keySet()));
    List<String> told = new ArrayList<>();
    Rows.jobs(engine.queue(TOLD), JobState.READY)
        .forEach(job -> told.add(new String(job.payload(), UTF_8)));
    boolean isToldOnce = told.size() == done.size() && done.keySet().containsAll(told);
    expect(flaws, "each was told of once: " + told.size() + " of " + done.size(), isToldOnce);
    expect(flaws, "all that was said to be done is", done.keySet().containsAll(acknowledged));
    return flaws;
  }

  private static void expect(List<String> flaws, String what, boolean isSo) {
    if (!isSo) {
      flaws.add("not so: " + what);
    }
  }
}
