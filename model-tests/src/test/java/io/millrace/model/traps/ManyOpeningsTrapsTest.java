package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.EngineOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.internal.format.Sequences;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Each opening uses up an epoch, of which there are many, but not for ever. */
@Tag("slow")
class ManyOpeningsTrapsTest {

  private static final QueueName MAIL = QueueName.of("mail");

  /** From here on each epoch has fewer sequences. */
  private static final long LATER_EPOCH = 1 << 19;

  @TempDir Path parent;

  private StorePlace place(StoreKind kind, String name) {
    return new StorePlace(kind.newFactory(), StoreOptions.of(parent.resolve(name)));
  }

  private static JobEngine open(StorePlace place, long epochLeast) {
    return JobEngine.open(
        place.factory(), place.options().epochLeast(epochLeast), EngineOptions.DEFAULT);
  }

  /** Uses up the store's openings but for the last. */
  private static void exhaust(StorePlace place) {
    try (JobEngine engine = open(place, Sequences.EPOCH_MAX)) {
      engine.queue(MAIL).enqueue("last".getBytes(UTF_8));
    }
    assertThatThrownBy(() -> open(place, 1))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "store was opened too often to be worked with: openings=67633152, most=67633151; it"
                + " can be looked at and copied, and its jobs enqueued in a new store");
  }

  private static void assertReadable(StorePlace place) {
    try (JobReader reader = JobEngine.inspect(place.factory(), place.options())) {
      assertThat(reader.peek(MAIL, JobState.READY, PageRequest.first(10)).items()).hasSize(1);
      assertThat(reader.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.LMDB, StoreKind.ROCKSDB})
  void open_moreThanAMillionTimes_idsAndTokensRiseAndAreGivenOnce(StoreKind kind) {
    StorePlace place = place(kind, "store");
    List<JobId> ids = new ArrayList<>();
    List<Long> tokens = new ArrayList<>();

    for (long least :
        new long[] {1, LATER_EPOCH - 1, LATER_EPOCH, (1 << 20) - 1, 1 << 20, 60_000_000}) {
      for (int opening = 0; opening < 2; opening++) {
        try (JobEngine engine = open(place, least)) {
          JobQueue mail = engine.queue(MAIL);
          ids.add(mail.enqueue("a".getBytes(UTF_8)).jobId());
          Lease first = mail.claim("w", ofSeconds(30)).orElseThrow();
          assertThat(first.jobId()).as("the oldest is served first").isEqualTo(ids.get(0));
          tokens.add(first.token());
          assertThat(engine.verify().problems()).isEmpty();
          assertThat(engine.health().warnings()).isEmpty();
        }
      }
    }

    assertThat(ids).doesNotHaveDuplicates();
    assertThat(tokens).isSorted().doesNotHaveDuplicates().allMatch(token -> token > 0);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.LMDB, StoreKind.ROCKSDB})
  void open_nearlyAsOftenAsIsPossible_healthWarns(StoreKind kind) {
    StorePlace place = place(kind, "store");

    try (JobEngine engine = open(place, Sequences.EPOCH_MAX / 10 * 9)) {
      assertThat(engine.health().warnings())
          .containsExactly(
              "the store was opened, or reopened, nearly as often as is possible:"
                  + " openings=60869835, most=67633151; move its work to a new store before, and"
                  + " keep that open for longer");
    }
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.LMDB, StoreKind.ROCKSDB})
  void exhausted_store_isReadCopiedRestoredAndRepaired(StoreKind kind) {
    StorePlace place = place(kind, "store");
    exhaust(place);

    assertReadable(place);
    Stores.copy(place, place(kind, "copy"));
    Stores.repair(place, place(kind, "repaired"), finding -> {});
    Stores.backup(place, parent.resolve("backup"));
    Stores.restore(place(kind, "backup"), place(kind, "restored"));

    for (String name : List.of("copy", "repaired", "restored")) {
      assertReadable(place(kind, name));
    }
    assertThatThrownBy(() -> open(place(kind, "copy"), 1))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith(
            "store was opened too often to be worked with: openings="
                + (Sequences.EPOCH_MAX + 1 + OrderedStore.COPY_EPOCH_STEP + 1));
  }
}
