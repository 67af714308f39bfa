package io.penstock.config;

import java.time.Duration;
import java.util.Optional;

/**
 * How jobs are submitted.
 *
 * @param stagingDir where a job's own files lie; below the user's home folder if relative
 * @param distributionDir where the distribution lies, once per version; likewise
 * @param queue YARN's default if empty
 * @param priority within the queue
 * @param nodeLabel the queue's default if empty
 * @param connectTimeout how long the ResourceManager may take to answer at first
 * @param javaHome a JDK 17 or later on every node; found there if empty
 */
public record SubmitSettings(
    String stagingDir,
    String distributionDir,
    Optional<String> queue,
    int priority,
    Optional<String> nodeLabel,
    Duration connectTimeout,
    Optional<String> javaHome) {
  static SubmitSettings from(SettingsReader reader) {
    return new SubmitSettings(
        reader.get(Known.SUBMIT_STAGING_DIR),
        reader.get(Known.SUBMIT_DISTRIBUTION_DIR),
        reader.get(Known.SUBMIT_QUEUE),
        reader.get(Known.SUBMIT_PRIORITY),
        reader.get(Known.SUBMIT_NODE_LABEL),
        reader.get(Known.SUBMIT_CONNECT_TIMEOUT),
        reader.get(Known.JAVA_HOME));
  }
}
