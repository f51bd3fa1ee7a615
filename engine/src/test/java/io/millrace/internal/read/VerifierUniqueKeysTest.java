package io.millrace.internal.read;

import static io.millrace.internal.read.Problems.problem;
import static io.millrace.internal.read.StoredRows.FIRST;
import static io.millrace.internal.read.StoredRows.PART;
import static io.millrace.internal.read.StoredRows.QUEUE;
import static io.millrace.internal.read.StoredRows.TIMER_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.api.VerifyReport.Problem;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.format.TimerKeys;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@code verify} finds of unique keys. */
final class VerifierUniqueKeysTest {

  private final StoredRows rows = new StoredRows();
  private final StoreReader reader = new StoreReader(rows::store, () -> 0, key -> {}, () -> {});

  @AfterEach
  void close() {
    rows.close();
  }

  @Test
  void verify_uniqueKeyWithoutJob_isListedUnlessItIsTakenForATime() {
    JobId gone = StoredRows.job(FIRST).build().jobId(QUEUE);
    byte[] key = UniqueKeys.key(QUEUE, PART);

    rows.putUnique(gone, UniqueRecord.FOR);
    rows.putTimer(TimerKeys.Kind.UNIQUE_EXPIRY, TimerKeys.hash(PART), key);
    assertThat(reader.verify().isClean()).isTrue();

    rows.delete(TimerKeys.key(TIMER_MS, QUEUE, TimerKeys.Kind.UNIQUE_EXPIRY, TimerKeys.hash(PART)));
    rows.putUnique(gone, UniqueRecord.UNTIL_STARTED);
    assertProblems(
        problem(Keyspace.UNIQUE, key, "the unique key's job does not exist: job=" + gone));
  }

  @Test
  void verify_uniqueKeyThatIsTakenForATimeAndHasNoTimer_isListed() {
    rows.putUnique(StoredRows.job(FIRST).build().jobId(QUEUE), UniqueRecord.FOR);

    assertProblems(
        problem(
            Keyspace.UNIQUE,
            UniqueKeys.key(QUEUE, PART),
            "no TIMER row frees the unique key at its time: expiry=" + TIMER_MS));
  }

  @Test
  void verify_uniqueKeyOfAJobThatDoesNotHoldIt_isListed() {
    JobId other = rows.ready(0, FIRST);

    rows.putUnique(other, UniqueRecord.UNTIL_FINISHED);

    assertProblems(
        problem(
            Keyspace.UNIQUE,
            UniqueKeys.key(QUEUE, PART),
            "the job that the row names does not hold the unique key: job=" + other));
  }

  @Test
  void verify_holderOfAUniqueKeyWithoutItsRow_isListed() {
    rows.ready(holder(FIRST, UniqueRecord.UNTIL_STARTED));

    assertProblems(
        problem(
            Keyspace.READY,
            ReadyKeys.key(QUEUE, 0, FIRST),
            "no UNIQUE row says that the job holds its key: row="
                + Bytes.hex(UniqueKeys.key(QUEUE, PART))));
  }

  @Test
  void verify_twoHoldersOfAUniqueKey_listsTheOneThatItsRowDoesNotName() {
    JobId first = rows.ready(holder(FIRST, UniqueRecord.UNTIL_FINISHED));
    rows.ready(holder(FIRST + 1, UniqueRecord.UNTIL_FINISHED));
    rows.putUnique(first, UniqueRecord.UNTIL_FINISHED);

    assertProblems(
        problem(
            Keyspace.READY,
            ReadyKeys.key(QUEUE, 0, FIRST + 1),
            "the UNIQUE row of the job's key does not agree with it: row="
                + Bytes.hex(UniqueKeys.key(QUEUE, PART))
                + ", names="
                + first));
  }

  private static JobRecord holder(long birth, int scope) {
    return StoredRows.job(birth)
        .set(JobField.UNIQUE_KEY, PART)
        .set(JobField.UNIQUE_SCOPE, scope)
        .build();
  }

  @Test
  void verify_timerOfAUniqueKeyThatIsNotTakenUntilThen_isListed() {
    byte[] key = UniqueKeys.key(QUEUE, PART);
    rows.putTimer(TimerKeys.Kind.UNIQUE_EXPIRY, TimerKeys.hash(PART), key);

    assertProblems(
        problem(
            Keyspace.TIMER,
            TimerKeys.key(TIMER_MS, QUEUE, TimerKeys.Kind.UNIQUE_EXPIRY, TimerKeys.hash(PART)),
            "the timer's unique key is not taken until then: row=" + Bytes.hex(key)));
  }

  private void assertProblems(Problem... expected) {
    assertThat(reader.verify().problems()).containsExactlyInAnyOrder(expected);
  }
}
