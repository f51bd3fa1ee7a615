package io.millrace.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** JSON documents, each on a line of its own, in ASCII: fit for any terminal and any locale. */
public final class JsonLines {

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  /** The contents of a document. */
  public interface Document {
    void writeTo(JsonGenerator json) throws IOException;
  }

  private JsonLines() {}

  /** Writes one object of these fields and ends its line. */
  public static void printObject(PrintWriter out, Document fields) {
    print(
        out,
        json -> {
          json.writeStartObject();
          fields.writeTo(json);
          json.writeEndObject();
        });
  }

  /** Writes one document and ends its line. */
  public static void print(PrintWriter out, Document document) {
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      document.writeTo(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.println();
  }
}
