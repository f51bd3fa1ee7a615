package io.millrace.spring.autoconfigure;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.jackson.JsonCodec;
import io.millrace.spring.PayloadCodecs;
import java.lang.reflect.Type;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Payloads as JSON by the application's mapper, if that is one of Jackson 2. */
@AutoConfiguration(
    before = MillraceAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
      "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration"
    })
@ConditionalOnClass({ObjectMapper.class, JsonCodec.class})
@ConditionalOnSingleCandidate(ObjectMapper.class)
public final class MillraceJackson2AutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  PayloadCodecs millracePayloadCodecs(ObjectMapper mapper) {
    return type -> JsonCodec.json(reference(type), mapper);
  }

  private static TypeReference<Object> reference(Type type) {
    return new TypeReference<>() {
      @Override
      public Type getType() {
        return type;
      }
    };
  }
}
