package io.penstock.coordination.records;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a job is: node {@code spec}, written once by the first attempt of the ApplicationMaster.
 *
 * @param application YARN's application id
 * @param name the job's name, for people
 * @param submittedMillis milliseconds since 1970
 * @param version Penstock's version
 * @param staging the job's staging folder, with its scheme; it is removed when the job ends
 * @param feeds by feed name, at least one
 * @param resumed the job that this one goes on from, if there is one
 */
public record JobSpec(
    String application,
    String name,
    String user,
    String queue,
    long submittedMillis,
    String version,
    String staging,
    Map<String, FeedSpec> feeds,
    Optional<Resumption> resumed) {
  public JobSpec {
    Objects.requireNonNull(application, "application");
    feeds = Collections.unmodifiableMap(new TreeMap<>(feeds));
    if (feeds.isEmpty()) {
      throw new IllegalArgumentException("a job has at least one feed");
    }
    resumed = resumed == null ? Optional.empty() : resumed;
  }

  /** A job that begins at the beginning. */
  public JobSpec(
      String application,
      String name,
      String user,
      String queue,
      long submittedMillis,
      String version,
      String staging,
      Map<String, FeedSpec> feeds) {
    this(
        application, name, user, queue, submittedMillis, version, staging, feeds, Optional.empty());
  }
}
