package io.millrace.store.lmdb;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;

/** A process that opens a store, uses it once, says how that went, and dies without closing it. */
final class OpenProcess {

  private OpenProcess() {}

  public static void main(String[] args) {
    try {
      OrderedStore store = new LmdbStoreFactory().open(StoreOptions.of(Path.of(args[0])));
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
