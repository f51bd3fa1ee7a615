package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShellWordTest {

  @Test
  void quote_plainWord_staysAsItIs() {
    assertThat(ShellWord.quote("lmdb:a/b-c_1.d")).isEqualTo("lmdb:a/b-c_1.d");
  }

  @Test
  void quote_anythingElse_standsInSingleQuotes() {
    assertThat(ShellWord.quote("it's $HOME")).isEqualTo("'it'\\''s $HOME'");
    assertThat(ShellWord.quote("")).isEqualTo("''");
  }
}
