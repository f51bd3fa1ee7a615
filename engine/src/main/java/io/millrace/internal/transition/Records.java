package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import org.jspecify.annotations.Nullable;

/**
 * Decoding of job records for transitions: a record that cannot be read is reported, so that it is
 * set aside after the group.
 */
public final class Records {

  private Records() {}

  public static JobRecord decode(OpenBatch batch, byte[] key, byte @Nullable [] value) {
    try {
      if (value == null) {
        throw new CorruptDataException(
            "stored row is missing: keyspace=" + Keyspace.ofKey(key) + ", key=" + Bytes.hex(key));
      }
      return JobRecord.decode(key, value);
    } catch (CorruptDataException e) {
      batch.reportCorrupt(key);
      throw e;
    }
  }

  /** Decodes the record, or reports the row and returns null if it cannot be read. */
  public static @Nullable JobRecord decodeOrReport(
      OpenBatch batch, byte[] key, byte @Nullable [] value) {
    try {
      return decode(batch, key, value);
    } catch (CorruptDataException e) {
      return null;
    }
  }
}
