package io.millrace.console.text;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.describe.Description;
import io.millrace.describe.Description.Attribute;
import io.millrace.describe.Description.Each;
import io.millrace.describe.Description.Spread;
import io.millrace.describe.Form;
import io.millrace.describe.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes objects of the API as JSON, as their descriptions say. Absent values are left out. */
public final class DescribedJson {

  private DescribedJson() {}

  /** Writes an object. */
  public static <T> void write(Description<T> description, T object, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    writeAttributes(description, object, json);
    json.writeEndObject();
  }

  /** Writes the attributes of an object into one that has been begun. */
  public static <T> void writeAttributes(Description<T> description, T object, JsonGenerator json)
      throws IOException {
    for (Attribute<T, ?> attribute : description.attributes()) {
      write(attribute, object, json);
    }
  }

  /** Writes one attribute of an object into one that has been begun. */
  public static <T, V> void write(Attribute<T, V> attribute, T object, JsonGenerator json)
      throws IOException {
    V value = attribute.told().isEmpty() ? null : attribute.getter().apply(object);
    if (value != null) {
      write(attribute.told(), attribute.form(), value, json);
    }
  }

  private static <V> void write(String name, Form<V> form, V value, JsonGenerator json)
      throws IOException {
    if (form instanceof Spread<V> spread) {
      writeAttributes(spread.part(), value, json);
    } else if (form instanceof Description<V> part) {
      json.writeFieldName(name);
      write(part, value, json);
    } else if (form instanceof Each<?> each) {
      writeEach(name, each, (List<?>) value, json);
    } else {
      writeTold(name, ((Kind<V>) form).tell().apply(value), json);
    }
  }

  @SuppressWarnings("unchecked") // the values of a list of described ones are such
  private static <E> void writeEach(String name, Each<E> each, List<?> values, JsonGenerator json)
      throws IOException {
    if (values.isEmpty() && !each.isToldIfEmpty()) {
      return;
    }
    json.writeArrayFieldStart(name);
    for (Object value : values) {
      write(each.element(), (E) value, json);
    }
    json.writeEndArray();
  }

  private static void writeTold(String name, @Nullable Object told, JsonGenerator json)
      throws IOException {
    if (told instanceof byte[] bytes) {
      writeBytes(name, bytes, json);
    } else if (told instanceof List<?> texts) {
      json.writeArrayFieldStart(name);
      for (Object text : texts) {
        json.writeString((String) text);
      }
      json.writeEndArray();
    } else if (told instanceof Map<?, ?> map) {
      json.writeObjectFieldStart(name);
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeObjectField((String) entry.getKey(), entry.getValue());
      }
      json.writeEndObject();
    } else if (told != null) {
      json.writeObjectField(name, told);
    }
  }

  /** Writes bytes, as {@code …Text} if they are UTF-8, else as {@code …Base64}. */
  private static void writeBytes(String field, byte[] bytes, JsonGenerator json)
      throws IOException {
    json.writeNumberField(field + "Bytes", bytes.length);
    Optional<String> text = Printable.utf8(bytes);
    if (text.isPresent()) {
      json.writeStringField(field + "Text", text.get());
    } else {
      json.writeBinaryField(field + "Base64", bytes);
    }
  }
}
