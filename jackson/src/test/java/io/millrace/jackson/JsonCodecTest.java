package io.millrace.jackson;

import static io.millrace.jackson.JsonCodec.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.Table;
import io.millrace.engine.JobEngine;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCodecTest {

  record Mail(String to, @Nullable String text, int copies) {}

  record Times(Instant at, LocalDate day, Duration length, Optional<String> note) {}

  /** Writes itself for ever. */
  static final class Ring {
    public Ring getSelf() {
      return this;
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  @Test
  void record_thereAndBack_isTheSame() {
    Codec<Mail> codec = json(Mail.class);
    Mail mail = new Mail("ada@example.org", "Grüße", 2);

    byte[] bytes = codec.encode(mail);

    assertThat(text(bytes))
        .isEqualTo("{\"to\":\"ada@example.org\",\"text\":\"Grüße\",\"copies\":2}");
    assertThat(codec.decode(bytes)).isEqualTo(mail);
    assertThat(codec.contentType()).contains("application/json");
  }

  @Test
  void times_thereAndBack_areTextsAndTheSame() {
    Codec<Times> codec = json(Times.class);
    Times times =
        new Times(
            Instant.parse("2026-11-23T12:00:00.123456789Z"),
            LocalDate.of(2026, 11, 23),
            Duration.ofMinutes(90),
            Optional.empty());

    byte[] bytes = codec.encode(times);

    assertThat(text(bytes))
        .isEqualTo(
            "{\"at\":\"2026-11-23T12:00:00.123456789Z\",\"day\":\"2026-11-23\","
                + "\"length\":\"PT1H30M\",\"note\":null}");
    assertThat(codec.decode(bytes)).isEqualTo(times);
  }

  record Moments(
      OffsetDateTime offset, ZonedDateTime zoned, OffsetTime time, Duration length, ZoneId zone) {}

  @ParameterizedTest
  @ValueSource(strings = {"Europe/Berlin", "Z", "UTC", "+05:30", "America/New_York"})
  void momentsOfAnyZone_thereAndBack_areTheSame(String zone) {
    Codec<Moments> codec = json(Moments.class);
    ZonedDateTime zoned = ZonedDateTime.of(2026, 11, 1, 1, 30, 0, 123_456_789, ZoneId.of(zone));
    OffsetDateTime offset = zoned.toOffsetDateTime();
    Moments moments =
        new Moments(
            offset, zoned, offset.toOffsetTime(), Duration.ofSeconds(-3, 7), ZoneId.of(zone));

    assertThat(codec.decode(codec.encode(moments))).isEqualTo(moments);
  }

  @Test
  void encode_halfOfASurrogatePair_isRefusedAndToldWhere() {
    Codec<Map<String, List<Mail>>> codec = json(new TypeReference<>() {});

    assertThatThrownBy(
            () -> codec.encode(Map.of("new", List.of(new Mail("ada", "broken \ud83d text", 0)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at=\"/new/0/text\"");
    assertThatThrownBy(() -> codec.encode(Map.of("\udc00", List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("half of a surrogate pair");
    Map<String, List<Mail>> whole = Map.of("new", List.of(new Mail("ada", "\ud83d\ude00", 0)));
    assertThat(codec.decode(codec.encode(whole))).isEqualTo(whole);
  }

  @Test
  void typeWithParameters_thereAndBack_isTheSame() {
    Codec<Map<String, List<Mail>>> codec = json(new TypeReference<>() {});
    Map<String, List<Mail>> mails = Map.of("new", List.of(new Mail("ada", null, 0)));

    assertThat(codec.decode(codec.encode(mails))).isEqualTo(mails);
    assertThat(codec)
        .hasToString(
            "JSON of java.util.Map<java.lang.String,"
                + "java.util.List<io.millrace.jackson.JsonCodecTest$Mail>>");
  }

  @Test
  void decode_propertiesOfANewerOrOlderProgram_arePassedOverOrAbsent() {
    byte[] bytes = "{\"to\":\"ada\",\"urgency\":{\"level\":3}}".getBytes(UTF_8);

    assertThat(json(Mail.class).decode(bytes)).isEqualTo(new Mail("ada", null, 0));
  }

  @Test
  void json_mapperOfTheUsers_writesAsThatDoes() {
    JsonMapper mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
            .build();

    assertThat(text(json(Mail.class, mapper).encode(new Mail("ada", "hi", 1))))
        .isEqualTo("{\"To\":\"ada\",\"Text\":\"hi\",\"Copies\":1}");
    assertThat(text(json(new TypeReference<Mail>() {}, mapper).encode(new Mail("ada", "hi", 1))))
        .contains("\"To\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "null", "{", "[]", "\"ada\"", "{\"to\":[]}", "{\"to\":\"a\"} {}", "\u0000"})
  void decode_noSuchValue_saysOfWhichTypeAndNotWhatWasThere(String bytes) {
    assertThatThrownBy(() -> json(Mail.class).decode(bytes.getBytes(UTF_8)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining(
            "bytes are no JSON of this type: type=io.millrace.jackson.JsonCodecTest$Mail, length="
                + bytes.length());
  }

  @Test
  void encode_valueThatJsonCannotHold_isRefused() {
    assertThatThrownBy(() -> json(Ring.class).encode(new Ring()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("value cannot be written as JSON: type=io.millrace.jackson");
  }

  @Test
  void jobsAndTables_withIt_keepRecords() {
    JobType<Mail> type = JobType.of("mail", json(Mail.class));
    Mail mail = new Mail("ada", "hi", 1);
    try (JobEngine engine = JobEngine.open("memory:json-codec")) {
      Table<String, Mail> sent = engine.table("sent", Codec.TEXT, json(Mail.class));
      engine.enqueue(type, mail);

      Lease lease = engine.queue("mail").claim("w1", Duration.ofSeconds(30)).orElseThrow();
      sent.put("1", type.codec().decode(lease.payload()));

      assertThat(lease.headers()).containsEntry("content-type", "application/json");
      assertThat(sent.get("1")).contains(mail);
      lease.complete().orThrow();
    }
  }
}
