package io.millrace.spring.boot4;

import io.millrace.spring.PayloadCodecs;
import io.millrace.spring.autoconfigure.MillraceAutoConfiguration;
import io.millrace.spring.autoconfigure.MillraceJackson2AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

/**
 * Payloads as JSON by the application's mapper of Jackson 3, which is what Spring Boot 4 has unless
 * told otherwise. An application with one of Jackson 2 alone gets that.
 */
@AutoConfiguration(
    before = {MillraceJackson2AutoConfiguration.class, MillraceAutoConfiguration.class},
    afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass(JsonMapper.class)
@ConditionalOnSingleCandidate(JsonMapper.class)
public final class MillraceJackson3AutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  PayloadCodecs millracePayloadCodecs(JsonMapper mapper) {
    return type -> new Json3Codec(mapper, mapper.constructType(type));
  }
}
