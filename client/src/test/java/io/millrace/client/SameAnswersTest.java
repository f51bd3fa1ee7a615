package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobQueues;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.Protocol;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Queues of a server answer, refuse and fail as those of an engine in this process do. */
@Timeout(60)
class SameAnswersTest {

  /** A history of calls, the same with each engine that begins with an empty store. */
  interface Script {
    void run(JobQueues queues, Told told);
  }

  static final Map<String, Script> ALL = new LinkedHashMap<>();

  static {
    ALL.putAll(ReadScripts.ALL);
    ALL.putAll(QueueScripts.ALL);
    ALL.putAll(LeaseScripts.ALL);
    ALL.putAll(JobScripts.ALL);
    ALL.putAll(TableScripts.ALL);
    ALL.putAll(TransactionScripts.ALL);
    ALL.putAll(TransactionLeaseScripts.ALL);
    ALL.putAll(ListenScripts.ALL);
    ALL.putAll(NotedScripts.ALL);
  }

  static Set<String> scripts() {
    return ALL.keySet();
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void calls_ofTheSameHistory_haveTheSameAnswers(String name) {
    Script script = ALL.get(name);
    Told here = new Told();
    Told there = new Told();

    try (JobEngine engine = JobEngine.open("memory:here-" + UUID.randomUUID())) {
      script.run(engine, here);
    }
    try (Served served = new Served()) {
      script.run(served.queues(), there);
    }

    assertThat(there.lines()).isNotEmpty().containsExactlyElementsOf(here.lines());
  }

  @Test
  void scripts_together_makeEveryCallOfTheProtocol() {
    Set<String> all = new TreeSet<>();
    Protocol.operations().forEach(operation -> all.add(operation.name()));
    Set<String> made = new TreeSet<>();

    for (Script script : ALL.values()) {
      try (Served served = new Served()) {
        script.run(served.queues(), new Told());
        made.addAll(served.calls().made());
      }
    }
    try (Served served = new Served()) {
      assertThat(served.queues().metrics().ringSize())
          .isEqualTo(served.engine().metrics().ringSize());
      assertThat(served.queues().clients()).isEmpty();
      made.addAll(served.calls().made());
    }

    assertThat(made).isEqualTo(all);
  }
}
