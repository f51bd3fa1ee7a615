package io.millrace.internal.format;

import io.millrace.api.RateLimit;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A rate limit over all queues that a job names: its key and the limit for this job. On disk, never
 * change.
 *
 * <pre>
 *  varint  starts per period
 *  varint  the period, ms
 *  varint  burst
 *  bytes   the key, after its length as a varint
 * </pre>
 *
 * @param key the key of the limit: starts of jobs with the same key count together; nobody may
 *     change it
 */
public record EngineRate(byte[] key, RateLimit limit) {

  void write(RecordWriter writer, int tag) {
    int start = writer.begin(tag);
    writer.addVarint(limit.count());
    writer.addVarint(limit.per().toMillis());
    writer.addVarint(limit.burst());
    writer.addBytes(key);
    writer.end(start);
  }

  static EngineRate read(RecordReader reader) {
    int count = reader.takeInt();
    Duration per = Duration.ofMillis(reader.takeVarint());
    RateLimit limit = new RateLimit(count, per, reader.takeInt());
    return new EngineRate(reader.takeBytes(), limit);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EngineRate that
        && Arrays.equals(key, that.key)
        && limit.equals(that.limit);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(key) + limit.hashCode();
  }
}
