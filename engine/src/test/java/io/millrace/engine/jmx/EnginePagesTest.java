package io.millrace.engine.jmx;

import static io.millrace.describe.OpenData.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.TableRow;
import io.millrace.describe.Description;
import io.millrace.describe.Descriptions;
import io.millrace.engine.JobEngine;
import io.millrace.management.JobEngineMBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages as large as a tool asks for. */
class EnginePagesTest {

  private static final Map<String, String> ALL = Map.of();

  private final JobEngine engine =
      JobEngine.open(
          "memory:pages", EngineOptions.DEFAULT.management(EngineOptions.Management.OFF));
  private final JobEngineMBean bean =
      new EngineBean(
          new EngineAccess(
              new EngineAccess.Label("pages", "memory", "pages"),
              engine,
              engine::metrics,
              engine::health,
              engine::reopen,
              engine::backup));

  @AfterEach
  void close() {
    engine.close();
  }

  /** Returns the sizes of all pages of a list, and adds what is on them. */
  private static <T> List<Integer> sizes(
      Description<Page<T>> description,
      Function<@Nullable String, CompositeData> list,
      List<T> items) {
    List<Integer> sizes = new ArrayList<>();
    @Nullable String cursor = null;
    do {
      Page<T> page = read(description, list.apply(cursor));
      sizes.add(page.items().size());
      items.addAll(page.items());
      cursor = page.next().orElse(null);
    } while (cursor != null);
    return sizes;
  }

  @Test
  void queueStats_ofASize_areTheFiguresOfAllQueues() {
    for (String queue : List.of("a", "b", "c")) {
      engine.queue(queue, "acme").enqueue(new byte[0]);
    }
    List<QueueStats> queues = new ArrayList<>();

    List<Integer> sizes =
        sizes(Descriptions.QUEUE_STATS, cursor -> bean.queueStats(2, cursor), queues);

    assertThat(sizes).startsWith(2, 1);
    assertThat(queues)
        .extracting(QueueStats::queue)
        .containsExactly(
            new QueueName("a", "acme"), new QueueName("b", "acme"), new QueueName("c", "acme"));
    assertThat(queues).allMatch(queue -> queue.count(JobState.READY) == 1);
  }

  @Test
  void lists_ofASize_goOnWhereThePageBeforeEnded() {
    for (int i = 0; i < 3; i++) {
      engine.queue("mail").enqueue(new byte[] {1});
      Batch.of("batch " + i).start(engine);
      engine.table("stock" + i, Codec.TEXT, Codec.TEXT).put("tea", "12");
      engine.table("stock0", Codec.TEXT, Codec.TEXT).put("tea " + i, "12");
    }
    List<Job> jobs = new ArrayList<>();
    List<String> tables = new ArrayList<>();
    List<TableRow<byte[], byte[]>> rows = new ArrayList<>();

    assertThat(sizes(Descriptions.JOBS, cursor -> bean.list(ALL, 2, cursor), jobs))
        .containsExactly(2, 1);
    assertThat(sizes(Descriptions.BATCHES, cursor -> bean.batches(2, cursor), new ArrayList<>()))
        .containsExactly(2, 1);
    assertThat(sizes(Descriptions.TABLES, cursor -> bean.tables(1, cursor), tables))
        .startsWith(1, 1, 1);
    assertThat(
            sizes(
                Descriptions.TABLE_ROWS,
                cursor -> bean.tableRows("stock0", Codec.TEXT.encode("tea"), 3, cursor),
                rows))
        .containsExactly(3, 1);
    assertThat(jobs).allMatch(job -> job.payload().length == 1);
    assertThat(tables).containsExactly("stock0", "stock1", "stock2");
  }

  @Test
  void jobHeads_ofJobsWithBytes_areTheJobsWithoutThem() {
    engine
        .queue("mail")
        .enqueue(new byte[1_000], EnqueueOptions.DEFAULT.type("welcome").header("to", "Ada"));
    Lease lease = engine.queue("mail").claim(ClaimOptions.by("w1")).get(0);
    lease.checkpoint(new byte[1_000]).orThrow();
    lease.fail("mailbox is full", FailOptions.PERMANENT).orThrow();
    JobId id = lease.jobId();

    Job head = read(Descriptions.JOB_HEADS, bean.jobHeads(ALL, 20, null)).items().get(0);

    Job whole = engine.list(JobFilter.ALL, PageRequest.first(1)).items().get(0);
    assertThat(whole.payload()).hasSize(1_000);
    assertThat(whole.checkpointed()).isPresent();
    assertThat(head.id()).isEqualTo(id);
    assertThat(head.type()).isEqualTo("welcome");
    assertThat(head.headers()).isEqualTo(Map.of("to", "Ada"));
    assertThat(head.lastError()).contains("mailbox is full");
    assertThat(head.diedAt()).isPresent();
    assertThat(head.payload()).isEmpty();
    assertThat(head.checkpointed()).isEmpty();
    assertThat(head.result()).isEmpty();
    assertThat(read(Descriptions.JOB_HEADS, bean.jobHeads(Map.of("type", "bye"), 20, null)).items())
        .isEmpty();
  }

  @Test
  void sizes_outOfTheirRange_areRefused() {
    assertThatThrownBy(() -> bean.jobHeads(ALL, 21, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("size", "21", "20");
    assertThatThrownBy(() -> bean.list(ALL, 0, null)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bean.tableRows("t", new byte[0], 21, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bean.queueStats(201, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bean.tables(201, null)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> bean.batches(0, null)).isInstanceOf(IllegalArgumentException.class);
  }
}
