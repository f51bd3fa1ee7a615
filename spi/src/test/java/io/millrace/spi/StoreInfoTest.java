package io.millrace.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreInfoTest {

  private final StoreInfo least = StoreInfo.of("kind", "id");

  @Test
  void of_nameAndId_isWhatEveryStoreTakes() {
    assertThat(least)
        .hasToString(
            "StoreInfo[kind, id, 511, 16777216, 16777727, 4096, 2, POWER_LOSS, SEPARATE, EXCLUSIVE,"
                + " FOLDER, PT0S, Optional.empty]");
  }

  @Test
  void change_eachFact_changesThatOneAlone() {
    StoreInfo changed =
        least
            .keyBytesMax(1)
            .valueBytesMax(2)
            .batchBytesMax(3)
            .batchOperationsMax(4)
            .viewCountMax(5)
            .durability(StoreInfo.Durability.NONE)
            .syncing(StoreInfo.Syncing.WITH_WRITE)
            .sharing(StoreInfo.Sharing.SHARED)
            .backup(StoreInfo.Backup.NONE)
            .roundTripHint(Duration.ofMillis(6))
            .folder(Path.of("/x/../data"));

    assertThat(changed)
        .hasToString(
            "StoreInfo[kind, id, 1, 2, 3, 4, 5, NONE, WITH_WRITE, SHARED, NONE, PT0.006S,"
                + " Optional[/data]]")
        .isNotEqualTo(least);
    assertThat(StoreInfo.of("kind", "id")).isEqualTo(least).hasSameHashCodeAs(least);
  }

  @Test
  void change_outOfRange_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> least.viewCountMax(1))
        .withMessage("viewCountMax is too low: value=1, least=2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> least.batchBytesMax(0))
        .withMessage("batchBytesMax is too low: value=0, least=1");
    assertThatIllegalArgumentException().isThrownBy(() -> least.keyBytesMax(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> least.roundTripHint(Duration.ofMillis(-1)));
  }

  @Test
  void scanSize_likelyBeyondTheMost_isTheMost() {
    assertThat(ScanSize.of(9, 4)).isEqualTo(ScanSize.all(4)).hasToString("likely=4, most=4");
    assertThat(ScanSize.of(3, 4)).hasToString("likely=3, most=4").isNotEqualTo(ScanSize.all(4));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ScanSize.all(0))
        .withMessage("rowCountMax is below 1: value=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ScanSize.of(0, 1))
        .withMessage("likely is below 1: value=0");
  }
}
