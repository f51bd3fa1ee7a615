package io.millrace.worker;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;

/** A log that keeps its lines. Any thread. */
final class LogRecorder {

  private final List<Line> lines = new CopyOnWriteArrayList<>();

  /** What is written is put here first; what this throws, the logger throws. */
  interface Before {
    void write(Line line) throws Exception;
  }

  record Line(String level, String text, Throwable stack) {}

  List<Line> lines() {
    return lines;
  }

  /** Lines that contain this. */
  List<Line> lines(String part) {
    return lines.stream().filter(line -> line.text.contains(part)).toList();
  }

  Logger logger() {
    return logger(line -> {});
  }

  Logger logger(Before before) {
    return Logger.class.cast(
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, args) -> {
              Line line = new Line(method.getName(), (String) args[0], (Throwable) args[1]);
              before.write(line);
              lines.add(line);
              return null;
            }));
  }
}
