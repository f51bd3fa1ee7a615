package io.millrace.spring.boot4;

import io.millrace.spring.contract.ActuatorContractTest;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationContext;

class ActuatorTest extends ActuatorContractTest {

  @Override
  protected Shown health(ApplicationContext context) {
    Health health = context.getBean("millraceHealthIndicator", HealthIndicator.class).health();
    return new Shown(health.getStatus().getCode(), health.getDetails());
  }
}
