package io.millrace.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the entries of workflows are written. */
class FlowStateTest {

  private static final List<Entry> ENTRIES =
      List.of(
          new Entry(Entry.Kind.DONE, "charge", "ok".getBytes(UTF_8)),
          new Entry(Entry.Kind.FAILED, "ship", "no".getBytes(UTF_8)),
          new Entry(Entry.Kind.SLEEP, "z", FlowState.time(1_000)),
          new Entry(Entry.Kind.AWAITS, "a", FlowState.time(0)),
          new Entry(Entry.Kind.SIGNALLED, "b", new byte[] {7}),
          new Entry(Entry.Kind.TIMED_OUT, "ü", new byte[0]),
          new Tries("pay", 2, "no").entry());

  private static final String GOLDEN =
      "5701"
          + "010006636861726765000000026f6b"
          + "02000473686970000000026e6f"
          + "0300017a0000000800000000000003e8"
          + "040001610000000800000000 00000000".replace(" ", "")
          + "050001620000000107"
          + "060002c3bc00000000"
          + "08000370617900000006000000026e6f";

  @Test
  void bytes_ofAllKinds_areAsTheyAlwaysWere() {
    assertThat(HexFormat.of().formatHex(all().bytes())).isEqualTo(GOLDEN);
  }

  @Test
  void withoutLast_ofEach_isWhatItWasBefore() {
    FlowState state = FlowState.decode("j", HexFormat.of().parseHex(GOLDEN));
    for (int count = ENTRIES.size() - 1; count >= 0; count--) {
      state = state.withoutLast();

      FlowState read = FlowState.decode("j", state.bytes());
      assertThat(state.entries()).hasSize(count);
      assertThat(read.entries()).usingRecursiveComparison().isEqualTo(state.entries());
    }
    assertThat(state.bytes()).isEqualTo(FlowState.none("j").bytes());
  }

  @Test
  void decode_ofWhatWasWritten_isTheSame() {
    List<Entry> read = FlowState.decode("j", HexFormat.of().parseHex(GOLDEN)).entries();

    assertThat(read).usingRecursiveComparison().isEqualTo(ENTRIES);
    assertThat(FlowState.timeMs(read.get(2))).isEqualTo(1_000);
    assertThat(Tries.of(read.get(6))).isEqualTo(new Tries("pay", 2, "no"));
  }

  @Test
  void decode_cutOffAnywhere_isToldOrHasFewerEntries() {
    byte[] all = HexFormat.of().parseHex(GOLDEN);
    for (int length = 0; length < all.length; length++) {
      byte[] cut = Arrays.copyOf(all, length);
      try {
        assertThat(FlowState.decode("j", cut).entries()).hasSizeLessThan(ENTRIES.size());
      } catch (WorkflowException e) {
        assertThat(e).hasMessageStartingWith("checkpoint of a workflow cannot be read: job=j, ");
      }
    }
  }

  @Test
  void decode_ofForeignBytes_isRefused() {
    assertFlaw("00", "it is no state of a workflow");
    assertFlaw("5702", "its version is 2, and this program knows 1");
    assertFlaw("57010c00016100000000", "an entry has the kind 12");
    assertFlaw("57010300016100000000", "a time has 0 bytes");
    assertFlaw("57010900016100000000", "the ids of a step have 0 bytes");
    assertFlaw("570101000161ffffffff", "it is cut off");
    assertFlaw("57010800016100000003000000", "the tries of a step have no count");
    assertFlaw("570108000161000000040000000101000162" + "00000000", "are not at the end");
  }

  private static FlowState all() {
    FlowState all = FlowState.none("j");
    for (Entry entry : ENTRIES) {
      all = all.with(entry);
    }
    return all;
  }

  private static void assertFlaw(String hex, String flaw) {
    assertThatThrownBy(() -> FlowState.decode("j", HexFormat.of().parseHex(hex)))
        .isInstanceOf(WorkflowException.class)
        .hasMessageContaining(flaw);
  }
}
