package io.millrace.console.page;

import io.millrace.api.Page;
import io.millrace.console.http.Parameters;

/**
 * The links from one page of a list to others.
 *
 * @param next the link to the next page; empty if this is the last one
 * @param first the link to the first page; empty if this is the first one
 */
public record Pager(String next, String first) {

  static Pager of(Site site, String path, Parameters query, Page<?> page) {
    String next =
        page.next().map(cursor -> site.to(path + query.with("cursor", cursor).query())).orElse("");
    boolean isFirst = query.text("cursor").isEmpty();
    return new Pager(next, isFirst ? "" : site.to(path + query.without("cursor").query()));
  }
}
