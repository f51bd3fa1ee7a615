package io.millrace.internal.format;

import io.millrace.api.Backoff;
import io.millrace.api.Limits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The contents of fields that more than one record has: headers and backoffs. On disk, never
 * change.
 */
final class StoredParts {

  /**
   * The backoff of a record that has none stored, whatever the default for new jobs may become. On
   * disk, never change.
   */
  static final Backoff BACKOFF_DEFAULT =
      new Backoff.Exponential(Duration.ofSeconds(1), 2.0, Duration.ofMinutes(10), 0.2);

  private static final int EXPONENTIAL = 1;
  private static final int LINEAR = 2;
  private static final int CUSTOM = 3;

  private StoredParts() {}

  /** Returns the length of all names and values, in bytes of UTF-8. */
  static int lengthBytes(Map<String, String> headers) {
    int bytes = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      bytes += header.getKey().getBytes(StandardCharsets.UTF_8).length;
      bytes += header.getValue().getBytes(StandardCharsets.UTF_8).length;
    }
    return bytes;
  }

  /** Writes name and value of each header, each as a text after its length. */
  static void writeHeaders(RecordWriter writer, int tag, Map<String, String> headers) {
    if (headers.isEmpty()) {
      return;
    }
    int start = writer.begin(tag);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      writer.addText(header.getKey());
      writer.addText(header.getValue());
    }
    writer.end(start);
  }

  static Map<String, String> readHeaders(RecordReader reader) {
    Map<String, String> headers = new LinkedHashMap<>();
    while (reader.hasMore()) {
      String name = reader.takeText();
      if (headers.put(name, reader.takeText()) != null) {
        throw reader.corrupt("header is there twice");
      }
      if (headers.size() > Limits.HEADER_COUNT_MAX) {
        throw reader.corrupt("more than " + Limits.HEADER_COUNT_MAX + " headers");
      }
    }
    return Collections.unmodifiableMap(headers);
  }

  /**
   * Writes a backoff: a kind byte, the jitter's 8 bytes (IEEE 754), then for exponential: initial,
   * max, multiplier (8 bytes); for linear: initial, step, max; for custom: every delay. Durations
   * are nanoseconds as varints.
   */
  static void writeBackoff(RecordWriter writer, int tag, Backoff backoff) {
    if (backoff == BACKOFF_DEFAULT || backoff.equals(BACKOFF_DEFAULT)) {
      return;
    }
    int start = writer.begin(tag);
    if (backoff instanceof Backoff.Exponential exponential) {
      writer.addByte(EXPONENTIAL);
      writer.addLong(Double.doubleToRawLongBits(exponential.jitter()));
      writer.addVarint(exponential.initial().toNanos());
      writer.addVarint(exponential.max().toNanos());
      writer.addLong(Double.doubleToRawLongBits(exponential.multiplier()));
    } else if (backoff instanceof Backoff.Linear linear) {
      writer.addByte(LINEAR);
      writer.addLong(Double.doubleToRawLongBits(linear.jitter()));
      writer.addVarint(linear.initial().toNanos());
      writer.addVarint(linear.step().toNanos());
      writer.addVarint(linear.max().toNanos());
    } else if (backoff instanceof Backoff.Custom custom) {
      writer.addByte(CUSTOM);
      writer.addLong(Double.doubleToRawLongBits(custom.jitter()));
      custom.delays().forEach(delay -> writer.addVarint(delay.toNanos()));
    }
    writer.end(start);
  }

  static Backoff readBackoff(RecordReader reader) {
    int kind = reader.takeByte();
    double jitter = Double.longBitsToDouble(reader.takeLong());
    return switch (kind) {
      case EXPONENTIAL -> {
        Duration initial = takeDuration(reader);
        Duration max = takeDuration(reader);
        double multiplier = Double.longBitsToDouble(reader.takeLong());
        yield new Backoff.Exponential(initial, multiplier, max, jitter);
      }
      case LINEAR ->
          new Backoff.Linear(
              takeDuration(reader), takeDuration(reader), takeDuration(reader), jitter);
      case CUSTOM -> new Backoff.Custom(takeDelays(reader), jitter);
      default -> throw reader.corrupt("backoff kind is not known: code=" + kind);
    };
  }

  private static List<Duration> takeDelays(RecordReader reader) {
    List<Duration> delays = new ArrayList<>();
    while (reader.hasMore()) {
      if (delays.size() == Backoff.LIST_SIZE_MAX) {
        throw reader.corrupt("more than " + Backoff.LIST_SIZE_MAX + " delays");
      }
      delays.add(takeDuration(reader));
    }
    return delays;
  }

  private static Duration takeDuration(RecordReader reader) {
    return Duration.ofNanos(reader.takeVarint());
  }
}
