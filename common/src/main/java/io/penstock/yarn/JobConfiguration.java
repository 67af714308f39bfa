package io.penstock.yarn;

import io.penstock.config.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A job's configuration: that of the submitting side as it was then, with the settings of the
 * command line, so that every process of the job reads the same.
 */
public final class JobConfiguration {
  private JobConfiguration() {}

  /** Writes all of a configuration. */
  public static void write(Configuration configuration, OutputStream out) throws IOException {
    configuration.writeXml(out);
  }

  /** Reads it in a process of the job, over what the node's own files say. */
  public static Configuration read(Path folder) {
    Settings.addResources();
    Configuration configuration = new YarnConfiguration();
    configuration.addResource(
        new org.apache.hadoop.fs.Path(folder.resolve(JobFiles.CONFIGURATION).toUri()));
    configuration.size();
    return configuration;
  }
}
