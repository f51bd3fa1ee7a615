package io.millrace.internal.transition;

import static io.millrace.internal.transition.TransitionRig.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.NameSettings;
import io.millrace.internal.transition.queue.ConfigureName;
import io.millrace.internal.transition.queue.Queues;
import io.millrace.internal.transition.upkeep.Quarantine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The row of what is set for a name: damaged, set aside, and written anew from memory. */
class NameSettingsRowTest {

  private static final byte[] KEY = NameSettings.key(MAIL.name());
  private static final QueueSettings SETTINGS = QueueSettings.DEFAULT.depthMax(7);

  private final TransitionRig rig = new TransitionRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private boolean configure(QueueSettings expected, QueueSettings settings) {
    return rig.apply(new ConfigureName(MAIL.name(), expected, settings)).isEmpty();
  }

  private QueueSettings held(String tenant) {
    QueueSettings[] held = new QueueSettings[1];
    rig.look(batch -> held[0] = Queues.named(batch, new QueueName("mail", tenant)).settings());
    return held[0];
  }

  @Test
  void quarantine_nameIsInMemory_rowIsWrittenAnewAsItWas() {
    configure(QueueSettings.DEFAULT, SETTINGS);
    assertThat(held("a").depthMax()).hasValue(7);
    rig.damage(KEY);

    boolean wasSetAside = rig.apply(new Quarantine(KEY));
    boolean again = rig.apply(new Quarantine(KEY));

    assertThat(wasSetAside).isTrue();
    assertThat(again).isFalse();
    assertThat(rig.rowCount(Keyspace.QUARANTINE)).isEqualTo(1);
    rig.state.forgetStored();
    assertThat(held("b").depthMax()).hasValue(7);
  }

  @Test
  void quarantine_nobodyKnowsWhatWasSaid_nothingIsSaidAnyMore() {
    configure(QueueSettings.DEFAULT, SETTINGS);
    rig.damage(KEY);

    assertThat(rig.apply(new Quarantine(KEY))).isTrue();

    assertThat(rig.rowCount(Keyspace.TABLE)).isZero();
    assertThat(rig.rowCount(Keyspace.QUARANTINE)).isEqualTo(1);
    assertThat(held("a").depthMax()).isEmpty();
    assertThat(configure(QueueSettings.DEFAULT, SETTINGS)).isTrue();
    assertThat(held("a").depthMax()).hasValue(7);
  }

  @Test
  void quarantine_soundRow_isLeftAlone() {
    configure(QueueSettings.DEFAULT, SETTINGS);

    assertThat(rig.apply(new Quarantine(KEY))).isFalse();

    assertThat(rig.rowCount(Keyspace.TABLE)).isEqualTo(1);
    assertThat(rig.rowCount(Keyspace.QUARANTINE)).isZero();
  }

  @Test
  void configureName_basedOnWhatIsNotSaidAnyMore_changesNothing() {
    assertThat(configure(QueueSettings.DEFAULT, SETTINGS)).isTrue();

    assertThat(configure(QueueSettings.DEFAULT, QueueSettings.DEFAULT.depthMax(9))).isFalse();

    assertThat(held("a").depthMax()).hasValue(7);
    assertThat(configure(SETTINGS, QueueSettings.DEFAULT)).isTrue();
    assertThat(rig.rowCount(Keyspace.TABLE)).isZero();
    assertThat(held("a").depthMax()).isEmpty();
  }

  @Test
  void configureName_batchThatNeverHappens_isForgotten() {
    configure(QueueSettings.DEFAULT, SETTINGS);
    assertThat(held("a").depthMax()).hasValue(7);

    rig.applyInVain(new ConfigureName(MAIL.name(), SETTINGS, QueueSettings.DEFAULT.depthMax(9)));

    assertThat(held("a").depthMax()).hasValue(7);
    assertThat(configure(SETTINGS, QueueSettings.DEFAULT.depthMax(9))).isTrue();
    assertThat(held("a").depthMax()).hasValue(9);
  }
}
