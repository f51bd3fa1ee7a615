package io.millrace.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.spi.testkit.fault.NativeLibrariesContractTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough")
class NativeLibrariesTest extends NativeLibrariesContractTest {

  NativeLibrariesTest() {
    super(RocksStoreFactory::new, "RocksDB", 1);
  }

  @Test
  void load_userNamedTheLibrarysFolder_isLeftAlone() throws IOException {
    Path own = Files.createDirectory(outside.resolve("own"));
    Map<String, String> environment = Map.of(NativeLibraries.LIBRARY_FOLDER, own.toString());

    assertThat(open(List.of(), environment)).isEqualTo("used 1");

    assertThat(cachedFiles()).isEmpty();
  }
}
