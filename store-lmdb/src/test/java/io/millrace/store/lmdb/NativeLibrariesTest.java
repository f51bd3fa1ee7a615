package io.millrace.store.lmdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.NativeLibrariesContractTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class NativeLibrariesTest extends NativeLibrariesContractTest {

  NativeLibrariesTest() {
    super(LmdbStoreFactory::new, "LMDB", 2);
  }

  @Test
  void load_userNamedAnExtractFolder_isLeftAlone() throws IOException {
    Path own = Files.createDirectory(outside.resolve("own"));

    assertThat(open(List.of("-Dlmdbjava.extract.dir=" + own, "-Djffi.extract.dir=" + own)))
        .isEqualTo("used 1");

    assertThat(cachedFiles()).isEmpty();
  }

  @Test
  void load_unsafeMemoryAccessDenied_works() throws IOException {
    List<String> flags = new ArrayList<>(List.of("-Djffi.unsafe.disabled=true"));
    if (Machine.isNativeAccessAsked()) {
      flags.add("--sun-misc-unsafe-memory-access=deny");
      flags.add("--illegal-native-access=deny");
    }

    assertThat(open(flags)).isEqualTo("used 1");
  }
}
