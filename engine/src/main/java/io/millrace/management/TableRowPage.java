package io.millrace.management;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some rows of a user's table; fewer than fit, even none, does not mean the end. */
public interface TableRowPage {

  List<TableRowSnapshot> getRows();

  /** Where the next page begins; null at the end. */
  @Nullable String getNext();
}
