package io.millrace.internal.read;

import static io.millrace.internal.read.StoredRows.COUNTERS;

import io.millrace.api.VerifyReport.Problem;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Keyspace;

/** The problems that tests expect of a verification. */
final class Problems {

  private Problems() {}

  static Problem problem(Keyspace keyspace, byte[] key, String finding) {
    return new Problem(keyspace.name(), Bytes.hex(key), finding);
  }

  /** The counters of {@link StoredRows#MAIL} have something wrong. */
  static Problem differs(String what, long stored, long counted) {
    return problem(
        Keyspace.COUNTERS,
        COUNTERS,
        "counters differ from a recount: what="
            + what
            + ", stored="
            + stored
            + ", counted="
            + counted);
  }
}
