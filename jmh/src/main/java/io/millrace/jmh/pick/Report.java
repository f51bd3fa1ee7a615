package io.millrace.jmh.pick;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.jmh.load.LoadResult.Percentiles;
import io.millrace.jmh.load.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/** The survey as one HTML file that needs nothing else: script, data and words are in it. */
public final class Report {

  private static final String CHART_LIBRARY =
      "/META-INF/resources/webjars/chart.js/4.4.9/dist/chart.umd.js";

  private Report() {}

  /**
   * Checks that the file can be written, and leaves one that is there as it is.
   *
   * @throws IOException it cannot be written
   */
  public static void requireWritable(Path file) throws IOException {
    boolean isNew = Files.notExists(file);
    Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
    if (isNew) {
      Files.deleteIfExists(file);
    }
  }

  /**
   * Writes the file, in place of any that is there.
   *
   * @throws IOException it cannot be written
   */
  public static void write(Path file, Wish wish, List<Point> points, Recommendation recommendation)
      throws IOException {
    String page =
        resource("pick.html")
            .replace("{{words}}", words(recommendation))
            .replace("{{wish}}", wish(wish))
            .replace("{{machine}}", escaped(Machine.line()))
            .replace("{{data}}", data(wish, points))
            .replace("{{library}}", library());
    Files.writeString(file, page);
  }

  private static String words(Recommendation recommendation) {
    StringBuilder words = new StringBuilder();
    for (String sentence : recommendation.sentences()) {
      words.append("<p>").append(escaped(sentence)).append("</p>\n");
    }
    return words.toString();
  }

  private static String wish(Wish wish) {
    return String.format(
        Locale.ROOT,
        "payload %,d B, %d producers and as many consumers, %s",
        wish.payloadBytes(),
        wish.callerCount(),
        wish.durability().name().toLowerCase(Locale.ROOT));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Returns the points as JSON for a script, without a closing tag, which would end the script. */
  private static String data(Wish wish, List<Point> points) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("payload", wish.payloadBytes());
      json.writeNumberField("callers", wish.callerCount());
      json.writeArrayFieldStart("points");
      for (Point point : points) {
        write(point, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString().replace("</", "<\\/");
  }

  private static void write(Point point, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("store", point.store());
    json.writeNumberField("payload", point.payloadBytes());
    json.writeNumberField("callers", point.callerCount());
    json.writeNumberField("jobs", Math.round(point.jobsPerSecond()));
    json.writeNumberField("spread", point.cycle().engine().spread());
    json.writeNumberField("ofFloor", point.cycle().floor().engineRatio());
    json.writeNumberField("ofRaw", point.cycle().raw().engineRatio());
    latency(json, "enqueue", point.cycle().latency().enqueue());
    latency(json, "claim", point.cycle().latency().claim());
    latency(json, "complete", point.cycle().latency().complete());
    json.writeNumberField("disk", point.diskBytesPerJob());
    json.writeBooleanField("good", point.cycle().isGood());
    json.writeEndObject();
  }

  private static void latency(JsonGenerator json, String call, Percentiles percentiles)
      throws IOException {
    json.writeNumberField(call + "P50", percentiles.p50Us() / 1_000);
    json.writeNumberField(call + "P99", percentiles.p99Us() / 1_000);
  }

  private static String library() {
    return read(CHART_LIBRARY).replace("</script", "<\\/script");
  }

  private static String resource(String name) {
    return read("/io/millrace/jmh/pick/" + name);
  }

  private static String read(String path) {
    try (InputStream in = Report.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("resource is not on the class path: path=" + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("resource cannot be read: path=" + path, e);
    }
  }
}
