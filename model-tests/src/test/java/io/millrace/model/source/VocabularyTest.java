package io.millrace.model.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobEnd;
import io.millrace.api.JobEvent;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.engine.JobEngine;
import io.millrace.management.JobEngineMBean;
import io.millrace.worker.JobRunEnd;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

/** What happens to jobs, and the states that they are in, have one name each, wherever told. */
class VocabularyTest {

  /** Counted one by one, and one event to listeners. */
  private static final Set<String> REMOVALS = Set.of("DELETED", "SWEPT", "PURGED");

  private static final Set<String> EVENTS = names(JobEvent.Kind.values());
  private static final Pattern OUTCOMES = Pattern.compile("(?m)^\\| (`[A-Z_`, ]+`) \\|");
  private static final Pattern RECORDED =
      Pattern.compile("(?m)^\\| `io\\.millrace\\.Job(\\w+)` \\|");

  private static Set<String> names(Enum<?>[] values) {
    return Arrays.stream(values).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names of its kinds, as constants would be written. */
  private static Set<String> kinds(Class<?> sealed) {
    return Arrays.stream(sealed.getPermittedSubclasses())
        .map(kind -> kind.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_"))
        .map(name -> name.toUpperCase(Locale.ROOT))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> without(Set<String> all, String... others) {
    Set<String> left = new TreeSet<>(all);
    left.removeAll(Set.of(others));
    return left;
  }

  @Test
  void totals_areCountsOfEvents() {
    Set<String> totals = names(QueueStats.Total.values());

    assertThat(totals).containsAll(REMOVALS);
    totals.removeAll(REMOVALS);
    assertThat(totals).isEqualTo(without(EVENTS, "REMOVED"));
  }

  @Test
  void states_areNamesOfNoEvent() {
    assertThat(names(JobState.values())).doesNotContainAnyElementsOf(EVENTS);
  }

  @Test
  void endsOfRunsFailuresAndWaits_areEvents() {
    assertThat(without(names(JobRunEnd.Outcome.values()), "LOST", "UNKNOWN")).isSubsetOf(EVENTS);
    assertThat(without(kinds(FailResult.class), "STALE_LEASE", "GONE")).isSubsetOf(EVENTS);
    assertThat(without(kinds(JobEnd.class), "GONE")).isSubsetOf(EVENTS);
  }

  @Test
  void recordedEvents_haveTheNamesOfTotals() throws IOException {
    String page = Files.readString(Path.of("../docs/job-events.md"));
    Set<String> totals = names(QueueStats.Total.values());

    assertThat(found(RECORDED, page)).containsExactlyInAnyOrder("ENQUEUED", "CLAIMED", "ENDED");
    assertThat(without(found(OUTCOMES, page), "QUEUE_DELETED"))
        .isSubsetOf(totals)
        .containsAll(REMOVALS)
        .contains("COMPLETED", "DIED", "DROPPED");
    assertThat(page).contains("`QUEUE_DELETED`");
  }

  private static Set<String> found(Pattern pattern, String page) {
    return pattern
        .matcher(page)
        .results()
        .flatMap(row -> Stream.of(row.group(1).split("[`, ]+")))
        .filter(name -> !name.isEmpty())
        .map(name -> name.toUpperCase(Locale.ROOT))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void jmx_hasTheNamesOfStatesAndTotals() throws Exception {
    EngineOptions options = EngineOptions.DEFAULT.name("vocabulary");
    try (JobEngine engine = JobEngine.open("memory:vocabulary", options)) {
      engine.queue("mail").enqueue(new byte[1]);
      ObjectName name =
          new ObjectName(
              JobEngineMBean.DOMAIN
                  + ":type="
                  + JobEngineMBean.TYPE
                  + ",name="
                  + ObjectName.quote("vocabulary"));
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      awaitRegistered(server, name);
      JobEngineMBean bean = JMX.newMBeanProxy(server, name, JobEngineMBean.class);
      CompositeData queue = bean.queue("mail", QueueName.of("mail").tenant());

      assertThat(queue).isNotNull();
      assertThat(keys(queue, "counts")).isEqualTo(names(JobState.values()));
      assertThat(keys(queue, "totals")).isEqualTo(names(QueueStats.Total.values()));
      assertThat(keys(bean.getMetrics(), "operations"))
          .contains("ENQUEUED")
          .isSubsetOf(names(QueueStats.Total.values()));
    }
  }

  /** An engine is seen shortly after it was opened. */
  private static void awaitRegistered(MBeanServer server, ObjectName name) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!server.isRegistered(name) && System.nanoTime() - endNs < 0) {
      Thread.onSpinWait();
    }
  }

  private static Set<String> keys(CompositeData data, String item) {
    return ((TabularData) data.get(item))
        .values().stream()
            .map(row -> (String) ((CompositeData) row).get("key"))
            .collect(Collectors.toCollection(TreeSet::new));
  }
}
