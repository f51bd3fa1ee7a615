package io.millrace.model.damage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.MillraceException;
import io.millrace.api.JobId;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreLockedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process that opens stores when it is told to, a line each, and answers with a line.
 *
 * <pre>
 *  open LOCATION          opened EPOCH, or locked PID, or refused
 *  race INSTANT LOCATION  the same, not before that instant, in milliseconds since 1970
 *  enqueue                the job's id, or failed
 *  read FOLDER            read: all files of the folder, as who copies it does
 *  close                  closed
 * </pre>
 */
final class OwnerProcess {

  private @Nullable JobEngine engine;

  private OwnerProcess() {}

  public static void main(String[] arguments) throws IOException {
    OwnerProcess owner = new OwnerProcess();
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      System.out.println(owner.answer(line.split(" ", 3)));
    }
  }

  private String answer(String[] words) {
    return switch (words[0]) {
      case "open" -> open(words[1]);
      case "race" -> {
        long instant = Long.parseLong(words[1]);
        while (System.currentTimeMillis() < instant) {
          Thread.onSpinWait();
        }
        yield open(words[2]);
      }
      case "enqueue" -> enqueue();
      case "read" -> read(Path.of(words[1]));
      default -> close();
    };
  }

  private String open(String location) {
    try {
      JobEngine opened = JobEngine.open(location);
      engine = opened;
      return "opened " + opened.queue("opened").enqueue(new byte[1]).jobId();
    } catch (StoreLockedException e) {
      return "locked " + (e.holderPid().isPresent() ? e.holderPid().getAsLong() : e.getMessage());
    } catch (MillraceException e) {
      return "refused " + e;
    }
  }

  private String enqueue() {
    JobEngine opened = engine;
    try {
      JobId id = opened == null ? null : opened.queue("mail").enqueue(new byte[100]).jobId();
      return String.valueOf(id);
    } catch (MillraceException e) {
      return "failed " + e;
    }
  }

  private static String read(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.readAllBytes(file);
      }
      return "read";
    } catch (IOException e) {
      return "failed " + e;
    }
  }

  private String close() {
    JobEngine opened = engine;
    engine = null;
    try {
      if (opened != null) {
        opened.close();
      }
      return "closed";
    } catch (MillraceException e) {
      return "failed " + e;
    }
  }
}
