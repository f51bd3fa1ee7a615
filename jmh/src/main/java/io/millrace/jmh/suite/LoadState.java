package io.millrace.jmh.suite;

import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.engine.JobEngine;
import io.millrace.jmh.load.RunFolder;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.util.Random;
import java.util.ServiceLoader;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Parameters of all suites on a store on disk: the store, its folder, and the jobs. */
@State(Scope.Benchmark)
@NullUnmarked // JMH sets the fields, or begin does.
public abstract class LoadState {

  @Param({"lmdb", "rocksdb"})
  public String store;

  @Param({"SYNCED", "BUFFERED"})
  public Durability durability;

  @Param({"64", "256", "4096", "65536"})
  public int payloadBytes;

  /** The folder below which the store is written and removed again. */
  @Param({"millrace-bench"})
  public String dir;

  byte[] payload;
  private RunFolder folder;

  /** Makes the folder and the payload. To be called before any other method. */
  final void begin() {
    folder = RunFolder.create(Path.of(dir));
    payload = new byte[payloadBytes];
    new Random(1).nextBytes(payload);
  }

  /** Removes the folder with all that is in it. */
  final void end() {
    folder.close();
  }

  final Path path(String name) {
    return folder.path().resolve(name);
  }

  final StoreFactory factory() {
    return ServiceLoader.load(StoreFactory.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(factory -> factory.scheme().equals(store))
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("unknown kind of store: store=" + store));
  }

  final JobEngine open(StoreFactory factory, String name) {
    return JobEngine.open(
        factory, StoreOptions.of(path(name)), EngineOptions.DEFAULT.durability(durability));
  }
}
