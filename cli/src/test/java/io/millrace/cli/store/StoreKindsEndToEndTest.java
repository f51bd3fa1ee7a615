package io.millrace.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.command.ExitCode;
import io.millrace.cli.fixture.CommandRun;
import io.millrace.cli.fixture.PreparedStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tools find out by themselves which kind of store a folder holds. */
@Tag("slow")
class StoreKindsEndToEndTest {

  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void tools_onAFolder_workOnItsKindOfStore(String scheme) {
    PreparedStore store = PreparedStore.in(scheme, temp.resolve("store"));

    CommandRun listed = PreparedStore.run("dead list", store);
    CommandRun redriven = PreparedStore.run("dead redrive", store, "--all");
    CommandRun inspected = PreparedStore.run("inspect", store);
    CommandRun verified = PreparedStore.run("verify", store, "--json");

    assertThat(listed.out()).contains(store.dead().toString(), store.deadToo().toString());
    assertThat(redriven.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(inspected.out()).contains("mail@acme");
    assertThat(verified.out())
        .isEqualToIgnoringNewLines(
            """
            {"store":"%s:%s","clean":true,"queues":3,"jobs":4,"problemCount":0,"quarantined":0,\
            "problems":[]}\
            """
                .formatted(scheme, store.path()));
    assertThat(verified.exitCode()).isEqualTo(ExitCode.OK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void backup_ofAStoreThatNobodyHasOpen_holdsAllOfIt(String scheme) {
    PreparedStore store = PreparedStore.in(scheme, temp.resolve("store"));
    String target = temp.resolve("backup").toString();

    CommandRun backup = PreparedStore.run("backup", store, target);
    CommandRun verified = CommandRun.of("verify", target);

    assertThat(backup.exitCode()).as(backup.err()).isEqualTo(ExitCode.OK);
    assertThat(verified.out())
        .isEqualToIgnoringNewLines("ok: 3 queues, 4 jobs, 0 problems, 0 rows set aside as damaged");
  }
}
