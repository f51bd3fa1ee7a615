package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a process says of its engines at the level INFO and above: a line for each thing that an
 * operator wants to know, and nothing of ordinary work.
 */
@Tag("slow")
class EngineLogTest {

  private static final List<String> FLAGS =
      List.of(
          "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
          "-Dorg.slf4j.simpleLogger.showThreadName=false",
          "-Dorg.slf4j.simpleLogger.showLogName=false");

  /** All lines of the process, without what is another each time. */
  private static List<String> told(Class<?> life) throws IOException {
    List<String> told = new ArrayList<>();
    FaultProcess.World world = new FaultProcess.World(List.of(), Map.of(), FLAGS);
    try (FaultProcess process = FaultProcess.start(world, life)) {
      for (String line = process.line(); !line.equals("done"); line = process.line()) {
        if (line.matches("(INFO|WARN|ERROR) .*")) {
          told.add(
              line.replaceAll("QueueSettings\\[.*", "...")
                  .replaceAll("=[0-9a-f]{32}", "=ID")
                  .replaceAll("within \\d+ s", "within N s"));
        }
      }
    }
    return told;
  }

  @Test
  void crashesAndFailuresThatATestWants_areNoErrors() throws IOException {
    List<String> told = told(StagedLife.class);

    assertThat(told).noneMatch(line -> line.startsWith("ERROR"));
    assertThat(told).filteredOn(line -> line.startsWith("INFO engine was reopened")).hasSize(5);
  }

  @Test
  void life_withAllThatMayHappen_isALineForEach() throws IOException {
    List<String> told = told(LoggedLife.class);

    // Written by a thread of its own: beside others, but once.
    String lost =
        "INFO attempt was lost, and the job is tried again: process ended: queue=mail?INFO forged,"
            + " type=mail?INFO forged, job=ID, worker=w1, attempt=1/20";
    assertThat(told).contains(lost);
    told.remove(lost);
    assertThat(told)
        .containsExactly(
            "INFO engine was opened: location=faulty:/jobs, epoch=1, last stop=CLEAN, leases taken"
                + " back=0, leases honoured=0, jobs ready=0",
            "INFO paused: queue=mail?INFO forged",
            "INFO resumed: queue=mail?INFO forged",
            "INFO configured: queue=mail?INFO forged, ...",
            "INFO drain: queue=mail?INFO forged, outcome=DRAINING, waited at most=PT0S",
            "INFO drain ended: queue=mail?INFO forged",
            "ERROR engine is poisoned: what is stored is unknown until it is reopened",
            "INFO engine was closed: location=faulty:/jobs, stop=unclean",
            "INFO engine was opened: location=faulty:/jobs, epoch=2, last stop=UNCLEAN, leases"
                + " taken back=1, leases honoured=0, jobs ready=2",
            "INFO purged: queue=mail?INFO forged, chosen=[DELAYED, DEAD], jobs=1",
            "INFO deleted: queue=mail?INFO forged, there=true",
            "INFO engine was closed: location=faulty:/jobs, stop=clean",
            "INFO engine was opened: location=faulty:/jobs, epoch=3, last stop=CLEAN, leases taken"
                + " back=0, leases honoured=0, jobs ready=0",
            "WARN store is full: only what frees something is carried out until there is room",
            "INFO store has room again",
            "ERROR engine is poisoned: what is stored is unknown until it is reopened",
            "INFO engine was reopened: location=faulty:/jobs, epoch=4, last stop=UNCLEAN, leases"
                + " taken back=0, leases honoured=0, jobs ready=1",
            "ERROR engine is poisoned: what is stored is unknown until it is reopened",
            "INFO purged in part: queue=mail, chosen=[READY, DELAYED], jobs=1",
            "INFO engine was reopened: location=faulty:/jobs, epoch=5, last stop=UNCLEAN, leases"
                + " taken back=0, leases honoured=0, jobs ready=0",
            "INFO engine was closed: location=faulty:/jobs, stop=clean",
            "INFO engine was opened: location=faulty:/jobs, epoch=6, last stop=CLEAN, leases taken"
                + " back=0, leases honoured=0, jobs ready=0",
            "WARN jobs are ready and nobody claims them: queues=[mail?INFO forged], count=1; run a"
                + " worker that has handlers for their types, for all tenants perhaps, or pause or"
                + " delete the queues",
            "INFO jobs that nobody claimed are claimed by now, or gone",
            "INFO engine was closed: location=faulty:/jobs, stop=clean",
            "INFO engine was opened: location=faulty:/jobs, epoch=7, last stop=CLEAN, leases taken"
                + " back=0, leases honoured=0, jobs ready=0",
            "WARN job died: lease expired: queue=mail?INFO forged, type=mail?INFO forged, job=ID,"
                + " worker=w1, attempt=1/1",
            "WARN and 99 like it within N s: job died: lease expired: type=mail?INFO forged,"
                + " last=ID",
            "INFO attempt was lost, and the job is tried again: lease expired:"
                + " queue=mail?INFO forged, type=mail?INFO forged, job=ID, worker=w2, attempt=1/2",
            "INFO engine was closed: location=faulty:/jobs, stop=clean");
  }
}
