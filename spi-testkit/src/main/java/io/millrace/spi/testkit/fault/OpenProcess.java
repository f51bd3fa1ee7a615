package io.millrace.spi.testkit.fault;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.StoreProcess;
import java.nio.file.Path;

/**
 * A process that opens a store, uses it once, says how that went, and dies without closing it.
 *
 * <p>Arguments: scheme, store folder.
 */
public final class OpenProcess {

  private OpenProcess() {}

  public static void main(String[] args) {
    System.out.println(use(args[0], args[1]));
    Runtime.getRuntime().halt(0);
  }

  /** Uses the store once, and leaves it open. Returns how that went. */
  public static String use(String scheme, String folder) {
    try {
      OrderedStore store = StoreProcess.factory(scheme).open(StoreOptions.of(Path.of(folder)));
      store.write(History.batch(store.lastCommit() + 1));
      History.verify(store);
      ReadView leftOpen = store.read();
      return "used " + leftOpen.commit();
    } catch (StoreException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
