package io.millrace.api;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.QueueSettings.Expiry;
import io.millrace.api.QueueSettings.KeyOrder;
import io.millrace.api.QueueSettings.Setting;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Settings of a queue, those of its name, and the defaults. */
class QueueSettingsTest {

  private static final Backoff FIXED = Backoff.fixed(ofSeconds(7));

  @Test
  void said_whatIsAskedFor_isWhatWasSaidHere() {
    QueueSettings none = QueueSettings.DEFAULT;

    assertThat(none.setHere()).isEmpty();
    assertThat(none.leaseDuration(ofSeconds(30)).setHere()).containsExactly(Setting.LEASE_DURATION);
    assertThat(none.noDepthMax().setHere()).containsExactly(Setting.DEPTH_MAX);
    assertThat(none.noResultRetention().setHere()).containsExactly(Setting.RESULT_RETENTION);
    assertThat(none.noDeadRetention().setHere()).containsExactly(Setting.DEAD_RETENTION);
    assertThat(none.expiry(Expiry.READY_AT_ONCE).setHere()).containsExactly(Setting.EXPIRY);
    assertThat(none.retry(20, Backoff.DEFAULT).setHere()).containsExactly(Setting.RETRY);
    assertThat(none.keyOrder(KeyOrder.PASSING).setHere()).containsExactly(Setting.KEY_ORDER);
    assertThat(none.noDepthMax()).isNotEqualTo(none);
  }

  @Test
  void inherit_whatWasSaid_isTheDefaultAgainAndTheRestStays() {
    QueueSettings all =
        QueueSettings.DEFAULT
            .leaseDuration(ofSeconds(3))
            .depthMax(3)
            .expiry(Expiry.BACKOFF)
            .retry(3, FIXED)
            .resultRetention(ofSeconds(3))
            .deadRetention(ofSeconds(3))
            .perKey(3)
            .rateLimit(RateLimit.of(3, ofSeconds(1)))
            .noRateLimitPerKey()
            .share(3)
            .keyOrder(KeyOrder.STRICT);
    assertThat(all.setHere()).isEqualTo(EnumSet.allOf(Setting.class));
    QueueSettings left = all;
    for (Setting setting : Setting.values()) {
      Set<Setting> rest = EnumSet.copyOf(left.setHere());
      assertThat(rest.remove(setting)).isTrue();
      left = left.inherit(setting);
      assertThat(left.setHere()).isEqualTo(rest);
    }

    assertThat(left).isEqualTo(QueueSettings.DEFAULT);
    assertThat(all.inherit(Setting.RETRY).depthMax()).hasValue(3);
    assertThat(all.inherit(Setting.RETRY).maxAttempts()).isEqualTo(20);
    assertThat(all.inherit(Setting.RETRY).backoff()).isEqualTo(Backoff.DEFAULT);
  }

  @Test
  void over_eachSetting_isTheOwnElseTheOthers() {
    QueueSettings own = QueueSettings.DEFAULT.depthMax(3).leaseDuration(ofSeconds(30));
    QueueSettings others =
        QueueSettings.DEFAULT.depthMax(9).leaseDuration(ofMinutes(9)).retry(9, FIXED);

    QueueSettings merged = own.over(others);

    assertThat(merged.depthMax()).hasValue(3);
    assertThat(merged.leaseDuration()).isEqualTo(ofSeconds(30));
    assertThat(merged.maxAttempts()).isEqualTo(9);
    assertThat(merged.backoff()).isEqualTo(FIXED);
    assertThat(merged.expiry()).isEqualTo(Expiry.READY_AT_ONCE);
    assertThat(merged.setHere()).containsExactly(Setting.LEASE_DURATION, Setting.DEPTH_MAX);
    assertThat(own.maxAttempts()).isEqualTo(QueueSettings.MAX_ATTEMPTS_DEFAULT);
    assertThat(merged.over(QueueSettings.DEFAULT)).isEqualTo(own);
    assertThat(QueueSettings.DEFAULT.over(others).setHere()).isEmpty();
  }
}
