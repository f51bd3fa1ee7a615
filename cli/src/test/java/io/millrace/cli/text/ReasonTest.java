package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class ReasonTest {

  @Test
  void of_eachKind_isInWordsWithoutTheFile() {
    assertThat(Reason.of(new NoSuchFileException("f"))).isEqualTo("no such file or folder");
    assertThat(Reason.of(new AccessDeniedException("f"))).isEqualTo("permission denied");
    assertThat(Reason.of(new FileAlreadyExistsException("f")))
        .isEqualTo("something of that name is there already");
    assertThat(Reason.of(new FileSystemException("f", null, "Not a directory")))
        .isEqualTo("Not a directory");
    assertThat(Reason.of(new IOException("no\nroom"))).isEqualTo("no\\nroom");
    assertThat(Reason.of(new IOException())).isEqualTo("IOException");
  }

  @Test
  void root_ofNestedCauses_isTheInnermost() {
    IOException inner = new NoSuchFileException("f");

    assertThat(Reason.root(new IllegalStateException("a", new UncheckedIOException("b", inner))))
        .isEqualTo("no such file or folder");
    assertThat(Reason.root(new IllegalStateException())).isEqualTo("IllegalStateException");
  }

  @Test
  void plain_namesOfExceptions_becomeWordsOrGo() {
    assertThat(
            Reason.plain(
                "cannot be used: folder=f, reason=java.nio.file.NoSuchFileException: /proc/x"))
        .isEqualTo("cannot be used: folder=f, reason=no such file or folder: /proc/x");
    assertThat(Reason.plain("reason=java.io.IOException: Input/output error"))
        .isEqualTo("reason=Input/output error");
    assertThat(Reason.plain("folder=/data/io.Exception/x"))
        .isEqualTo("folder=/data/io.Exception/x");
  }
}
