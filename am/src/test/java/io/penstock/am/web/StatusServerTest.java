package io.penstock.am.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.coordination.records.Decision;
import io.penstock.coordination.records.EpochRecord;
import io.penstock.coordination.records.JobReport;
import io.penstock.coordination.records.JobState;
import io.penstock.coordination.records.RunState;
import io.penstock.model.Digest128;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusServerTest {
  private static final JobReport REPORT =
      new JobReport(
          "application_1_0001",
          Optional.empty(),
          Optional.of(new JobState(RunState.FAILED, "column <b> & \"c\"", 1, 1, 1, 0, 5, 6)),
          Optional.empty(),
          Map.of(
              "train",
              new JobReport.FeedReport(
                  Optional.empty(),
                  List.of(),
                  List.of(),
                  List.of(
                      new EpochRecord(
                          0,
                          4,
                          32,
                          0,
                          1.25,
                          0.5,
                          32,
                          0,
                          new Digest128(10, 11),
                          Digest128.ZERO,
                          0,
                          List.of())))),
          List.of(),
          List.of(new Decision(1, 0, "restart", "from train=0:2")));

  @Test
  void thePageShowsTheJobAndEscapesWhatUsersWrote() throws Exception {
    try (StatusServer server = StatusServer.start(() -> REPORT)) {
      HttpResponse<String> page = get(server, "/");
      assertEquals(200, page.statusCode());
      assertTrue(page.headers().firstValue("Content-Type").orElseThrow().startsWith("text/html"));
      assertTrue(page.body().contains("FAILED: column &lt;b&gt; &amp; &quot;c&quot;"));
      assertTrue(page.body().contains("000000000000000a000000000000000b"));
      assertTrue(page.body().contains("from train=0:2"));
      assertFalse(page.body().contains("<b>"));
    }
  }

  @Test
  void jsonHasTheSame() throws Exception {
    try (StatusServer server = StatusServer.start(() -> REPORT)) {
      HttpResponse<String> json = get(server, "/json");
      assertEquals(
          "application/json; charset=utf-8",
          json.headers().firstValue("Content-Type").orElseThrow());
      assertTrue(json.body().contains("\"order\" : \"000000000000000a000000000000000b\""));
      assertTrue(json.body().contains("\"state\" : \"FAILED\""));
    }
  }

  @Test
  void withoutZooKeeperItSaysSo() throws Exception {
    try (StatusServer server =
        StatusServer.start(
            () -> {
              throw new IllegalStateException("away");
            })) {
      HttpResponse<String> answer = get(server, "/");
      assertEquals(503, answer.statusCode());
      assertEquals("ZooKeeper does not answer at the moment\n", answer.body());
    }
  }

  private static HttpResponse<String> get(StatusServer server, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .timeout(Duration.ofSeconds(20))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
