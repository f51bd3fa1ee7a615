package io.millrace.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.JobId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobAddressTest {

  private static final List<Keyspace> BIRTH_KINDS =
      List.of(Keyspace.READY, Keyspace.DELAYED, Keyspace.BLOCKED);

  @Test
  void toJobId_goldenAddresses_areTheseIds() {
    assertThat(new JobAddress(1, Keyspace.READY, 0, (1L << 43) + 2).toJobId())
        .hasToString("00000001157f00000800000000020000");
    assertThat(new JobAddress(Integer.MAX_VALUE, Keyspace.DELAYED, 127, Long.MAX_VALUE).toJobId())
        .hasToString("7fffffff07007fffffffffffffff0000");
    assertThat(new JobAddress(0, Keyspace.BLOCKED, -128, 0).toJobId())
        .hasToString("0000000008ff00000000000000000000");
  }

  @Test
  void of_idOfAnyAddress_isTheAddress() {
    Samples samples = new Samples(1);
    for (int i = 0; i < 10_000; i++) {
      JobAddress address =
          new JobAddress(
              samples.integer(),
              BIRTH_KINDS.get(samples.below(BIRTH_KINDS.size())),
              samples.priority(),
              samples.number());

      assertThat(JobAddress.of(address.toJobId())).contains(address);
    }
  }

  @Test
  void of_idThatIsNoAddress_isEmpty() {
    Set<String> foreign =
        Set.of(
            "00000000000000000000000000000000",
            "ffffffffffffffffffffffffffffffff",
            "80000001157f00000800000000020000",
            "00000001157f80000800000000020000",
            "00000001157f00000800000000020001",
            "00000001157f00000800000000028000",
            "00000001067f00000800000000020000",
            "000000020a80000000000000ffff0000",
            "00000001857f00000800000000020000",
            "00000001ff7f00000800000000020000");
    for (String text : foreign) {
      assertThat(JobAddress.of(JobId.parse(text))).describedAs(text).isEmpty();
    }
  }

  @Test
  void of_idAndBack_isTheSameIdOrEmpty() {
    Samples samples = new Samples(2);
    for (int i = 0; i < 10_000; i++) {
      JobId id = new JobId(samples.number(), samples.number());

      assertThat(JobAddress.of(id).map(JobAddress::toJobId).orElse(id)).isEqualTo(id);
    }
  }

  @Test
  void birthReadyKey_bornInReady_isTheKeyThere() {
    assertThat(new JobAddress(3, Keyspace.READY, -5, 9).birthReadyKey())
        .isEqualTo(ReadyKeys.key(3, -5, 9));
  }

  @Test
  void birthReadyKey_bornElsewhere_isRefused() {
    JobAddress address = new JobAddress(3, Keyspace.DELAYED, -5, 9);

    assertThatThrownBy(address::birthReadyKey)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("job was not born in READY: address=" + address);
  }

  @Test
  void new_partsOutOfRange_isRefused() {
    assertThatThrownBy(() -> new JobAddress(-1, Keyspace.READY, 0, 0))
        .hasMessage("queue number is negative: value=-1");
    assertThatThrownBy(() -> new JobAddress(0, Keyspace.LEASE, 0, 0))
        .hasMessage("no job is born there: keyspace=LEASE");
    assertThatThrownBy(() -> new JobAddress(0, Keyspace.READY, -129, 0))
        .hasMessage("priority is out of range: value=-129, least=-128, most=127");
    assertThatThrownBy(() -> new JobAddress(0, Keyspace.READY, 0, -1))
        .hasMessage("sequence is negative: value=-1");
  }
}
