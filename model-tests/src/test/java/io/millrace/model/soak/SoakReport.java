package io.millrace.model.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** What a run found, as lines of text between its process and the test. */
final class SoakReport {

  private final Map<String, Long> figures = new TreeMap<>();
  private final List<Sample> samples = new ArrayList<>();

  /**
   * What the run took at a moment.
   *
   * @param fileBytes of the store's folder
   * @param heapBytes in use after a collection
   * @param nativeBytes memory of the process that no file backs, without the heap
   */
  record Sample(SoakPhase phase, long fileBytes, long heapBytes, long nativeBytes) {

    private String line() {
      return "sample " + phase + " " + fileBytes + " " + heapBytes + " " + nativeBytes;
    }

    private static Sample parse(String line) {
      String[] parts = line.split(" ");
      return new Sample(
          SoakPhase.valueOf(parts[1]),
          Long.parseLong(parts[2]),
          Long.parseLong(parts[3]),
          Long.parseLong(parts[4]));
    }
  }

  void put(String name, long value) {
    figures.put(name, value);
  }

  void add(Sample sample) {
    samples.add(sample);
  }

  long get(String name) {
    Long value = figures.get(name);
    if (value == null) {
      throw new IllegalStateException("the run did not say: figure=" + name);
    }
    return value;
  }

  List<Sample> samples() {
    return samples;
  }

  /** The most of something in a phase. */
  long most(SoakPhase phase, ToLongFunction<Sample> of) {
    return samples.stream()
        .filter(sample -> sample.phase == phase)
        .mapToLong(of)
        .max()
        .orElseThrow(() -> new IllegalStateException("the run has no sample: phase=" + phase));
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    figures.forEach((name, value) -> lines.add(name + "=" + value));
    samples.forEach(sample -> lines.add(sample.line()));
    return lines;
  }

  static SoakReport parse(List<String> lines) {
    SoakReport report = new SoakReport();
    for (String line : lines) {
      if (line.startsWith("sample ")) {
        report.add(Sample.parse(line));
      } else if (line.contains("=")) {
        String[] parts = line.split("=");
        report.put(parts[0], Long.parseLong(parts[1]));
      }
    }
    return report;
  }

  @Override
  public String toString() {
    return figures.toString();
  }
}
