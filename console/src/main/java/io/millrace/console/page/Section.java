package io.millrace.console.page;

import java.util.Locale;

/** The sections of the menu, in its order. */
public enum Section {
  OVERVIEW("/", "Overview"),
  QUEUES("/queues", "Queues"),
  JOBS("/jobs", "Jobs"),
  DEAD("/dead", "Dead letters"),
  RUNNING("/running", "Running"),
  SCHEDULES("/schedules", "Recurring"),
  BATCHES("/batches", "Batches"),
  KEYS("/keys", "Keys"),
  TABLES("/tables", "Tables"),
  TASKS("/tasks", "Tasks"),
  STORE("/store", "Store");

  private final String path;
  private final String title;

  Section(String path, String title) {
    this.path = path;
    this.title = title;
  }

  public String path() {
    return path;
  }

  public String title() {
    return title;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
