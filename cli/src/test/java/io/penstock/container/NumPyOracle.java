package io.penstock.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A Python process that writes small datasets and then says what feeds over them deliver, worked
 * out by PyArrow and NumPy from the contract's text with none of Penstock's Java.
 */
final class NumPyOracle implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long DEADLINE_SECONDS = 120;

  private final Process process;
  private final BufferedReader answers;
  private final Writer feeds;
  private final List<Dataset> datasets = new ArrayList<>();

  /** A dataset that it wrote. */
  record Dataset(String path, long rows) {}

  /** Starts it and has it write {@code datasets} datasets below {@code folder}. */
  NumPyOracle(Path folder, int datasets, long seed) throws IOException {
    Path repository = Path.of("").toAbsolutePath().getParent();
    Path python =
        Path.of(
            System.getProperty(
                "penstock.python", repository.resolve("target/venv/bin/python").toString()));
    if (!Files.isExecutable(python)) {
      throw new IllegalStateException(
          "no Python with PyArrow at "
              + python
              + ": run bin/test, which makes it, or name one by -Dpenstock.python=...");
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            python.toString(),
            repository.resolve("python/tests/runs_oracle.py").toString(),
            folder.toString(),
            Integer.toString(datasets),
            Long.toString(seed));
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    this.process = builder.start();
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.feeds =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    for (JsonNode written : answer("its datasets")) {
      this.datasets.add(
          new Dataset(written.get("path").textValue(), written.get("rows").longValue()));
    }
  }

  List<Dataset> datasets() {
    return List.copyOf(datasets);
  }

  /**
   * What a feed delivers: {@code steps}, {@code padding}, and {@code epochs} with {@code order},
   * {@code values} and {@code valid}.
   *
   * @param feed the feed file as JSON
   */
  JsonNode expected(String feed) throws IOException {
    feeds.write(feed.replace('\n', ' ') + "\n");
    feeds.flush();
    return answer(feed);
  }

  private JsonNode answer(String what) throws IOException {
    CompletableFuture<String> line =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return answers.readLine();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    try {
      String text = line.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      if (text == null) {
        throw new IOException("the oracle ended on " + what + ": see its standard error");
      }
      return JSON.readTree(text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the oracle did not answer on " + what, e);
    }
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    feeds.close();
    answers.close();
  }
}
