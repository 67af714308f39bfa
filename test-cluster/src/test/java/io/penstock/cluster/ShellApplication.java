package io.penstock.cluster;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;

/** An application whose only container runs a shell command in the ApplicationMaster's place. */
final class ShellApplication {
  private ShellApplication() {}

  static ApplicationId submit(YarnClient yarn, String command) throws Exception {
    ApplicationSubmissionContext application =
        yarn.createApplication().getApplicationSubmissionContext();
    application.setApplicationName("shell");
    application.setQueue("default");
    application.setMaxAppAttempts(1);
    application.setResource(Resource.newInstance(256, 1));
    application.setAMContainerSpec(
        ContainerLaunchContext.newInstance(
            Map.of(),
            Map.of(),
            List.of(command + " 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr"),
            null,
            null,
            null));
    return yarn.submitApplication(application);
  }
}
