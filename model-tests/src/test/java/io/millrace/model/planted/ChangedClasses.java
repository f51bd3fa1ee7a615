package io.millrace.model.planted;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles sources that a bug was planted into, against everything else as it is. */
final class ChangedClasses {

  private ChangedClasses() {}

  /** Compiles into a folder, which then hides the sound classes from where it is first. */
  static void compile(Map<Path, String> sources, Path into) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Source> units =
        sources.entrySet().stream().map(one -> new Source(one.getKey(), one.getValue())).toList();
    StringWriter said = new StringWriter();
    Files.createDirectories(into);
    List<String> options =
        List.of(
            "--release",
            "17",
            "-proc:none",
            "-nowarn",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            into.toString());
    boolean isCompiled = compiler.getTask(said, null, null, options, null, units).call();
    if (!isCompiled) {
      throw new AssertionError("the bug does not compile:\n" + said);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(Path file, String text) {
      super(URI.create("memory:///" + file.getFileName()), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
