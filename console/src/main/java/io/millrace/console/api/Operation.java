package io.millrace.console.api;

import io.millrace.console.act.Action.Field;
import io.millrace.console.act.Filters;
import io.millrace.describe.Description;
import io.millrace.describe.Form;
import java.util.ArrayList;
import java.util.List;

/**
 * A reading operation of the API, as its document tells it.
 *
 * @param path the path below that of the version
 * @param summary what it returns
 * @param query the parameters that it takes
 * @param answer the fields of its answer
 */
record Operation(String path, String summary, List<Field> query, List<Item> answer) {

  private static final Field CURSOR = new Field("cursor", "the next of the page before", false);
  private static final Field SIZE = new Field("size", "items of a page, 1 to 1000", false);

  /** A field of an answer; all attributes of a description if the name is empty. */
  record Item(String name, Form<?> form) {}

  static Operation of(String path, String summary, Description<?> answer) {
    return new Operation(path, summary, List.of(), List.of(new Item("", answer)));
  }

  Operation and(String name, Form<?> form) {
    List<Item> more = new ArrayList<>(answer);
    more.add(new Item(name, form));
    return new Operation(path, summary, query, more);
  }

  Operation with(String name, String meaning, boolean isRequired) {
    return with(List.of(new Field(name, meaning, isRequired)));
  }

  Operation paged() {
    return with(List.of(CURSOR, SIZE));
  }

  Operation filtered() {
    return with(Filters.FIELDS);
  }

  private Operation with(List<Field> fields) {
    List<Field> more = new ArrayList<>(query);
    more.addAll(fields);
    return new Operation(path, summary, more, answer);
  }
}
