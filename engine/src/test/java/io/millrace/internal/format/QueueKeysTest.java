package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.QueueName;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueKeysTest extends KeysContractTest<QueueKeysTest.Parts> {

  record Parts(QueueName name) {}

  @Override
  Keyspace keyspace() {
    return Keyspace.QUEUE;
  }

  @Override
  Map<String, Parts> golden() {
    return Map.of(
        "02 04 6d61696c 00",
        new Parts(QueueName.of("mail")),
        "02 03 612f62 03 c3a900",
        new Parts(new QueueName("a/b", "é\0")));
  }

  @Override
  Parts sample(Samples samples) {
    return new Parts(samples.queueName());
  }

  @Override
  byte[] key(Parts parts) {
    return QueueKeys.key(parts.name());
  }

  @Override
  Parts parts(byte[] key) {
    return new Parts(QueueKeys.name(key));
  }

  @Override
  Comparator<Parts> order() {
    return Comparator.<Parts, String>comparing(parts -> parts.name().name(), Samples::compareTexts)
        .thenComparing(parts -> parts.name().tenant(), Samples::compareTexts);
  }

  @Override
  List<Range<Parts>> ranges(Parts parts) {
    return List.of(
        new Range<>(
            "name",
            QueueKeys.nameStart(parts.name().name()),
            QueueKeys.nameEnd(parts.name().name()),
            other -> other.name().name().equals(parts.name().name())));
  }

  @Test
  void key_ofLongestNames_isWholeAndLongest() {
    QueueName longest = new QueueName("n".repeat(200), "é".repeat(100));

    byte[] key = QueueKeys.key(longest);

    assertThat(key).hasSize(403);
    assertThat(QueueKeys.name(key)).isEqualTo(longest);
  }

  @Test
  void name_ofKeyThatIsNotUtf8_isCorrupt() {
    byte[] key = Samples.hex("02 01 ff 00");

    assertThatThrownBy(() -> QueueKeys.name(key))
        .hasMessage(
            "stored row is corrupt: keyspace=QUEUE, key=0201ff00, reason=text is not UTF-8");
  }

  @Test
  void name_ofKeyWithoutName_isCorrupt() {
    assertThatThrownBy(() -> QueueKeys.name(Samples.hex("02 00 00")))
        .hasMessageStartingWith("stored row is corrupt: keyspace=QUEUE, key=020000, reason=name");
  }
}
