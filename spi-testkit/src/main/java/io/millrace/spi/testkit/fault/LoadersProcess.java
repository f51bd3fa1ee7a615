package io.millrace.spi.testkit.fault;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process with several applications in it, as an application server is: each has all classes for
 * itself, and uses a store of its own. It says how that went, and dies.
 *
 * <p>Arguments: scheme, store folders.
 */
public final class LoadersProcess {

  private LoadersProcess() {}

  /** Runs the process. */
  public static void main(String[] args) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry :
        System.getProperty("java.class.path").split(System.getProperty("path.separator"))) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    List<String> said = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      // Not closed: the applications live on beside each other.
      ClassLoader loader =
          new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
      Thread.currentThread().setContextClassLoader(loader);
      Class<?> program = loader.loadClass(OpenProcess.class.getName());
      said.add(
          (String)
              program.getMethod("use", String.class, String.class).invoke(null, args[0], args[i]));
    }
    System.out.println(String.join(", ", said));
    Runtime.getRuntime().halt(0);
  }
}
