package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.QueueSettings;
import io.millrace.api.RateLimit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueRecordTest extends RecordContractTest<QueueRecord> {

  private static final long NOW_MS = 1_700_000_000_000L;

  @Override
  List<Golden<QueueRecord>> golden() {
    return List.of(
        new Golden<>(
            "02 04 6d61696c 00",
            "01 7b19c12c 010101 0706018bcfe56800",
            QueueRecord.selfMade(1, NOW_MS)),
        new Golden<>(
            "02 04 6d61696c 01 74",
            "01 f2d32e1c 010102 020101 030101 040459682f00 050203e8 060101 0706018bcfe56800 080101"
                + " 090104 0a010a 0b0203e8 0c0114 0d02ea60 0e0405265c00",
            new QueueRecord(
                2,
                QueueRecord.Origin.CONFIGURED,
                true,
                QueueSettings.DEFAULT
                    .leaseDuration(Duration.ofMillis(1500))
                    .depthMax(1000)
                    .expiry(QueueSettings.Expiry.BACKOFF)
                    .resultRetention(Duration.ofMinutes(1))
                    .deadRetention(Duration.ofDays(1))
                    .perKey(4)
                    .rateLimit(RateLimit.of(10, Duration.ofSeconds(1)).burst(20)),
                NOW_MS,
                true)),
        new Golden<>(
            "02 04 6d61696c 01 74",
            "01 0b0018f2 010102 070105 0f011f 100104 1114 02 0000000000000000 8094ebdc03 00"
                + " 8094ebdc03",
            QueueRecord.selfMade(2, 5)
                .withSettings(
                    QueueSettings.DEFAULT
                        .leaseDuration(Duration.ofSeconds(30))
                        .noDepthMax()
                        .expiry(QueueSettings.Expiry.READY_AT_ONCE)
                        .retry(4, Backoff.fixed(Duration.ofSeconds(1)))
                        .noResultRetention()
                        .noDeadRetention())),
        new Golden<>(
            "02 04 6d61696c 01 74",
            "01 555533e7 010102 070105 0f0120",
            QueueRecord.selfMade(2, 5).withSettings(QueueSettings.DEFAULT.perKey(1))),
        new Golden<>(
            "02 04 6d61696c 01 74",
            "01 b4149764 010102 070105 0f0140 120103 13020bb8 140102",
            QueueRecord.selfMade(2, 5)
                .withSettings(
                    QueueSettings.DEFAULT
                        .noRateLimit()
                        .rateLimitPerKey(new RateLimit(3, Duration.ofSeconds(3), 2)))),
        new Golden<>(
            "02 04 6d61696c 01 74",
            "01 91dd83c7 010102 070105 150101",
            QueueRecord.selfMade(2, 5).withSettings(QueueSettings.DEFAULT.share(1))),
        ordered(QueueSettings.KeyOrder.STRICT, "01 2da3ed75 010102 070105 160101"),
        ordered(QueueSettings.KeyOrder.PASSING, "01 f324d0b3 010102 070105 0f020100"));
  }

  private static Golden<QueueRecord> ordered(QueueSettings.KeyOrder order, String value) {
    return new Golden<>(
        "02 04 6d61696c 01 74",
        value,
        QueueRecord.selfMade(2, 5).withSettings(QueueSettings.DEFAULT.keyOrder(order)));
  }

  @Override
  Row<QueueRecord> sample(Samples samples) {
    return new Row<>(
        QueueKeys.key(samples.queueName()),
        new QueueRecord(
            samples.integer(),
            samples.flag() ? QueueRecord.Origin.CONFIGURED : QueueRecord.Origin.SELF_MADE,
            samples.flag(),
            settings(samples),
            samples.number(),
            samples.flag()));
  }

  @Override
  byte[] encode(byte[] key, QueueRecord record) {
    return record.encode(key);
  }

  @Override
  QueueRecord decode(byte[] key, byte[] value) {
    return QueueRecord.decode(key, value);
  }

  private static RateLimit rate(Samples samples) {
    return new RateLimit(
        1 + samples.below(1_000_000),
        Duration.ofMillis(1 + samples.below(604_800_000)),
        1 + samples.below(1_000_000));
  }

  private static QueueSettings settings(Samples samples) {
    QueueSettings.Expiry expiry =
        samples.flag() ? QueueSettings.Expiry.BACKOFF : QueueSettings.Expiry.READY_AT_ONCE;
    QueueSettings settings =
        QueueSettings.DEFAULT
            .leaseDuration(Duration.ofMillis(100).plusNanos(samples.number() >>> 15))
            .expiry(expiry);
    if (samples.flag()) {
      settings = settings.resultRetention(Duration.ofMillis(1 + samples.below(1 << 30)));
    }
    if (samples.flag()) {
      settings = settings.retry(1 + samples.below(1_000), Backoff.fixed(Duration.ofMillis(7)));
    }
    if (samples.flag()) {
      settings = settings.perKey(1 + samples.below(3));
    }
    if (samples.flag()) {
      settings = settings.rateLimit(rate(samples)).rateLimitPerKey(rate(samples));
    }
    if (samples.flag()) {
      settings = settings.noRateLimit();
    }
    if (samples.flag()) {
      settings = settings.share(1 + samples.below(3));
    }
    if (samples.flag()) {
      settings = settings.keyOrder(QueueSettings.KeyOrder.values()[samples.below(2)]);
    }
    if (samples.flag()) {
      settings = settings.noDepthMax().noResultRetention();
    }
    if (samples.flag()) {
      settings = settings.deadRetention(Duration.ofMillis(1 + samples.below(1 << 30)));
    }
    return samples.flag() ? settings : settings.depthMax(1 + (samples.number() >>> 1));
  }

  @Test
  void withers_changeOneThingEach() {
    QueueRecord queue = QueueRecord.selfMade(1, NOW_MS);
    QueueSettings settings = QueueSettings.DEFAULT.depthMax(5);

    assertThat(queue.withPaused(true).paused()).isTrue();
    assertThat(queue.withPaused(true).withPaused(false)).isEqualTo(queue);
    assertThat(queue.withDraining(true).draining()).isTrue();
    assertThat(queue.withDraining(true).withPaused(true).draining()).isTrue();
    assertThat(queue.withDraining(true).withDraining(false)).isEqualTo(queue);
    assertThat(queue.withSettings(settings).settings()).isEqualTo(settings);
    assertThat(queue.withSettings(settings).withSettings(queue.settings())).isEqualTo(queue);
    assertThat(queue.withOrigin(QueueRecord.Origin.CONFIGURED).origin())
        .isEqualTo(QueueRecord.Origin.CONFIGURED);
  }

  @Test
  void decode_settingsOutOfRange_isCorrupt() {
    byte[] key = Samples.hex("02 04 6d61696c 00");
    byte[] fields = Samples.hex("04 01 01");

    assertThatThrownBy(() -> QueueRecord.decode(key, sealed(key, fields)))
        .hasMessageStartingWith(
            "stored row is corrupt: keyspace=QUEUE, key=02046d61696c00,"
                + " reason=leaseDuration is out of range");
  }
}
