package io.millrace.model.planted;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.launcher.TagFilter.excludeTags;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;

/**
 * A test of the repository by its name, whichever module it is in.
 *
 * @param className binary name of the class that is run, which may inherit the test
 * @param method name of the method, which no other method of the class has
 */
record NamedTest(String className, String method) {

  /** Tests run in the folder of their module; the other modules are beside it. */
  static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  private static final Path SETTINGS = Path.of("target/test-classes/junit-platform.properties");

  /** The test that is written {@code class#method}. */
  static NamedTest of(String text) {
    String[] parts = text.split("#");
    if (parts.length != 2) {
      throw new IllegalArgumentException("not the name of a test, class#method: " + text);
    }
    return new NamedTest(parts[0], parts[1]);
  }

  /** As a reader looks for it: with its module, without its package. */
  String shortName() {
    String simple = className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
    return module().getFileName() + ": `" + simple + "." + method + "`";
  }

  @Override
  public String toString() {
    return className + "#" + method;
  }

  /** The folder of the module that it is in. */
  Path module() {
    String source = className.replaceFirst("\\$.*", "").replace('.', '/') + ".java";
    try (Stream<Path> modules = Files.list(REPOSITORY)) {
      return modules
          .filter(module -> Files.exists(module.resolve("src/test/java").resolve(source)))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no module has the test class " + className));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The compiled tests of its module. */
  Path classes() {
    return module().resolve("target/test-classes");
  }

  /** Tells whether there is such a test and continuous integration runs it. */
  boolean isRun(Launcher launcher) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new OwnFirst(classes(), module().resolve("target/classes"))) {
      thread.setContextClassLoader(loader);
      return selector(loader)
          .map(selector -> launcher.discover(request(selector)).containsTests())
          .orElse(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** The tests of a module and what they test, in one package for both. */
  private static final class OwnFirst extends URLClassLoader {

    OwnFirst(Path tests, Path main) throws IOException {
      super(new URL[] {tests.toUri().toURL(), main.toUri().toURL()});
    }

    @Override
    protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        boolean isOwn = findLoadedClass(name) == null && findResource(file(name)) != null;
        return isOwn ? findClass(name) : super.loadClass(name, isResolved);
      }
    }

    private static String file(String name) {
      return name.replace('.', '/') + ".class";
    }
  }

  /** What selects it, if a class loader knows it. */
  Optional<MethodSelector> selector(ClassLoader loader) {
    try {
      Class<?> tested = Class.forName(className, false, loader);
      for (Class<?> at = tested; at != null; at = at.getSuperclass()) {
        for (Method found : at.getDeclaredMethods()) {
          if (found.getName().equals(method)) {
            return Optional.of(selectMethod(tested, found));
          }
        }
      }
      return Optional.empty();
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Asks for one test as continuous integration does, in the folder of the test's module. */
  static LauncherDiscoveryRequest request(MethodSelector selector) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selector)
        .filters(excludeTags("nightly"))
        // The settings of this module are on the class path of all tests, and not meant for all.
        .enableImplicitConfigurationParameters(Files.exists(SETTINGS))
        .configurationParameter("jqwik.database", "")
        .build();
  }
}
