package io.millrace.jmh.load;

import io.millrace.spi.StoreFactory;
import java.nio.file.Path;
import java.util.OptionalLong;

/** A peer of others: something that is put under the same load as they are, in turns with them. */
public interface Peer {

  String name();

  /**
   * Starts it with its store in a folder of its own, which is there: a new store if it is empty.
   */
  Running start(Path folder, LoadOptions options);

  /** Returns the engine in this process, on a store of this kind. */
  static Peer embedded(StoreFactory factory) {
    return new Peer() {
      @Override
      public String name() {
        return "embedded";
      }

      @Override
      public Running start(Path folder, LoadOptions options) {
        EngineTarget engine = EngineTarget.open(factory, folder.resolve("store"), options);
        return new Running(engine, OptionalLong.empty(), () -> {});
      }
    };
  }

  /**
   * A peer that has started.
   *
   * @param target what callers call
   * @param processId the process that serves them; empty if it is this one
   * @param ending ends that process
   */
  record Running(Target target, OptionalLong processId, Runnable ending) implements AutoCloseable {
    @Override
    public void close() {
      try {
        target.close();
      } finally {
        ending.run();
      }
    }
  }
}
