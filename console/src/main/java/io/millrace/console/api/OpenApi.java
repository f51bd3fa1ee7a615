package io.millrace.console.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.console.act.Action;
import io.millrace.console.act.Action.Field;
import io.millrace.console.text.Json;
import io.millrace.describe.Description;
import io.millrace.describe.Description.Attribute;
import io.millrace.describe.Description.Each;
import io.millrace.describe.Description.Spread;
import io.millrace.describe.Form;
import io.millrace.describe.Kind;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The document of the API in the form of OpenAPI 3.1, made of the operations, actions and
 * descriptions that the API itself is made of.
 *
 * @see <a href="https://spec.openapis.org/oas/v3.1.1.html">OpenAPI 3.1</a>
 */
final class OpenApi {

  private static final Pattern IN_PATH = Pattern.compile("\\{(\\w+)}");

  private OpenApi() {}

  static byte[] document(List<Operation> operations, Collection<Action> actions) {
    return Json.object(
        json -> {
          json.writeStringField("openapi", "3.1.0");
          json.writeObjectFieldStart("info");
          json.writeStringField("title", "Millrace console");
          json.writeStringField("version", "1");
          json.writeEndObject();
          json.writeArrayFieldStart("security");
          json.writeStartObject();
          json.writeArrayFieldStart("token");
          json.writeEndArray();
          json.writeEndObject();
          json.writeEndArray();
          json.writeObjectFieldStart("paths");
          for (Operation operation : operations) {
            write(operation, json);
          }
          for (Action action : actions) {
            write(action, json);
          }
          json.writeEndObject();
          writeSecurity(json);
        });
  }

  private static void writeSecurity(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("components");
    json.writeObjectFieldStart("securitySchemes");
    json.writeObjectFieldStart("token");
    json.writeStringField("type", "http");
    json.writeStringField("scheme", "bearer");
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void write(Operation operation, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart(Api.BASE + operation.path());
    json.writeObjectFieldStart("get");
    json.writeStringField("summary", operation.summary());
    json.writeArrayFieldStart("parameters");
    Matcher inPath = IN_PATH.matcher(operation.path());
    while (inPath.find()) {
      writeParameter(new Field(inPath.group(1), "in the path", true), "path", json);
    }
    for (Field field : operation.query()) {
      writeParameter(field, "query", json);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("responses");
    writeResponse("200", "as asked", json);
    json.writeObjectFieldStart("content");
    json.writeObjectFieldStart("application/json");
    json.writeObjectFieldStart("schema");
    json.writeStringField("type", "object");
    json.writeObjectFieldStart("properties");
    for (Operation.Item item : operation.answer()) {
      if (item.name().isEmpty()) {
        writeProperties((Description<?>) item.form(), json);
      } else {
        writeProperty(item.name(), item.form(), json);
      }
    }
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
    writeError(json);
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void write(Action action, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart(Api.BASE + "/actions/" + action.name());
    json.writeObjectFieldStart("post");
    json.writeStringField("summary", action.summary());
    json.writeObjectFieldStart("requestBody");
    json.writeObjectFieldStart("content");
    json.writeObjectFieldStart("application/x-www-form-urlencoded");
    json.writeObjectFieldStart("schema");
    json.writeStringField("type", "object");
    json.writeObjectFieldStart("properties");
    for (Field field : action.fields()) {
      json.writeObjectFieldStart(field.name());
      writeType(field, json);
      json.writeStringField("description", field.meaning());
      json.writeEndObject();
    }
    json.writeEndObject();
    json.writeArrayFieldStart("required");
    for (Field field : action.fields()) {
      if (field.isRequired()) {
        json.writeString(field.name());
      }
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
    json.writeObjectFieldStart("responses");
    writeResponse("200", "done", json);
    json.writeEndObject();
    writeResponse("409", "not done, the outcome says why", json);
    json.writeEndObject();
    writeError(json);
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void writeParameter(Field field, String where, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", field.name());
    json.writeStringField("in", where);
    json.writeStringField("description", field.meaning());
    json.writeBooleanField("required", field.isRequired());
    json.writeObjectFieldStart("schema");
    writeType(field, json);
    json.writeEndObject();
    json.writeEndObject();
  }

  /** Writes the type of a parameter; a list stands for the same name several times. */
  private static void writeType(Field field, JsonGenerator json) throws IOException {
    if (field.isRepeated()) {
      json.writeStringField("type", "array");
      json.writeObjectFieldStart("items");
      json.writeStringField("type", "string");
      json.writeEndObject();
    } else {
      json.writeStringField("type", "string");
    }
  }

  /** Begins a response, which the caller ends. */
  private static void writeResponse(String status, String meaning, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart(status);
    json.writeStringField("description", meaning);
  }

  private static void writeError(JsonGenerator json) throws IOException {
    writeResponse("default", "an error, with a sentence in the field error", json);
    json.writeEndObject();
  }

  private static void writeProperties(Description<?> description, JsonGenerator json)
      throws IOException {
    for (Attribute<?, ?> attribute : description.attributes()) {
      if (attribute.form() instanceof Spread<?> spread && !attribute.told().isEmpty()) {
        writeProperties(spread.part(), json);
      } else if (!attribute.told().isEmpty()) {
        writeProperty(attribute.told(), attribute.form(), json);
      }
    }
  }

  private static void writeProperty(String name, Form<?> form, JsonGenerator json)
      throws IOException {
    if (form == Kind.BYTES) {
      writeSimple(name + "Bytes", "integer", json);
      writeSimple(name + "Text", "string", json);
      writeSimple(name + "Base64", "string", json);
      writeSimple(name + "Shown", "string", json);
    } else if (form instanceof Description<?> part) {
      json.writeObjectFieldStart(name);
      writeObject(part, json);
      json.writeEndObject();
    } else if (form instanceof Each<?> each) {
      json.writeObjectFieldStart(name);
      json.writeStringField("type", "array");
      json.writeObjectFieldStart("items");
      writeObject(each.element(), json);
      json.writeEndObject();
      json.writeEndObject();
    } else if (form instanceof Kind<?> kind) {
      writeSimple(name, type(kind), json);
    }
  }

  private static void writeObject(Description<?> description, JsonGenerator json)
      throws IOException {
    json.writeStringField("type", "object");
    json.writeObjectFieldStart("properties");
    writeProperties(description, json);
    json.writeEndObject();
  }

  private static void writeSimple(String name, String type, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeStringField("type", type);
    json.writeEndObject();
  }

  private static String type(Kind<?> kind) {
    if (kind == Kind.INSTANT) {
      return "string"; // it is sent as a number, but told as a text
    }
    Class<?> sent = kind.sent();
    if (sent == Long.class || sent == Integer.class) {
      return "integer";
    }
    if (sent == Double.class) {
      return "number";
    }
    if (sent == Boolean.class) {
      return "boolean";
    }
    if (sent.isArray()) {
      return "array";
    }
    return sent == String.class ? "string" : "object";
  }
}
