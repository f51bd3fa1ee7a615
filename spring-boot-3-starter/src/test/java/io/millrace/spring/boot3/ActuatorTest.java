package io.millrace.spring.boot3;

import io.millrace.spring.contract.ActuatorContractTest;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.context.ApplicationContext;

class ActuatorTest extends ActuatorContractTest {

  @Override
  protected Shown health(ApplicationContext context) {
    Health health =
        context.getBean("millraceHealthIndicator", HealthIndicator.class).getHealth(true);
    return new Shown(health.getStatus().getCode(), health.getDetails());
  }
}
