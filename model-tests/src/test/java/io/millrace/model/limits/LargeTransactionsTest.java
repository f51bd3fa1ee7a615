package io.millrace.model.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.FailOptions;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.TransactionResult;
import io.millrace.model.rig.StoreKind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Transactions as large as they may be: what a store takes is carried out, what it cannot is not.
 */
@Timeout(120)
@Tag("thorough")
class LargeTransactionsTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "LMDB", "ROCKSDB"})
  void transact_moreThanTheStoreTakes_isRefusedWholeAndGoesThroughInParts(StoreKind kind) {
    int count = Limits.CALL_JOB_COUNT_MAX;
    try (LimitedEngine limited = new LimitedEngine(kind, folder.resolve("store"))) {
      limited.addReady(0, count);
      List<Lease> leases = limited.claim(0, count);

      assertThatThrownBy(() -> failAll(limited, leases))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("call is too large for one commit of this store")
          .hasMessageContaining("most=67108864")
          .hasMessageContaining("nothing happened, give fewer or smaller jobs in a call");
      limited.assertUnharmed();
      assertThat(limited.count(0, JobState.LEASED)).isEqualTo(count);

      for (List<Lease> half : List.of(leases.subList(0, 5_000), leases.subList(5_000, count))) {
        assertThat(failAll(limited, half).isDone()).isTrue();
      }
      assertThat(limited.count(0, JobState.DELAYED)).isEqualTo(count);
      limited.assertClean();
      limited.harness().crash();
      assertThat(limited.count(0, JobState.DELAYED)).isEqualTo(count);
    }
  }

  private static TransactionResult<Boolean> failAll(LimitedEngine limited, List<Lease> leases) {
    FailOptions retry = FailOptions.RETRY.delay(LimitedEngine.DELAY);
    return limited
        .engine()
        .inTransaction(
            tx -> leases.forEach(lease -> tx.fail(lease, LimitedEngine.LONGEST_ERROR, retry)));
  }
}
