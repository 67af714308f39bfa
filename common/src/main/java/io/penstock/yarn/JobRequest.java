package io.penstock.yarn;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.model.RankRange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What submitting asks of the ApplicationMaster: {@code job.json} in the job's staging folder.
 *
 * @param application YARN's application id
 * @param name the job's name, for people
 * @param submittedMillis milliseconds since 1970
 * @param version Penstock's version
 * @param staging the job's staging folder, with its scheme
 * @param distribution the archive of the distribution, with its scheme
 * @param distributionJar path of {@code penstock.jar} inside the archive
 * @param feeds how many ranks are asked for, by feed name
 */
public record JobRequest(
    String application,
    String name,
    String user,
    String queue,
    long submittedMillis,
    String version,
    String staging,
    String distribution,
    String distributionJar,
    Map<String, RankRange> feeds) {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  public JobRequest {
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(staging, "staging");
    Objects.requireNonNull(distribution, "distribution");
    Objects.requireNonNull(distributionJar, "distributionJar");
    feeds = Collections.unmodifiableMap(new TreeMap<>(feeds));
    if (feeds.isEmpty()) {
      throw new IllegalArgumentException("a job has at least one feed");
    }
  }

  /** Writes it as JSON; the stream stays open. */
  public void write(OutputStream out) throws IOException {
    out.write(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(this));
  }

  /** Reads what {@link #write} wrote. */
  public static JobRequest read(InputStream in) throws IOException {
    return MAPPER.readValue(in, JobRequest.class);
  }
}
