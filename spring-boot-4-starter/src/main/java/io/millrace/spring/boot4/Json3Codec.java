package io.millrace.spring.boot4;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes values as JSON by a mapper of Jackson 3, as millrace-jackson does by one of Jackson 2: the
 * same bytes if both mappers are alike. Immutable and thread-safe.
 */
final class Json3Codec implements Codec<Object> {

  private final JavaType type;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  Json3Codec(JsonMapper mapper, JavaType type) {
    this.type = type;
    this.reader = mapper.readerFor(type);
    this.writer = mapper.writerFor(type);
  }

  @Override
  public byte[] encode(Object value) {
    Objects.requireNonNull(value, "value");
    String text;
    try {
      text = writer.writeValueAsString(value);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "value cannot be written as JSON: type=" + type.toCanonical() + "; " + reason(e), e);
    }
    if (!UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException(
          "value cannot be written as JSON: type="
              + type.toCanonical()
              + "; a text in it has half of a surrogate pair, which UTF-8 cannot hold");
    }
    return text.getBytes(UTF_8);
  }

  @Override
  public Object decode(byte[] bytes) {
    @Nullable Object value;
    try {
      value = reader.readValue(bytes);
    } catch (JacksonException e) {
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
  private static String reason(JacksonException e) {
    return "reason=" + e.getOriginalMessage();
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
