package io.millrace.cli;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.stream.Stream;

/**
 * Standard output that remembers when it failed. {@code System.out} keeps that to itself, so that a
 * command would write for ever to a pipe that nobody reads any more.
 */
final class StandardOut {

  /** The properties that name the encoding of a terminal; the second before release 19. */
  private static final String[] ENCODINGS = {"stdout.encoding", "sun.stdout.encoding"};

  private StandardOut() {}

  static PrintWriter writer() {
    FileOutputStream file = new FileOutputStream(FileDescriptor.out);
    return new PrintWriter(new BufferedWriter(new OutputStreamWriter(file, charset())), true);
  }

  private static Charset charset() {
    return Stream.of(ENCODINGS)
        .map(name -> System.getProperty(name, ""))
        .filter(name -> !name.isEmpty() && Charset.isSupported(name))
        .findFirst()
        .map(Charset::forName)
        .orElseGet(Charset::defaultCharset);
  }
}
