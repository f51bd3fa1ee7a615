package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.JobQueues;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of queues that properties name. */
public abstract class QueuesContractTest {

  @Test
  void settings_ofProperties_areThoseOfTheQueue() {
    Contexts.with()
        .withPropertyValues(
            "millrace.queues.mail.per-key=2",
            "millrace.queues.mail.rate=100/s burst 20",
            "millrace.queues.mail.rate-per-key=5/10m",
            "millrace.queues.mail.lease-duration=2m",
            "millrace.queues.mail.expiry=backoff",
            "millrace.queues.mail.depth-max=1000",
            "millrace.queues.mail.key-order=strict",
            "millrace.queues.mail.retry.max-attempts=7",
            "millrace.queues.mail.retry.backoff=fixed delay=PT5S",
            "millrace.queues.mail.result-retention=1h",
            "millrace.queues.mail.dead-retention=30d",
            "millrace.queues[mail.eu].per-key=3")
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              QueueSettings mail = queues.settings("mail");
              assertThat(mail.perKey()).isEqualTo(2);
              assertThat(mail.rateLimit()).contains(new RateLimit(100, Duration.ofSeconds(1), 20));
              assertThat(mail.rateLimitPerKey())
                  .contains(new RateLimit(5, Duration.ofMinutes(10), 1));
              assertThat(mail.leaseDuration()).isEqualTo(Duration.ofMinutes(2));
              assertThat(mail.expiry()).isEqualTo(QueueSettings.Expiry.BACKOFF);
              assertThat(mail.depthMax()).hasValue(1000);
              assertThat(mail.keyOrder()).isEqualTo(QueueSettings.KeyOrder.STRICT);
              assertThat(mail.maxAttempts()).isEqualTo(7);
              assertThat(mail.backoff()).isEqualTo(Backoff.fixed(Duration.ofSeconds(5)));
              assertThat(mail.resultRetention()).contains(Duration.ofHours(1));
              assertThat(mail.deadRetention()).contains(Duration.ofDays(30));
              assertThat(queues.settings("mail.eu").perKey()).isEqualTo(3);
              assertThat(queues.settings("mail.eu").setHere()).hasSize(1);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "rate, many, 'not a rate: value=\"many\", expected for example 100/s'",
    "rate, 100/fortnight, 'fortnight'",
    "per-key, 0, 'perKey'",
    "depth-max, -1, 'depthMax'",
    "retry.backoff, sometimes, 'backoff'",
    "retry.max-attempts, many, 'millrace.queues.mail.retry.max-attempts'"
  })
  void setting_thatIsWrong_keepsTheApplicationFromStarting(
      String property, String value, String sentence) {
    Contexts.with()
        .withPropertyValues("millrace.queues.mail." + property + "=" + value)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .satisfies(
                        failure ->
                            assertThat(messages(failure))
                                .contains("millrace.queues.mail")
                                .contains(sentence)));
  }

  private static String messages(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      text.append(each.getMessage()).append('\n');
    }
    return text.toString();
  }
}
