package io.millrace.store.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.spi.StoreOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of locations: what they say, and that what is misread shows no password. */
class LocationTextTest {

  @Test
  void ofDatabase_allParts_areRead() {
    PgLocation location =
        LocationText.ofDatabase(
            "//ann:p%40ss+1@db1:5433,db2,[::1]:5434/my%20app"
                + "?schema=jobs&readers=3&reconnectSeconds=7&sslmode=require");

    assertThat(location.url()).isEqualTo("jdbc:postgresql://db1:5433,db2,[::1]:5434/my%20app");
    assertThat(location.schema()).isEqualTo("jobs");
    assertThat(location.readers()).isEqualTo(3);
    assertThat(location.patience()).isEqualTo(Duration.ofSeconds(7));
    assertThat(location.driverProperties())
        .containsEntry("user", "ann")
        .containsEntry("password", "p@ss+1")
        .containsEntry("sslmode", "require")
        .containsEntry("targetServerType", "primary")
        .hasSize(4);
  }

  @Test
  void ofDatabase_leastParts_haveDefaults() {
    PgLocation location = LocationText.ofDatabase("//db/app");

    assertThat(location.url()).isEqualTo("jdbc:postgresql://db/app");
    assertThat(location.schema()).isEqualTo("millrace");
    assertThat(location.readers()).isEqualTo(8);
    assertThat(location.patience()).isEqualTo(Duration.ofMinutes(1));
    assertThat(location.driverProperties()).isEmpty();
  }

  @Test
  void ofSource_parametersOfTheStore_areRead() {
    PgLocation location = LocationText.ofSource("orders?schema=jobs&readers=2");

    assertThat(location.schema()).isEqualTo("jobs");
    assertThat(location.readers()).isEqualTo(2);
    assertThat(LocationText.ofSource("orders").schema()).isEqualTo("millrace");
    assertThatThrownBy(() -> LocationText.ofSource("orders?user=ann&password=hidden"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "location has parameters that belong to its data source: names=[password, user]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "db/app",
        "/db/app",
        "//",
        "//db",
        "//db/",
        "//db/a/b",
        "///app",
        "//,db/app",
        "//db:/app",
        "//db:0/app",
        "//db:65536/app",
        "//db:hidden/app",
        "//ann:hidden/x@db/app",
        "//ann:hidden?x@db/app",
        "//ann:hidden%zz@db/app",
        "//:hidden@db/app",
        "//@db/app",
        "//d b/app",
        "//ann:hidden@db/app?user=bob",
        "//ann:hidden@db/app?password=hidden",
        "//db/app?password=hidden&password=hidden",
        "//db/app?password=",
        "//db/app?password",
        "//db/app?password=%hidden",
        "//db/app?hidden-1=x",
        "//db/app?pass%77ord=hidden",
        "//db/app?&",
        "//db/app?schema=",
        "//db/app?schema=pg_catalog",
        "//db/app?schema=information_schema",
        "//db/app?schema=a$b",
        "//db/app?schema=a%00b",
        "//db/app?schema=a&schema=b",
        "//db/app?readers=0",
        "//db/app?readers=1001",
        "//db/app?readers=-1",
        "//db/app?readers=9999999999",
        "//db/app?readers=two",
        "//db/app?reconnectSeconds=0",
        "//db/app?reconnectSeconds=3601",
        "//db/app?prepareThreshold=5",
        "//db/app?targetServerType=any",
        "//db/app?currentSchema=public",
        "//db/app?options=-cfsync%3Doff",
      })
  void ofDatabase_misread_isRefusedAndShowsNoSecret(String location) {
    assertThatThrownBy(() -> LocationText.ofDatabase(location))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .message()
        .doesNotContain("hidden")
        .doesNotContain("\n");
  }

  @Test
  void ofDatabase_schemaTooLong_isRefused() {
    String longest = "s".repeat(PgLocation.NAME_BYTES_MAX);

    assertThat(LocationText.ofDatabase("//db/app?schema=" + longest).schema()).isEqualTo(longest);
    assertThatThrownBy(() -> LocationText.ofDatabase("//db/app?schema=s" + longest))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 63 bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//ann:hidden@db/app",
        "//ann:hid@den@db/app",
        "//ann:hid:den@db/app",
        "//db/app?user=ann&password=hidden",
        "//db/app?sslpassword=hidden&schema=x",
      })
  void options_withAPassword_showNone(String location) {
    LocationText.ofDatabase(location);

    assertThat(StoreOptions.of(location).toString()).doesNotContain("hid").doesNotContain("den");
  }
}
