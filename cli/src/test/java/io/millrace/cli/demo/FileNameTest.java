package io.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FileNameTest {

  @Test
  void compareTo_partsThatEnd_comeBeforeThoseThatGoOn() {
    List<FileName> inOrder =
        List.of(
            FileName.ROOT,
            Names.of("a"),
            Names.of("a/b"),
            Names.of("a/b/c"),
            Names.of("a\u0001"),
            Names.of("a b"),
            Names.of("a-b"),
            Names.of("a.d/x"),
            Names.of("ab"),
            Names.of("b"),
            FileName.of(new byte[] {(byte) 0x80}),
            FileName.of(new byte[] {(byte) 0xff}));

    for (int i = 0; i < inOrder.size(); i++) {
      for (int j = 0; j < inOrder.size(); j++) {
        assertThat(Integer.signum(inOrder.get(i).compareTo(inOrder.get(j))))
            .as("%s to %s", inOrder.get(i), inOrder.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @Test
  void isBelow_onlyForWholeParts() {
    assertThat(Names.of("a/b").isBelow(Names.of("a"))).isTrue();
    assertThat(Names.of("a/b/c").isBelow(Names.of("a"))).isTrue();
    assertThat(Names.of("a/b").isBelow(FileName.ROOT)).isTrue();
    assertThat(Names.of("ab").isBelow(Names.of("a"))).isFalse();
    assertThat(Names.of("a").isBelow(Names.of("a"))).isFalse();
    assertThat(Names.of("a").isBelow(Names.of("a/b"))).isFalse();
    assertThat(FileName.ROOT.isBelow(FileName.ROOT)).isFalse();
  }

  @Test
  void toString_isFitForATerminal() {
    assertThat(FileName.of(new byte[] {'a', (byte) 0xff, '\n'})).hasToString("a\\xff\\n");
    assertThat(FileName.ROOT).hasToString(".");
  }
}
