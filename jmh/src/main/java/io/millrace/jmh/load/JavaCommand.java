package io.millrace.jmh.load;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that runs a class of ours in a JVM like this one. */
public final class JavaCommand {

  /** The first release of Java that wants to be told that native code may be called. */
  private static final int ASKS_FOR_NATIVE = 24;

  private JavaCommand() {}

  /** Returns the command with its arguments. */
  public static List<String> of(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= ASKS_FOR_NATIVE) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
