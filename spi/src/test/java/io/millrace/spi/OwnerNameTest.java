package io.millrace.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnerNameTest {

  @Test
  void ofThisProcess_isOneAndNewNodesAreOthers() {
    OwnerName process = OwnerName.ofThisProcess();

    assertThat(process).isSameAs(OwnerName.ofThisProcess());
    assertThat(process.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(OwnerName.newNode()).isNotEqualTo(process).isNotEqualTo(OwnerName.newNode());
  }

  @Test
  void equals_anotherAddress_isTheSameOwner() {
    OwnerName owner = OwnerName.of("db-host", 7, "n1");

    assertThat(owner.address("10.0.0.5:7171"))
        .isEqualTo(owner)
        .hasSameHashCodeAs(owner)
        .hasToString("host=db-host, pid=7, node=n1, address=10.0.0.5:7171");
    assertThat(owner).isNotEqualTo(OwnerName.of("db-host", 7, "n2"));
  }

  @Test
  void hostName_isTheEnvironments() {
    assertThat(OwnerName.hostName(Map.of("HOSTNAME", "unix", "COMPUTERNAME", "w")))
        .isEqualTo("unix");
    assertThat(OwnerName.hostName(Map.of("COMPUTERNAME", "windows"))).isEqualTo("windows");
    assertThat(OwnerName.hostName(Map.of("HOSTNAME", " "))).isEqualTo("unknown");
    assertThat(OwnerName.hostName(Map.of())).isEqualTo("unknown");
  }

  @Test
  void of_badParts_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerName.of("", 1, "n"))
        .withMessage("host has a bad length: value=0, least=1, most=255");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerName.of("h", -1, "n"))
        .withMessage("pid is negative: value=-1, least=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OwnerName.of("h", 1, "n").address("x".repeat(256)))
        .withMessage("address has a bad length: value=256, least=0, most=255");
  }

  @Test
  void storeLocked_byTime_tellsWhoAndForHowLong() {
    OwnerName owner = OwnerName.of("db-host", 7, "n1");

    StoreLockedException locked =
        StoreLockedException.held("//db/app", owner, Duration.ofMillis(1_500));

    assertThat(locked)
        .hasMessageContaining("location=//db/app, host=db-host, pid=7, node=n1, freeIn=PT1.5S");
    assertThat(locked.holder()).contains(owner);
    assertThat(locked.holderPid()).hasValue(7);
    assertThat(locked.freeIn()).contains(Duration.ofMillis(1_500));
    assertThat(new StoreLockedException("locked", 9).holder()).isEmpty();
    assertThat(new StoreLockedException("locked", 9).freeIn()).isEmpty();
  }
}
