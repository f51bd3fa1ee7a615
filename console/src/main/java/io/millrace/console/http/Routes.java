package io.millrace.console.http;

import io.millrace.console.hook.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The endpoints by method and path. Built once, then only read.
 *
 * @param <C> what an endpoint is given beside what is in the path
 */
public final class Routes<C> {

  /** The work behind a path. */
  @FunctionalInterface
  public interface Endpoint<C> {
    Response answer(C call, Parameters inPath);
  }

  /**
   * An endpoint with its place.
   *
   * @param pattern the path, with names in braces for parts that vary
   * @param role the role that a visitor needs
   */
  public record Route<C>(String method, String pattern, Role role, Endpoint<C> endpoint) {}

  /** A route that was found, and what is in the path. */
  public record Match<C>(Route<C> route, Parameters inPath) {}

  private final List<Route<C>> routes = new ArrayList<>();

  /** Adds an endpoint that changes nothing. */
  public Routes<C> get(String pattern, Endpoint<C> endpoint) {
    routes.add(new Route<>("GET", pattern, Role.READ, endpoint));
    return this;
  }

  /** Adds an endpoint that changes something. */
  public Routes<C> post(String pattern, Endpoint<C> endpoint) {
    routes.add(new Route<>("POST", pattern, Role.OPERATE, endpoint));
    return this;
  }

  public List<Route<C>> all() {
    return List.copyOf(routes);
  }

  /**
   * Finds the endpoint.
   *
   * @param rawPath the path with its escapes, so that a name in it may have slashes
   * @throws RefusedException there is none at this path, or it wants another method
   */
  public Match<C> find(String method, String rawPath) {
    String asked = method.equals("HEAD") ? "GET" : method;
    boolean isThere = false;
    for (Route<C> route : routes) {
      Optional<Parameters> inPath = match(route.pattern(), rawPath);
      if (inPath.isPresent()) {
        if (route.method().equals(asked)) {
          return new Match<>(route, inPath.get());
        }
        isThere = true;
      }
    }
    throw isThere
        ? new RefusedException(405, "method is not for this path: method=" + method)
        : new RefusedException(404, "there is nothing at this path: path=" + rawPath);
  }

  private static Optional<Parameters> match(String pattern, String path) {
    String[] wanted = pattern.split("/", -1);
    String[] given = path.split("/", -1);
    if (wanted.length != given.length) {
      return Optional.empty();
    }
    Parameters inPath = Parameters.NONE;
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{") && !given[i].isEmpty()) {
        inPath =
            inPath.with(
                wanted[i].substring(1, wanted[i].length() - 1), Parameters.inPath(given[i]));
      } else if (!wanted[i].equals(given[i])) {
        return Optional.empty();
      }
    }
    return Optional.of(inPath);
  }
}
