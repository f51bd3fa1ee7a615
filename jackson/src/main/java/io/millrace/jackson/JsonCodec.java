package io.millrace.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes values as JSON: records, classes as Jackson knows them, lists and maps of these. Immutable
 * and thread-safe.
 *
 * <pre>{@code
 * static final JobType<Mail> MAIL = JobType.of("mail", json(Mail.class));
 * }</pre>
 *
 * <p>Instants and other times are texts in ISO 8601, and come back equal, with their offset or
 * zone. A text that UTF-8 cannot hold, because it has half of a surrogate pair, is refused. A
 * property that the class does not have is passed over, so that a worker reads the jobs of a newer
 * program. A property that is missing is null, or zero. The class that is made never depends on the
 * bytes. Not for keys of tables: equal values may be different bytes.
 *
 * @param <T> type of the values
 */
public final class JsonCodec<T> implements Codec<T> {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule().disable(JavaTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID))
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
          .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JavaType type;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  private JsonCodec(ObjectMapper mapper, JavaType type) {
    this.type = type;
    this.reader = mapper.readerFor(type);
    this.writer = mapper.writerFor(type);
  }

  /** Returns a codec of values of this class. */
  public static <T> JsonCodec<T> json(Class<T> type) {
    return json(type, MAPPER);
  }

  /**
   * Returns a codec of values of a type that has parameters, as in {@code new
   * TypeReference<List<Mail>>() {}}.
   */
  public static <T> JsonCodec<T> json(TypeReference<T> type) {
    return json(type, MAPPER);
  }

  /**
   * Returns a codec of values of this class that uses the given mapper, which must not be changed
   * any more.
   */
  public static <T> JsonCodec<T> json(Class<T> type, ObjectMapper mapper) {
    return new JsonCodec<>(mapper, mapper.constructType(Objects.requireNonNull(type, "type")));
  }

  /**
   * Returns a codec of values of a type that has parameters, by a mapper that must not be changed
   * any more; see {@link #json(TypeReference)}.
   */
  public static <T> JsonCodec<T> json(TypeReference<T> type, ObjectMapper mapper) {
    return new JsonCodec<>(mapper, mapper.constructType(Objects.requireNonNull(type, "type")));
  }

  @Override
  public byte[] encode(T value) {
    Objects.requireNonNull(value, "value");
    try {
      String text = writer.writeValueAsString(value);
      checkUnicode(text);
      return text.getBytes(UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "value cannot be written as JSON: type=" + type.toCanonical() + "; " + reason(e), e);
    }
  }

  /**
   * Refuses a text with half of a surrogate pair, which has no form in UTF-8: it would be stored as
   * a question mark.
   */
  private void checkUnicode(String text) throws JsonProcessingException {
    if (!UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException(
          "value cannot be written as JSON: type="
              + type.toCanonical()
              + ", at="
              + firstBroken(text)
              + "; a text there has half of a surrogate pair, which UTF-8 cannot hold");
    }
  }

  /** Returns the place of the first name or text that UTF-8 cannot hold, as a JSON pointer. */
  private String firstBroken(String json) throws JsonProcessingException {
    try (JsonParser parser = writer.getFactory().createParser(json)) {
      while (parser.nextToken() != null) {
        if (!UTF_8.newEncoder().canEncode(parser.getText())) {
          String pointer = parser.getParsingContext().pathAsPointer().toString();
          return pointer.chars().allMatch(it -> !Character.isSurrogate((char) it))
              ? "\"" + pointer + "\""
              : "a name";
        }
      }
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "unknown";
  }

  @Override
  public T decode(byte[] bytes) {
    T value;
    try {
      value = reader.readValue(bytes);
    } catch (IOException e) {
      throw new CodecException(about(bytes) + "; " + reason(e), e);
    }
    if (value == null) {
      throw new CodecException(about(bytes) + "; they say null");
    }
    return value;
  }

  private String about(byte[] bytes) {
    return "bytes are no JSON of this type: type="
        + type.toCanonical()
        + ", length="
        + bytes.length;
  }

  /** Returns Jackson's message without any piece of the value, which may be confidential. */
  private static String reason(IOException e) {
    return e instanceof JsonProcessingException json
        ? "reason=" + json.getOriginalMessage()
        : "reason=" + e.getMessage();
  }

  /** Returns {@code application/json}. */
  @Override
  public Optional<String> contentType() {
    return Optional.of("application/json");
  }

  @Override
  public String toString() {
    return "JSON of " + type.toCanonical();
  }
}
