package io.millrace.outbox.jdbc;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Outboxes in H2, in a file. */
@Tag("slow")
class H2FileOutboxTest extends OutboxContract {

  @TempDir Path folder;

  @Override
  DataSource newSource() {
    return OutboxRig.h2("jdbc:h2:file:" + folder.resolve("shop"));
  }
}
