package io.millrace.model.crash;

import io.millrace.spi.testkit.fault.Machine;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * How our processes are started: with an archive of the classes that they load, made once for each
 * run of the tests, which spares a quarter of the time that they take to begin.
 *
 * <p>The JDK shares classes from jars alone, so that folders of the class path are made jars first.
 */
final class SharedClasses {

  private static final List<String> COMMAND = prepare();

  private SharedClasses() {}

  /** The command line of a Java process, to which class and arguments are added. */
  static List<String> command() {
    return COMMAND;
  }

  private static List<String> prepare() {
    try {
      Path folder = Files.createTempDirectory("millrace-classes");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      List<String> command = new ArrayList<>(Machine.java());
      command.set(command.size() - 1, jars(folder));
      command.addAll(List.of("-XX:+UseSerialGC", "-ea", "-Xlog:disable"));
      command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=off");
      // A map of a file that lost its disk under it may well end the process.
      command.add("-XX:+SuppressFatalErrorMessage");
      Path archive = folder.resolve("classes.jsa");
      train(command, archive, folder);
      command.add("-XX:SharedArchiveFile=" + archive);
      return List.copyOf(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try {
      Series.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets a process live a short life whose classes are archived at its end. */
  private static void train(List<String> command, Path archive, Path folder) throws IOException {
    List<String> training = new ArrayList<>(command);
    training.add("-XX:ArchiveClassesAtExit=" + archive);
    try (Victim victim = Victim.start(training, Rehearsal.class, folder.toString())) {
      for (String scheme : List.of("lmdb", "rocksdb")) {
        String location = scheme + ":" + folder.resolve(scheme);
        Path journal = folder.resolve("journal-" + scheme);
        victim.tell(new Site.Plan(location, Site.Level.MIXED, journal, "life").text());
      }
      victim.tell(CrashWorker.work(1, 20));
      if (!victim.answer().equals("working") || victim.stop() != 0) {
        throw new IllegalStateException("a process that only loads classes failed");
      }
    }
  }

  private static String jars(Path folder) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> jars = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      Path path = Path.of(entry);
      jars.add(Files.isDirectory(path) ? jar(path, folder, jars.size()) : entry);
    }
    return String.join(File.pathSeparator, jars);
  }

  private static String jar(Path classes, Path folder, int number) throws IOException {
    Path jar = folder.resolve(number + ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
    return jar.toString();
  }
}
