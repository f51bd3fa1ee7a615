package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.StoreFixture;
import io.millrace.spi.testkit.fault.CrashStateContractTest;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.SystemCallTrace.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@link CrashStateContractTest} on the data file and the watermark. */
abstract class LmdbCrashStates extends CrashStateContractTest {

  private static final String WATERMARK = "WATERMARK";
  private static final String HEADER = "MILLRACE";

  LmdbCrashStates(StoreFixture fixture) {
    super(fixture);
  }

  @Override
  protected List<Path> tracedFiles(Path store) {
    return List.of(store.resolve(DataFile.FILE_NAME), store.resolve(WATERMARK));
  }

  /** Before the data file there is nothing but what StoreFolder made, in its own order. */
  @Override
  protected boolean isBegin(Event event, boolean isAnswer) {
    return event.file().equals(DataFile.FILE_NAME);
  }

  @Override
  protected boolean isKept(Path file) {
    return file.endsWith(HEADER);
  }

  @Override
  protected boolean canReopen() {
    return true;
  }

  @Test
  void open_newStore_makesNamesDurableBeforeItAnswers() throws IOException {
    Machine.require("strace");
    Path traced = folder.resolve("traced");

    List<Event> all = trace(traced, List.of(), traced, folder, traced.resolve(HEADER + ".tmp"));

    List<String> events =
        all.stream()
            .takeWhile(event -> !isAnswer(event))
            .map(event -> event.kind() + " " + event.file())
            .toList();
    String syncParent = "FLUSH " + folder.getFileName();
    String syncFolder = "FLUSH " + traced.getFileName();
    assertThat(events).startsWith(syncParent);
    assertThat(events)
        .containsSubsequence(
            Stream.of(
                    List.of("WRITE " + WATERMARK, "FLUSH " + WATERMARK, syncFolder),
                    List.of("WRITE " + HEADER + ".tmp", "FLUSH " + HEADER + ".tmp", syncFolder),
                    List.of("WRITE " + DataFile.FILE_NAME, "FLUSH " + DataFile.FILE_NAME),
                    List.of(syncFolder, "WRITE " + WATERMARK, "FLUSH " + WATERMARK))
                .flatMap(List::stream)
                .toList());
  }
}
