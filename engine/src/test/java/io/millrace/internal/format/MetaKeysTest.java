package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetaKeysTest {

  @Test
  void keys_areWhatIsOnDisk() {
    assertThat(MetaKeys.FORMAT).isEqualTo(Samples.hex("01 666f726d6174"));
    assertThat(MetaKeys.CLEAN_STOP).isEqualTo(Samples.hex("01 636c65616e2d73746f70"));
    assertThat(MetaKeys.TIME).isEqualTo(Samples.hex("01 74696d65"));
    assertThat(MetaKeys.QUEUE_NUMBERS).isEqualTo(Samples.hex("01 71756575652d6e756d62657273"));
    assertThat(MetaKeys.COPYING).isEqualTo(Samples.hex("01 636f7079696e67"));
  }
}
