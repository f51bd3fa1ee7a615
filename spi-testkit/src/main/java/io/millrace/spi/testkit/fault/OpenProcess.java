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
    try {
      OrderedStore store = StoreProcess.factory(args[0]).open(StoreOptions.of(Path.of(args[1])));
      store.write(History.batch(store.lastCommit() + 1));
      History.verify(store);
      ReadView leftOpen = store.read();
      System.out.println("used " + leftOpen.commit());
    } catch (StoreException e) {
      System.out.println(e.getMessage());
    }
    Runtime.getRuntime().halt(0);
  }
}
