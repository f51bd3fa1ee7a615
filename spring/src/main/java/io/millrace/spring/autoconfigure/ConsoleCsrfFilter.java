package io.millrace.spring.autoconfigure;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.security.web.csrf.CsrfFilter;

/**
 * A filter before Spring Security's, which has that leave forged requests for the console's servlet
 * to the console: its forms have a token of their own, and it looks where a request comes from. No
 * request for anything else is left alone, whatever its path: what counts is where the container
 * takes it.
 */
final class ConsoleCsrfFilter implements Filter {

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest asked
        && asked.getHttpServletMapping().getServletName().equals(ConsoleServlet.NAME)) {
      CsrfFilter.skipRequest(asked);
    }
    chain.doFilter(request, response);
  }
}
