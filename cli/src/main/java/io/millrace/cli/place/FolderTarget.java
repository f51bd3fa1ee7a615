package io.millrace.cli.place;

import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.EngineOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobReader;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.RedriveResult;
import io.millrace.api.VerifyReport;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import java.nio.file.Path;
import java.util.Optional;

/** A store that this process opens. */
public final class FolderTarget implements Target {

  private final String location;
  private final JobReader reader;
  private final Optional<JobEngine> engine;

  private FolderTarget(String location, JobReader reader, Optional<JobEngine> engine) {
    this.location = location;
    this.reader = reader;
    this.engine = engine;
  }

  /** Opens it only to look at it: nothing is changed. */
  public static FolderTarget toRead(String location) {
    return new FolderTarget(location, JobEngine.inspect(location), Optional.empty());
  }

  /** Opens it to change it. */
  public static FolderTarget toChange(String location) {
    JobEngine engine =
        JobEngine.open(location, EngineOptions.DEFAULT.management(EngineOptions.Management.OFF));
    return new FolderTarget(location, engine, Optional.of(engine));
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public Page<QueueName> queues(PageRequest page) {
    return reader.queues(page);
  }

  @Override
  public Optional<QueueStats> stats(QueueName queue) {
    return reader.stats(queue);
  }

  @Override
  public Page<Job> peek(QueueName queue, JobState state, PageRequest page) {
    return reader.peek(queue, state, page);
  }

  @Override
  public Optional<Job> get(JobId id) {
    return reader.get(id);
  }

  @Override
  public Page<Job> deadLetters(QueueName queue, DeadFilter filter, PageRequest page) {
    return reader.deadLetters(queue, filter, page);
  }

  @Override
  public VerifyReport verify() {
    return reader.verify();
  }

  @Override
  public boolean redrive(JobId id) {
    return get(id)
        .map(job -> letters(job.queue()).redrive(id) == RedriveResult.REDRIVEN)
        .orElse(false);
  }

  @Override
  public long redriveAll(QueueName queue, DeadFilter filter) {
    return letters(queue).redriveAll(filter);
  }

  @Override
  public boolean delete(JobId id) {
    return get(id).map(job -> letters(job.queue()).delete(id)).orElse(false);
  }

  @Override
  public long deleteAll(QueueName queue, DeadFilter filter) {
    return letters(queue).deleteAll(filter);
  }

  /** Opens the store once more, for an engine would change it. */
  @Override
  public void backup(Path folder) {
    close();
    Stores.backup(StorePlace.of(location), folder);
  }

  @Override
  public void close() {
    reader.close();
  }

  private DeadLetters letters(QueueName queue) {
    return engine
        .orElseThrow(() -> new IllegalStateException("the store was opened for reading only"))
        .queue(queue)
        .deadLetters();
  }
}
