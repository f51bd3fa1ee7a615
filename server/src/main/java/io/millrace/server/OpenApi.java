package io.millrace.server;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The description of the calls by HTTP for tools, an OpenAPI document: made from the protocol's own
 * description, with its comments. Belongs to one thread.
 */
final class OpenApi {

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
  private static final String FAILURE = "Failure";

  private final Comments comments = new Comments();

  /** The schemas of messages by their names, in whose order they are told. */
  private final Map<String, Object> schemas = new TreeMap<>();

  private OpenApi() {}

  /** Returns the document of the calls of this release. */
  static String document() {
    return GSON.toJson(new OpenApi().root()) + "\n";
  }

  private Map<String, Object> root() {
    Map<String, Object> paths = new LinkedHashMap<>();
    for (Operation<?, ?> operation : Protocol.operations()) {
      paths.put(HttpCalls.path(operation.name()), Map.of("post", operation(operation.method())));
    }
    Map<String, Object> texts = Map.of("type", "string");
    schemas.put(
        FAILURE,
        ordered("type", "object", "properties", ordered("error", texts, "message", texts)));
    return ordered(
        "openapi",
        "3.1.0",
        "info",
        ordered(
            "title",
            "Millrace",
            "version",
            "1",
            "description",
            "The calls of a Millrace server by HTTP. Bytes are base64; times and lengths of time"
                + " are milliseconds. Fields are only ever added: pass over those that you do not"
                + " know."),
        "servers",
        List.of(Map.of("url", "http://127.0.0.1:7172")),
        "security",
        List.of(Map.of(), Map.of("token", List.of())),
        "paths",
        paths,
        "components",
        ordered(
            "schemas",
            schemas,
            "responses",
            Map.of(FAILURE, answer("The call failed: error says how, and message why.", FAILURE)),
            "securitySchemes",
            Map.of("token", ordered("type", "http", "scheme", "bearer"))));
  }

  private Map<String, Object> operation(MethodDescriptor method) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("operationId", method.getName());
    comments.of(method).ifPresent(comment -> told.put("description", comment));
    Map<String, Object> request = content(named(method.getInputType()));
    request.put("required", true);
    told.put("requestBody", request);
    told.put(
        "responses",
        ordered(
            "200",
            answer("The answer.", named(method.getOutputType())),
            "default",
            Map.of("$ref", "#/components/responses/" + FAILURE)));
    return told;
  }

  private static Map<String, Object> answer(String description, String schema) {
    Map<String, Object> answer = content(schema);
    answer.put("description", description);
    return answer;
  }

  private static Map<String, Object> content(String schema) {
    return ordered("content", Map.of("application/json", Map.of("schema", reference(schema))));
  }

  private static Map<String, Object> reference(String schema) {
    return ordered("$ref", "#/components/schemas/" + schema);
  }

  /** Returns the name of the message's schema, which is there from now on. */
  private String named(Descriptor message) {
    String name = message.getFullName().substring(message.getFile().getPackage().length() + 1);
    if (!schemas.containsKey(name)) {
      Map<String, Object> schema = ordered("type", "object");
      schemas.put(name, schema); // First: a message may contain its own kind.
      comments.of(message).ifPresent(comment -> schema.put("description", comment));
      Map<String, Object> fields = new LinkedHashMap<>();
      message.getFields().forEach(field -> fields.put(field.getJsonName(), field(field)));
      schema.put("properties", fields);
      if (!fields.isEmpty()
          && message.getFields().stream().allMatch(it -> it.getRealContainingOneof() != null)) {
        schema.put("maxProperties", 1);
      }
    }
    return name;
  }

  private Map<String, Object> field(FieldDescriptor field) {
    Map<String, Object> schema;
    if (field.isMapField()) {
      FieldDescriptor value = field.getMessageType().findFieldByName("value");
      schema = ordered("type", "object", "additionalProperties", value(value));
    } else if (field.isRepeated()) {
      schema = ordered("type", "array", "items", value(field));
    } else {
      schema = value(field);
    }
    comments.of(field).ifPresent(comment -> schema.put("description", comment));
    return schema;
  }

  private Map<String, Object> value(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case BOOLEAN -> ordered("type", "boolean");
      case INT -> ordered("type", "integer", "format", "int32");
      // Numbers of JSON may be read as ones that are not exact from 2^53 on.
      case LONG -> ordered("type", List.of("string", "integer"), "format", "int64");
      case FLOAT, DOUBLE -> ordered("type", "number", "format", "double");
      case BYTE_STRING -> ordered("type", "string", "contentEncoding", "base64");
      case STRING, ENUM -> ordered("type", "string");
      case MESSAGE -> reference(named(field.getMessageType()));
    };
  }

  /** Returns names with what belongs to them, in this order. */
  private static Map<String, Object> ordered(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
