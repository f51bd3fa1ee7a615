package io.millrace.jmh.servers;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/** An Artemis in a process of its own, for measurements alone: whoever reaches it may call it. */
final class ArtemisMain {

  /**
   * The longest wait for others before the journal is synced. By default it is 3.3 ms, for which a
   * lone caller would wait; where Artemis is installed by its own script, that sets about what a
   * sync of the disk takes. What comes during a sync goes with the next one whatever is set.
   */
  static final Duration BUFFER_TIMEOUT = Duration.ofNanos(100_000);

  private ArtemisMain() {}

  /** Serves a new store in the folder (first argument) at the port (second) until it is killed. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Configuration configuration =
        new ConfigurationImpl()
            .setPersistenceEnabled(true)
            .setSecurityEnabled(false)
            .setJMXManagementEnabled(false)
            .setJournalType(JournalType.NIO)
            .setJournalSyncTransactional(true)
            .setJournalSyncNonTransactional(true)
            .setJournalBufferTimeout_NIO((int) BUFFER_TIMEOUT.toNanos())
            .setJournalDirectory(folder.resolve("journal").toString())
            .setBindingsDirectory(folder.resolve("bindings").toString())
            .setPagingDirectory(folder.resolve("paging").toString())
            .setLargeMessagesDirectory(folder.resolve("large").toString())
            // At 90 % it would hold callers up.
            .setMaxDiskUsage(-1)
            .addAcceptorConfiguration(
                "bench", "tcp://127.0.0.1:" + arguments[1] + "?protocols=CORE");
    EmbeddedActiveMQ server = new EmbeddedActiveMQ();
    server.setConfiguration(configuration);
    server.start();
  }
}
