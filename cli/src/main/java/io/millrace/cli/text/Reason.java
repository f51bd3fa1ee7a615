package io.millrace.cli.text;

import io.millrace.console.text.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;
import java.util.regex.Pattern;

/** The meaning of exceptions, in words that fit into a sentence. */
public final class Reason {

  private static final Map<String, String> WORDS =
      Map.of(
          NoSuchFileException.class.getName() + ": ", "no such file or folder: ",
          AccessDeniedException.class.getName() + ": ", "permission denied: ");

  private static final Pattern NAME =
      Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z]\\w*(?:Exception|Error): ");

  private Reason() {}

  /** Returns the reason without the file's name, which the caller has shown already. */
  public static String of(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NotDirectoryException) {
      return "not a folder";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "something of that name is there already";
    }
    if (e instanceof DirectoryNotEmptyException) {
      return "the folder is not empty";
    }
    String text =
        e instanceof FileSystemException named && named.getReason() != null
            ? named.getReason()
            : e.getMessage();
    return text == null ? e.getClass().getSimpleName() : Printable.text(text);
  }

  /** Returns the message of an exception that quotes others, with words in place of their names. */
  public static String plain(String message) {
    String plain = message;
    for (Map.Entry<String, String> known : WORDS.entrySet()) {
      plain = plain.replace(known.getKey(), known.getValue());
    }
    return NAME.matcher(plain).replaceAll("");
  }

  /** Returns the reason of the innermost cause, in one line. */
  public static String root(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    if (root instanceof IOException io) {
      return of(io);
    }
    String text = root.getMessage();
    return text == null ? root.getClass().getSimpleName() : Printable.text(text);
  }
}
