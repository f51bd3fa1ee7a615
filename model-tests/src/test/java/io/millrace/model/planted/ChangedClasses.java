package io.millrace.model.planted;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles sources that a bug was planted into, against everything else as it is. The compiler is
 * the JDK's alone: a bug may handle null as no main code may.
 */
final class ChangedClasses implements AutoCloseable {

  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

  /** Knows the class path, which need not be read again for each bug. */
  private final StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);

  /** Compiles into a folder, which then hides the sound classes from where it is first. */
  static void compile(Map<Path, String> sources, Path into) throws IOException {
    Files.createDirectories(into);
    try (ChangedClasses classes = new ChangedClasses()) {
      DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
      if (!classes.task(sources, said, List.of("-d", into.toString())).call()) {
        throw new AssertionError("the bug does not compile:\n" + errors(said));
      }
    }
  }

  /** What the compiler has against the sources; empty if nothing. Writes no class. */
  String errors(Map<Path, String> sources) throws IOException {
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    task(sources, said, List.of("--should-stop=ifNoError=FLOW")).call();
    return errors(said);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  private JavaCompiler.CompilationTask task(
      Map<Path, String> sources, DiagnosticCollector<JavaFileObject> said, List<String> more) {
    List<Source> units =
        sources.entrySet().stream().map(one -> new Source(one.getKey(), one.getValue())).toList();
    List<String> options =
        new ArrayList<>(List.of("--release", "17", "-proc:none", "-nowarn", "-cp"));
    options.add(System.getProperty("java.class.path"));
    options.addAll(more);
    return compiler.getTask(null, files, said, options, null, units);
  }

  private static String errors(DiagnosticCollector<JavaFileObject> said) {
    return said.getDiagnostics().stream()
        .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
        .map(Diagnostic::toString)
        .collect(Collectors.joining("\n"));
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
