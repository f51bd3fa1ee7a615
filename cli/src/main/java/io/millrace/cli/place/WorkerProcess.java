package io.millrace.cli.place;

import java.util.List;

/** A process of this machine that has workers. */
public final class WorkerProcess implements AutoCloseable {

  private final long pid;
  private final Attachment attachment;

  private WorkerProcess(long pid, Attachment attachment) {
    this.pid = pid;
    this.attachment = attachment;
  }

  /**
   * Attaches to the process.
   *
   * @throws AttachException that is not possible
   */
  public static WorkerProcess attach(long pid) {
    return new WorkerProcess(pid, EngineTarget.attachment(pid));
  }

  /**
   * Returns the workers that are meant, in the order of their names.
   *
   * @throws AttachException there are none
   */
  public List<LiveWorker> workers(WorkerChoice choice) {
    return attachment.workers(choice);
  }

  /**
   * Returns the worker that is meant.
   *
   * @throws AttachException there is none, or several are
   */
  public LiveWorker worker(WorkerChoice choice) {
    List<LiveWorker> meant = workers(choice);
    if (meant.size() != 1) {
      throw new AttachException(
          "several workers in the process, choose one by --worker, of those of one name by"
              + " --instance: pid="
              + pid
              + ", workers="
              + Attachment.labels(meant));
    }
    return meant.get(0);
  }

  @Override
  public void close() {
    attachment.close();
  }
}
