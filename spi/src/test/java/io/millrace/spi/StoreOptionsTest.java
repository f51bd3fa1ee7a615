package io.millrace.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreOptionsTest {

  private static final Path FOLDER = Path.of("folder");

  @Test
  void of_folder_hasTheDefaults() {
    StoreOptions options = StoreOptions.of(FOLDER);

    assertThat(options).isEqualTo(StoreOptions.of("folder"));
    assertThat(options.folder()).isEqualTo(FOLDER);
    assertThat(options.owner()).isEqualTo(OwnerName.ofThisProcess());
    assertThat(options.ownedFor()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.storeBytesMax()).isEqualTo(274_877_906_944L);
    assertThat(options.access()).isEqualTo(Access.READ_WRITE);
    assertThat(options.lostCommits()).isEqualTo(LostCommits.REFUSE);
    assertThat(options.epochLeast()).isEqualTo(1);
  }

  @Test
  void folder_withoutALog_isWhatStandsBefore() {
    StoreOptions options = StoreOptions.of("a?b/jobs?log=none");

    assertThat(options.mayHaveLog()).isFalse();
    assertThat(options.folder()).isEqualTo(Path.of("a?b/jobs"));
    assertThat(StoreOptions.of("a?b").mayHaveLog()).isTrue();
    assertThat(StoreOptions.of("a?b").folder()).isEqualTo(Path.of("a?b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobs?log=", "jobs?log=off", "jobs?log=none&x=1", "jobs?log=none "})
  void folder_unknownOfALog_isRefused(String location) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreOptions.of(location).folder())
        .withMessageContaining("known=none");
  }

  @Test
  void folder_nothingBeforeTheLog_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreOptions.of("?log=none").folder())
        .withMessageContaining("names no folder");
  }

  @Test
  void change_eachOption_changesThatOneAlone() {
    StoreOptions options = StoreOptions.of(FOLDER);
    OwnerName owner = OwnerName.of("host", 7, "node");

    StoreOptions changed =
        options
            .owner(owner)
            .ownedFor(Duration.ofSeconds(9))
            .storeBytesMax(1 << 20)
            .access(Access.READ_ONLY)
            .lostCommits(LostCommits.ACCEPT)
            .epochLeast(1_001);

    assertThat(changed)
        .hasToString(
            "StoreOptions[location=folder, owner=[host=host, pid=7, node=node], ownedFor=PT9S,"
                + " storeBytesMax=1048576, access=READ_ONLY, lostCommits=ACCEPT, epochLeast=1001]")
        .hasSameHashCodeAs(changed.epochLeast(1_001))
        .isNotEqualTo(options);
    assertThat(changed.owner()).isEqualTo(owner);
    assertThat(
            changed
                .owner(OwnerName.ofThisProcess())
                .ownedFor(StoreOptions.OWNED_FOR_DEFAULT)
                .storeBytesMax(StoreOptions.STORE_BYTES_MAX_DEFAULT)
                .access(Access.READ_WRITE)
                .lostCommits(LostCommits.REFUSE)
                .epochLeast(1))
        .isEqualTo(options);
  }

  @Test
  void options_outOfRange_areRefused() {
    StoreOptions options = StoreOptions.of(FOLDER);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.storeBytesMax((1 << 20) - 1))
        .withMessage("storeBytesMax is too small: value=1048575, least=1048576");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.epochLeast(0))
        .withMessage("epochLeast is too low: value=0, least=1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.ownedFor(Duration.ofMillis(1_999)))
        .withMessage("ownedFor is out of range: value=PT1.999S, least=PT2S, most=PT10M");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.ownedFor(Duration.ofMillis(600_001)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StoreOptions.of(""))
        .withMessage("location is empty");
    assertThatNullPointerException()
        .isThrownBy(() -> StoreOptions.of((Path) null))
        .withMessage("folder");
    assertThatNullPointerException().isThrownBy(() -> options.access(null)).withMessage("access");
    assertThatNullPointerException()
        .isThrownBy(() -> options.lostCommits(null))
        .withMessage("lostCommits");
    assertThatNullPointerException().isThrownBy(() -> options.owner(null)).withMessage("owner");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"data/jobs", "/data/jobs", "./a b/c", "C:\\data\\jobs", "..", "x:y", "näme", " "})
  void folder_ofAnyFolder_isThatFolder(String folder) {
    assertThat(StoreOptions.of(folder).folder()).isEqualTo(Path.of(folder));
    assertThat(StoreOptions.of(Path.of(folder))).isEqualTo(StoreOptions.of(folder));
  }

  @Test
  void folder_ofTheEmptyPath_isTheCurrentOne() {
    assertThat(StoreOptions.of(Path.of("")).folder().toAbsolutePath().normalize())
        .isEqualTo(Path.of("").toAbsolutePath());
  }

  @ParameterizedTest
  @ValueSource(strings = {"~", "~/jobs"})
  void folder_ofAShellsHome_isRefused(String location) {
    assertThatIllegalArgumentException()
        .isThrownBy(StoreOptions.of(location)::folder)
        .withMessage(
            "location begins with ~, which shells alone read as the home folder: value=\""
                + location
                + "\"; write the folder out, or ./~ for one of that name");
  }

  @Test
  void folder_ofWhatNamesNone_isRefusedWithoutThePassword() {
    StoreOptions options = StoreOptions.of("//me:secret@host/\0");

    assertThatIllegalArgumentException()
        .isThrownBy(options::folder)
        .withMessageStartingWith("location names no folder: value=\"//me:***@host/")
        .withMessageContaining("reason=Nul character not allowed");
  }

  @ParameterizedTest
  @CsvSource({
    "//me:hidden@db1:5432/app, //me:***@db1:5432/app",
    "//me:hid@den@db1/app?schema=x, //me:***@db1/app?schema=x",
    "//db1/app?user=me&password=hidden&ssl=true, //db1/app?user=me&password=***&ssl=true",
    "//db1/app?sslPassword=hidden, //db1/app?sslPassword=***",
    "//db1/app;token=hidden, //db1/app;token=***",
    "//me@db1/app, //me@db1/app",
    "data/jobs, data/jobs"
  })
  void toString_ofALocationWithAPassword_hidesIt(String location, String shown) {
    StoreOptions options = StoreOptions.of(location);

    assertThat(options.location()).isEqualTo(location);
    assertThat(options.shownLocation()).isEqualTo(shown);
    assertThat(options.toString()).contains("location=" + shown + ",").doesNotContain("hid");
  }
}
