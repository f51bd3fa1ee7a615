package io.millrace.management;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some of users' tables. */
public interface TablePage {

  List<String> getNames();

  /** Where the next page begins; null at the end. */
  @Nullable String getNext();
}
