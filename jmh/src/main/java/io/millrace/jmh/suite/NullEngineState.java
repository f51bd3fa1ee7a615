package io.millrace.jmh.suite;

import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueue;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** An engine on a {@link NullStore}, one for all threads of a benchmark. */
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields, in Setup.
public class NullEngineState {

  JobEngine engine;
  JobQueue queue;

  @Setup(Level.Trial)
  public void open() {
    engine =
        JobEngine.open(
            NullStore.FACTORY, StoreOptions.of(Path.of("nothing")), EngineOptions.DEFAULT);
    queue = engine.queue("load");
  }

  @TearDown(Level.Trial)
  public void close() {
    engine.close();
  }
}
