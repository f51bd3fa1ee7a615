package io.millrace.console.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** JSON documents as bytes. */
public final class Json {

  private static final JsonFactory FACTORY = new JsonFactory();

  /** The fields of an object. */
  @FunctionalInterface
  public interface Fields {
    void writeTo(JsonGenerator json) throws IOException;
  }

  private Json() {}

  /** Returns an object of these fields, in UTF-8. */
  public static byte[] object(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      json.writeStartObject();
      fields.writeTo(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // of bytes in memory: a mistake in what was written
    }
    return bytes.toByteArray();
  }
}
