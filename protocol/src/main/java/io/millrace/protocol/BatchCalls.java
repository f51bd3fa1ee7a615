package io.millrace.protocol;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CancelResult;
import io.millrace.api.Durability;
import io.millrace.api.JobOutput;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import java.util.Map;
import java.util.Optional;

/** Calls on batches; see {@link io.millrace.api.Batches}. */
public interface BatchCalls {

  /**
   * A call that starts a batch.
   *
   * @param isOpen whether more jobs may be added until it is sealed
   */
  record StartBatch(Batch batch, boolean isOpen, Optional<Durability> durability)
      implements Call<StartBatch.Answer> {
    public record Answer(BatchId id) {}
  }

  /** A call that says that no more jobs come. */
  record SealBatch(BatchId id, Optional<Durability> durability) implements Call<SealBatch.Answer> {
    public record Answer() {}
  }

  /** A call that cancels the jobs of a batch. */
  record CancelBatch(BatchId id, Optional<Durability> durability)
      implements Call<CancelBatch.Answer> {
    public record Answer(Map<CancelResult, Long> counts) {}
  }

  /** A call that waits for the end of a batch. */
  record AwaitBatch(BatchId id) implements Call<AwaitBatch.Answer> {
    public record Answer(BatchStats batch) {}
  }

  /** A call that tells of a batch. */
  record GetBatch(BatchId id) implements Call<GetBatch.Answer> {
    public record Answer(Optional<BatchStats> batch) {}
  }

  /** A call that lists batches. */
  record Batches(PageRequest page) implements Call<Batches.Answer> {
    public record Answer(Page<BatchStats> batches) {}
  }

  /** A call that lists the results of a batch's jobs. */
  record BatchResults(BatchId id, PageRequest page) implements Call<BatchResults.Answer> {
    public record Answer(Page<JobOutput> results) {}
  }
}
