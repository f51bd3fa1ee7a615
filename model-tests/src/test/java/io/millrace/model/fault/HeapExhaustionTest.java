package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that is used up while an engine works: it may refuse, but neither lie nor fall silent. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class HeapExhaustionTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void memory_isUsedUpAgainAndAgain_everyCallEndsAndNothingAcknowledgedIsLost(String scheme)
      throws IOException {
    int seconds = Trials.count("heap.seconds", 2, 5, 300);

    FaultProcess.Findings findings;
    try (FaultProcess process =
        FaultProcess.start(
            List.of(), Map.of(), HeapWorker.class, scheme + ":" + folder.resolve("s"), seconds)) {
      findings = process.findings();
    }

    assertThat(findings.violations()).isEmpty();
    Trials.report(getClass(), scheme + ": " + findings.tried().get(0));
  }
}
