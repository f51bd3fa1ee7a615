package io.millrace.console.source;

import io.millrace.api.JobReader;
import java.lang.reflect.Proxy;
import java.util.function.Function;

/**
 * A reader in name only: the source that is to be shown in place of what a reader reads. So the
 * command line shows the engine of another process, of which there is no reader, and the public API
 * need not know of sources.
 */
public interface Sourced extends JobReader {

  /** Returns the source. */
  Source source(boolean isReadOnly);

  /** Returns a reader that stands for a source, and can be asked for nothing else. */
  static JobReader of(Function<Boolean, Source> source) {
    return (JobReader)
        Proxy.newProxyInstance(
            Sourced.class.getClassLoader(),
            new Class<?>[] {Sourced.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("source")) {
                return source.apply((Boolean) arguments[0]);
              }
              throw new UnsupportedOperationException("a source is no reader: " + method.getName());
            });
  }
}
