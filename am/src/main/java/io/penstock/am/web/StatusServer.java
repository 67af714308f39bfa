package io.penstock.am.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.coordination.Json;
import io.penstock.coordination.records.JobReport;
import io.penstock.lifecycle.NamedThreads;
import io.penstock.model.UnreachableException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /} for people and {@code /json} for programs. It only reads; its links are
 * relative, so that it works behind the proxy's path.
 */
public final class StatusServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);
  private static final int THREADS = 2;

  private final HttpServer server;
  private final ExecutorService threads;

  private StatusServer(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Starts on a free port of every address.
   *
   * @param report asked for at each request
   */
  public static StatusServer start(Supplier<JobReport> report) {
    try {
      HttpServer server = HttpServer.create(new InetSocketAddress(0), 0);
      ExecutorService threads =
          Executors.newFixedThreadPool(
              THREADS,
              new NamedThreads(
                  "status-page",
                  (thread, e) -> LOG.error("event=thread-failed thread={}", thread.getName(), e)));
      server.setExecutor(threads);
      server.createContext(
          "/json",
          exchange ->
              answer(exchange, "application/json", report, found -> Json.text(found) + "\n"));
      server.createContext(
          "/", exchange -> answer(exchange, "text/html", report, StatusPage::html));
      server.start();
      return new StatusServer(server, threads);
    } catch (IOException e) {
      throw new UnreachableException("no port for the status page: " + e.getMessage(), e);
    }
  }

  /** Where it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }

  private interface Format {
    String of(JobReport report);
  }

  private static void answer(
      HttpExchange exchange, String type, Supplier<JobReport> report, Format format)
      throws IOException {
    int status = 200;
    String text;
    try {
      text = format.of(report.get());
    } catch (RuntimeException e) {
      LOG.warn("event=status-page-failed reason=\"{}\"", e.getMessage());
      status = 503;
      type = "text/plain";
      text = "ZooKeeper does not answer at the moment\n";
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }
}
