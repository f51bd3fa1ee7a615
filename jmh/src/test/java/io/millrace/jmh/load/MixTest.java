package io.millrace.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.Queues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MixTest {

  private static final int PRODUCER_COUNT = 8;

  @Test
  void of_jobsOfTwoProducers_haveNoKeyInCommon() {
    Mix mix = keyed(1_000);

    Set<String> keys = keys(mix, 0);

    assertThat(keys).hasSize(125).doesNotContainAnyElementsOf(keys(mix, 1));
  }

  @Test
  void of_jobsOfAllProducers_haveAllKeys() {
    Mix mix = keyed(10);

    Set<String> keys =
        IntStream.range(0, PRODUCER_COUNT)
            .mapToObj(producer -> keys(mix, producer))
            .flatMap(Set::stream)
            .collect(Collectors.toSet());

    assertThat(keys).hasSize(10);
  }

  @Test
  void of_jobsOfMoreProducersThanKeys_haveOneOfTheKeys() {
    Mix mix = keyed(3);

    Set<String> keys =
        IntStream.rangeClosed(0, PRODUCER_COUNT) // the last one makes the backlog
            .mapToObj(producer -> keys(mix, producer))
            .flatMap(Set::stream)
            .collect(Collectors.toSet());

    assertThat(keys).hasSize(3);
  }

  private static Set<String> keys(Mix mix, int producer) {
    Payloads payloads = new Payloads(16, producer);
    byte[] payload = payloads.allocate(1).get(0);
    return LongStream.range(0, 2_000)
        .mapToObj(
            sequence -> {
              payloads.fill(payload, (long) producer << 40 | sequence, 0);
              return mix.of(payload).concurrencyKey().orElseThrow();
            })
        .collect(Collectors.toSet());
  }

  private static Mix keyed(int keyCount) {
    LoadOptions options =
        new LoadOptions(
            Workload.KEYED,
            "memory",
            Durability.SYNCED,
            new Callers(PRODUCER_COUNT, 1, 1, 0),
            16,
            0,
            Queues.withKeys(keyCount),
            new LoadOptions.Timing(Duration.ofSeconds(1), 1, 0),
            Path.of("."));
    return new Mix(options, Optional.empty());
  }
}
