package io.millrace.model.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.TableRange;
import io.millrace.api.VerifyReport;
import io.millrace.client.RemoteQueues;
import io.millrace.engine.JobEngine;
import io.millrace.model.crash.Journal.Line;
import io.millrace.model.crash.RemoteCheck.Outage;
import io.millrace.model.rig.Await;
import io.millrace.spi.testkit.fault.CutProxy;
import io.millrace.spi.testkit.fault.CutProxy.End;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server, its clients and the network between them, all of which fail at random. */
final class RemoteRig implements AutoCloseable {

  private static final int CLIENT_COUNT = 2;
  private static final int DRAIN_S_MAX = 120;
  private static final int DOWN_MS_MAX = 500;
  private static final Duration SLOWNESS = Duration.ofMillis(20);

  /** What fails. */
  enum Fault {
    SERVER,
    CLIENT,
    NETWORK
  }

  /** How a network fails. */
  private enum Break {
    CUT,
    RESET,
    SLOW,
    FROZEN,
    FROZEN_THEN_CUT,
    CLIENT_UNAWARE,
    SERVER_UNAWARE
  }

  private final Path folder;
  private final Random random;
  private final int breakMsMax;
  private final int leaseMs;
  private final String location;
  private final List<Victim> clients = new ArrayList<>();
  private final List<Path> journals = new ArrayList<>();
  private final List<Outage> outages = new ArrayList<>();
  private final Map<Break, Integer> breaks = new EnumMap<>(Break.class);
  private final List<Line> lines = new ArrayList<>();
  private Victim server;
  private int serverPort;
  private final CutProxy network;

  /**
   * Starts all of them, and waits until jobs are worked on.
   *
   * @param breakMsMax how long the network is slow or silent at the most
   * @param leaseMs how long leases last
   */
  RemoteRig(Path folder, Random random, int breakMsMax, int leaseMs) throws IOException {
    this.folder = folder;
    this.random = random;
    this.breakMsMax = breakMsMax;
    this.leaseMs = leaseMs;
    this.location = "lmdb:" + folder.resolve("store");
    startServer();
    network = new CutProxy(serverPort);
    for (int i = 0; i < CLIENT_COUNT; i++) {
      clients.add(newClient());
    }
    for (Victim client : clients) {
      assertThat(client.answer()).isEqualTo("working");
    }
  }

  /** Starts a server; the time from which on it has the store. */
  private long startServer() throws IOException {
    server = Victim.start(RemoteServer.class, location);
    String[] answer = server.answer().split(" ");
    serverPort = Integer.parseInt(answer[0]);
    return Long.parseLong(answer[1]);
  }

  private Victim newClient() throws IOException {
    String life = "life" + journals.size();
    Path journal = folder.resolve(life);
    journals.add(journal);
    return Victim.start(
        RemoteClient.class,
        Integer.toString(network.port()),
        journal.toString(),
        life,
        Long.toString(random.nextLong()),
        Integer.toString(leaseMs));
  }

  static void pause(int ms) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  void strike(Fault fault) throws IOException {
    switch (fault) {
      case SERVER -> killServer();
      case CLIENT -> {
        int index = random.nextInt(CLIENT_COUNT);
        clients.get(index).kill();
        clients.set(index, newClient());
      }
      case NETWORK -> breakNetwork(Break.values()[random.nextInt(Break.values().length)]);
    }
  }

  private void killServer() throws IOException {
    long fromUs = Journal.nowUs();
    long deadUs = server.kill();
    pause(random.nextInt(DOWN_MS_MAX));
    outages.add(new Outage(fromUs, deadUs, startServer()));
    network.serverPort(serverPort);
  }

  private void breakNetwork(Break how) {
    breaks.merge(how, 1, Integer::sum);
    switch (how) {
      case CUT -> {}
      case RESET -> network.reset();
      case SLOW -> network.delay(SLOWNESS);
      case FROZEN, FROZEN_THEN_CUT -> network.freeze(true);
      case CLIENT_UNAWARE -> network.halfOpen(End.CLIENT);
      case SERVER_UNAWARE -> network.halfOpen(End.SERVER);
    }
    if (how.compareTo(Break.RESET) > 0) {
      pause(random.nextInt(breakMsMax));
    }
    if (how != Break.SLOW && how != Break.FROZEN) {
      network.cut();
    }
    network.delay(Duration.ZERO);
    network.freeze(false);
  }

  /** Lets all jobs be worked off, ends all processes, and says what was found. */
  Findings end() throws IOException {
    for (Victim client : clients) {
      client.tell(RemoteClient.DRAIN);
    }
    // Of one that has only been started there may be no job yet.
    for (Victim client : clients) {
      awaitDraining(client);
    }
    try (RemoteQueues queues = RemoteQueues.connect("millrace://127.0.0.1:" + serverPort)) {
      // A lease that nobody ends would be in the way.
      Await.until("no job is left", () -> jobCount(queues) == 0, DRAIN_S_MAX);
    }
    for (Victim client : clients) {
      assertThat(client.stop()).isZero();
    }
    assertThat(server.stop()).isZero();
    for (Path journal : journals) {
      lines.addAll(Journal.read(journal));
    }
    try (JobEngine engine = JobEngine.open(location)) {
      Findings findings =
          RemoteCheck.check(
              lines,
              outages,
              TimeUnit.MILLISECONDS.toMicros(leaseMs),
              rows(engine, RemoteClient.MADE),
              rows(engine, RemoteClient.DONE));
      VerifyReport report = engine.verify();
      if (!report.isClean()) {
        findings.add(Finding.VERIFY_PROBLEM, report.toString());
      }
      if (jobCount(engine) > 0) {
        findings.add(Finding.STRANDED, engine.stats(RemoteClient.QUEUE).toString());
      }
      return findings;
    }
  }

  private static void awaitDraining(Victim client) throws IOException {
    String answer = client.answer();
    if (answer.equals("working")) { // of one that was started later, which says so once
      answer = client.answer();
    }
    assertThat(answer).isEqualTo(RemoteClient.DRAINING);
  }

  private static long jobCount(JobQueues queues) {
    return queues.queue(RemoteClient.QUEUE).stats().stream()
        .mapToLong(stats -> List.of(JobState.values()).stream().mapToLong(stats::count).sum())
        .sum();
  }

  private static Map<String, Long> rows(JobEngine engine, String table) {
    Map<String, Long> rows = new HashMap<>();
    Page.stream(page -> RemoteClient.counts(engine, table).scan(TableRange.all(), page))
        .forEach(row -> rows.put(row.key(), row.value()));
    return rows;
  }

  /** How often the network failed in which way. */
  String breaks() {
    return breaks.toString();
  }

  /** Everything that was written down, for whoever looks into a violation. */
  List<String> text() {
    List<String> text = new ArrayList<>(outages.stream().map(Outage::toString).toList());
    lines.forEach(line -> text.add(line.text()));
    return text;
  }

  @Override
  public void close() {
    clients.forEach(Victim::close);
    server.close();
    network.close();
  }
}
