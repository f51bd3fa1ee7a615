package io.millrace.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StoreOptionsTest {

  private static final Path FOLDER = Path.of("folder");

  @Test
  void of_folder_hasTheDefaults() {
    StoreOptions options = StoreOptions.of(FOLDER);

    assertThat(options)
        .isEqualTo(
            new StoreOptions(FOLDER, 274_877_906_944L, Access.READ_WRITE, LostCommits.REFUSE));
  }

  @Test
  void with_eachOption_changesThatOneAlone() {
    StoreOptions options = StoreOptions.of(FOLDER);

    assertThat(options.withStoreBytesMax(1 << 20))
        .isEqualTo(new StoreOptions(FOLDER, 1 << 20, Access.READ_WRITE, LostCommits.REFUSE));
    assertThat(options.withAccess(Access.READ_ONLY).withAccess(Access.READ_WRITE))
        .isEqualTo(options);
    assertThat(options.withAccess(Access.READ_ONLY).withLostCommits(LostCommits.ACCEPT))
        .isEqualTo(
            new StoreOptions(
                FOLDER,
                StoreOptions.STORE_BYTES_MAX_DEFAULT,
                Access.READ_ONLY,
                LostCommits.ACCEPT));
    assertThat(options.withEpochLeast(1_001).withAccess(Access.READ_ONLY).epochLeast())
        .isEqualTo(1_001);
  }

  @Test
  void options_outOfRange_areRefused() {
    StoreOptions options = StoreOptions.of(FOLDER);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withStoreBytesMax((1 << 20) - 1))
        .withMessage("storeBytesMax is too small: value=1048575, least=1048576");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withEpochLeast(0))
        .withMessage("epochLeast is too low: value=0, least=1");
    assertThatNullPointerException().isThrownBy(() -> StoreOptions.of(null)).withMessage("folder");
    assertThatNullPointerException()
        .isThrownBy(() -> options.withAccess(null))
        .withMessage("access");
    assertThatNullPointerException()
        .isThrownBy(() -> options.withLostCommits(null))
        .withMessage("lostCommits");
  }
}
