package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.QueueName;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueNameRecordTest extends RecordContractTest<QueueNameRecord> {

  @Override
  List<Golden<QueueNameRecord>> golden() {
    return List.of(
        new Golden<>(
            "03 00000001",
            "01 a035e254 01046d61696c 0202c3a9 030101",
            new QueueNameRecord(new QueueName("mail", "é"), QueueNameRecord.State.DROPPED)),
        new Golden<>(
            "03 00000001",
            "01 6b3f1b48 01046d61696c",
            new QueueNameRecord(QueueName.of("mail"), QueueNameRecord.State.LIVE)));
  }

  @Override
  Row<QueueNameRecord> sample(Samples samples) {
    return new Row<>(
        QueueNameKeys.key(samples.integer()),
        new QueueNameRecord(
            samples.queueName(),
            samples.flag() ? QueueNameRecord.State.LIVE : QueueNameRecord.State.DROPPED));
  }

  @Override
  byte[] encode(byte[] key, QueueNameRecord record) {
    return record.encode(key);
  }

  @Override
  QueueNameRecord decode(byte[] key, byte[] value) {
    return QueueNameRecord.decode(key, value);
  }

  @Test
  void decode_withoutName_isCorrupt() {
    byte[] key = QueueNameKeys.key(1);

    assertThatThrownBy(() -> QueueNameRecord.decode(key, sealed(key, new byte[0])))
        .hasMessageStartingWith(
            "stored row is corrupt: keyspace=QUEUE_NAME, key=0300000001, reason=name");
  }
}
