package io.penstock.cluster;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.yarn.api.ApplicationClientProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.ClientRMProxy;
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
    // YarnClient waits, and takes a command that has failed meanwhile for one that was refused.
    ApplicationClientProtocol resourceManager =
        ClientRMProxy.createRMProxy(yarn.getConfig(), ApplicationClientProtocol.class);
    try {
      resourceManager.submitApplication(SubmitApplicationRequest.newInstance(application));
    } finally {
      RPC.stopProxy(resourceManager);
    }
    return application.getApplicationId();
  }
}
