package io.millrace.spi.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Another JVM that opens a store, writes numbered batches without syncing them, and holds the store
 * until it is killed or told to close it.
 */
public final class StoreProcess implements AutoCloseable {

  private static final String OPENED = "opened ";

  private final Process process;
  private final String answer;

  private StoreProcess(Process process, String answer) {
    this.process = process;
    this.answer = answer;
  }

  /** Starts the process. Returns when it has written its batches, or has failed to. */
  static StoreProcess start(String scheme, Path folder, int batchCount) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--enable-native-access") || flag.startsWith("--add-")) {
        command.add(flag);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(StoreProcess.class.getName());
    command.addAll(List.of(scheme, folder.toString(), Integer.toString(batchCount)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader output = process.inputReader(UTF_8);
    return new StoreProcess(process, String.valueOf(output.readLine()));
  }

  /** Returns the epoch of the process's opening. */
  long epoch() {
    if (!answer.startsWith(OPENED)) {
      throw new IllegalStateException("the other process could not use the store: " + answer);
    }
    return Long.parseLong(answer.substring(OPENED.length()));
  }

  /**
   * Returns the line that the process printed: that it opened the store, or what the store threw.
   */
  String answer() {
    return answer;
  }

  long pid() {
    return process.pid();
  }

  /** Ends the process where it stands. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Lets the process close the store and end. */
  void closeStore() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  public static void main(String[] args) throws IOException {
    try (OrderedStore store = factory(args[0]).open(StoreOptions.of(Path.of(args[1])))) {
      StoreContract.writeNumbered(store, Integer.parseInt(args[2]));
      System.out.println(OPENED + store.epoch());
      System.in.read();
    } catch (StoreException e) {
      System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  /** Returns the factory of that scheme on the class path. */
  public static StoreFactory factory(String scheme) {
    for (StoreFactory factory : ServiceLoader.load(StoreFactory.class)) {
      if (factory.scheme().equals(scheme)) {
        return factory;
      }
    }
    throw new IllegalArgumentException("there is no such store: scheme=" + scheme);
  }
}
