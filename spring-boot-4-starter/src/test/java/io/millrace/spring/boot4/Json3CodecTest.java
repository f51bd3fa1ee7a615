package io.millrace.spring.boot4;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CodecException;
import io.millrace.jackson.JsonCodec;
import io.millrace.spring.PayloadCodecs;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3, and when Jackson 2 is asked instead. */
class Json3CodecTest {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  record Mail(String to, Instant at, List<String> lines) {}

  private static final Mail MAIL =
      new Mail("ada", Instant.parse("2026-11-28T12:00:00Z"), List.of("Hello"));

  private final Json3Codec codec = new Json3Codec(MAPPER, MAPPER.constructType(Mail.class));

  @Test
  void value_encodedAndDecoded_isTheSame() {
    byte[] bytes = codec.encode(MAIL);

    assertThat(codec.decode(bytes)).isEqualTo(MAIL);
    assertThat(codec.contentType()).contains("application/json");
    assertThat(codec).hasToString("JSON of " + MAPPER.constructType(Mail.class).toCanonical());
  }

  @Test
  void bytes_ofJackson2_areReadAndTheOtherWayRound() {
    JsonCodec<Mail> older = JsonCodec.json(Mail.class);

    assertThat(codec.decode(older.encode(MAIL))).isEqualTo(MAIL);
    assertThat(older.decode(codec.encode(MAIL))).isEqualTo(MAIL);
  }

  @Test
  void bytes_thatAreNoValue_areRefusedWithoutShowingThem() {
    assertThatThrownBy(() -> codec.decode("{\"to\":\"secret".getBytes(UTF_8)))
        .isInstanceOf(CodecException.class)
        .hasMessageStartingWith("bytes are no JSON of this type: type=")
        .hasMessageContaining("length=13")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> codec.decode("null".getBytes(UTF_8)))
        .isInstanceOf(CodecException.class)
        .hasMessageEndingWith("they say null");
  }

  @Test
  void value_thatCannotBeWritten_isRefused() {
    Json3Codec any = new Json3Codec(MAPPER, MAPPER.constructType(Object.class));

    assertThatThrownBy(
            () ->
                any.encode(
                    new Object() {
                      @SuppressWarnings("unused") // read by Jackson
                      public String getText() {
                        throw new IllegalStateException("secret");
                      }
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("value cannot be written as JSON: type=");
    assertThatThrownBy(() -> codec.encode(new Mail("\ud800", MAIL.at(), List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("half of a surrogate pair");
  }

  @EnableAutoConfiguration
  static class Application {}

  @Test
  void application_withBothMappers_writesByJackson3() {
    contexts()
        .run(
            context ->
                assertThat(context.getBean(PayloadCodecs.class).of(Mail.class))
                    .isInstanceOf(Json3Codec.class));
  }

  @Test
  void application_withJackson2Alone_writesByIt() {
    contexts()
        .withPropertyValues(
            "spring.autoconfigure.exclude="
                + "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
        .run(
            context ->
                assertThat(context.getBean(PayloadCodecs.class).of(Mail.class))
                    .isInstanceOf(JsonCodec.class));
  }

  private static ApplicationContextRunner contexts() {
    return new ApplicationContextRunner()
        .withUserConfiguration(Application.class)
        .withPropertyValues("millrace.location=memory:json");
  }
}
