package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EngineHarness;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.rig.InProcess;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What tests of damaged rows have in common. */
@InProcess("damaged rows of the store, whoever calls")
abstract class DamageTrapsTest extends TrapTest {

  /** What becomes of a row. */
  interface Damage {
    /** The value that is found instead; null if there is no row. */
    byte @Nullable [] of(byte[] key, byte[] value);
  }

  /** A bit of the row is another one. */
  static byte[] flipped(byte[] value) {
    byte[] flipped = value.clone();
    flipped[flipped.length - 1] ^= 1;
    return flipped;
  }

  /** Closes the engine and damages the keyspace's row at this place. */
  final void damage(EngineHarness harness, Keyspace keyspace, int index, Damage damage) {
    harness.engine().close();
    Map<byte[], byte[]> rows = rows(harness, keyspace);
    byte[] key = List.copyOf(rows.keySet()).get(index);
    harness.machine().overwrite(store(), key, damage.of(key, rows.get(key)));
  }

  /** All rows of the keyspace, in their order, in the store of an engine that is closed. */
  final Map<byte[], byte[]> rows(EngineHarness harness, Keyspace keyspace) {
    Map<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    try (OrderedStore store = harness.machine().open(readOnly());
        ReadView view = store.read()) {
      view.scan(
          keyspace.start(),
          keyspace.end(),
          Integer.MAX_VALUE,
          (key, value) -> {
            rows.put(key, value);
            return true;
          });
    }
    return rows;
  }

  /** Repairs the store of an engine that is closed, and looks at an engine on the repaired one. */
  final void repair(EngineHarness harness, Consumer<JobEngine> look) {
    StorePlace damaged = new StorePlace(harness.machine(), StoreOptions.of(store()));
    StorePlace repaired =
        new StorePlace(harness.machine(), StoreOptions.of(folder.resolve("repaired")));
    Stores.repair(damaged, repaired, finding -> {});
    try (JobEngine engine =
        JobEngine.open(repaired.factory(), repaired.options(), harness.options())) {
      assertThat(engine.verify().problems()).isEmpty();
      look.accept(engine);
      assertThat(engine.verify().problems()).isEmpty();
    }
    harness.openAgain();
  }

  final Path store() {
    return folder.resolve("store");
  }

  private StoreOptions readOnly() {
    return StoreOptions.of(store()).access(StoreOptions.Access.READ_ONLY);
  }
}
