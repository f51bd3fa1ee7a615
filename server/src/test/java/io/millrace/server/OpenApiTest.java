package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.millrace.engine.JobEngine;
import io.millrace.protocol.Operation;
import io.millrace.protocol.Protocol;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/openapi.json} to the calls, and to what OpenAPI wants. */
class OpenApiTest {

  private static final Path WRITTEN = Path.of("../docs/openapi.json");
  private static final String COMMAND =
      "mvn -pl server -am test -Dtest=OpenApiTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.api=write";

  @Test
  void document_isThatOfTheDocs() throws IOException {
    String today = OpenApi.document();
    if ("write".equals(System.getProperty("millrace.api"))) {
      Files.writeString(WRITTEN, today);
    }
    assertThat(today)
        .withFailMessage("the calls are not those of docs/openapi.json; run%n  %s", COMMAND)
        .isEqualTo(Files.readString(WRITTEN));
  }

  @Test
  void document_isOneOfOpenApi() {
    ParseOptions options = new ParseOptions();
    options.setExplicitStyleAndExplode(false);

    SwaggerParseResult parsed =
        new OpenAPIV3Parser().readContents(OpenApi.document(), List.of(), options);

    assertThat(parsed.getMessages()).isEmpty();
    assertThat(parsed.isOpenapi31()).isTrue();
    assertThat(parsed.getOpenAPI().getPaths()).hasSize(Protocol.operations().size());
    assertThat(parsed.getOpenAPI().getPaths().get("/v1/delete-all-dead").getPost().getDescription())
        .isEqualTo("Deletes all dead letters that match.");
  }

  @Test
  void document_namesWhatIsThere() {
    JsonObject root = JsonParser.parseString(OpenApi.document()).getAsJsonObject();
    List<String> references = new ArrayList<>();
    addReferences(root, references);

    assertThat(references).hasSizeGreaterThan(100);
    for (String reference : references) {
      JsonElement at = root;
      for (String name : reference.substring(2).split("/")) {
        at = at.getAsJsonObject().get(name);
        assertThat(at).as(reference).isNotNull();
      }
    }
    for (Operation<?, ?> operation : Protocol.operations()) {
      assertThat(root.getAsJsonObject("paths").has(HttpCalls.path(operation.name()))).isTrue();
    }
  }

  private static void addReferences(JsonElement element, List<String> references) {
    if (element.isJsonArray()) {
      element.getAsJsonArray().forEach(each -> addReferences(each, references));
    } else if (element.isJsonObject()) {
      for (var entry : element.getAsJsonObject().entrySet()) {
        if (entry.getKey().equals("$ref")) {
          references.add(entry.getValue().getAsString());
        } else {
          addReferences(entry.getValue(), references);
        }
      }
    }
  }

  @Test
  void document_isServed() throws Exception {
    try (JobEngine engine = JobEngine.open("memory:openapi-" + UUID.randomUUID());
        Server server = Server.on(engine).http("127.0.0.1:0").listen("127.0.0.1:0")) {
      URI uri =
          URI.create("http://127.0.0.1:" + server.httpPort().orElseThrow() + "/v1/openapi.json");

      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
      assertThat(answer.body()).isEqualTo(OpenApi.document());
    }
  }
}
