package io.millrace.cli.demo;

import io.millrace.cli.text.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What an {@link IOException} means, in words. */
final class Reason {

  private Reason() {}

  /** The reason without the file's name, which whoever asks has shown already. */
  static String of(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NotDirectoryException) {
      return "not a folder";
    }
    String text =
        e instanceof FileSystemException named && named.getReason() != null
            ? named.getReason()
            : e.getMessage();
    return text == null ? e.getClass().getSimpleName() : Printable.text(text);
  }
}
