package io.penstock.yarn;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.client.util.YarnClientUtils;

/** Delegation tokens, by which a job's processes reach file systems in the user's name. */
public final class Tokens {
  private Tokens() {}

  /**
   * Gets tokens for the file systems of some paths; with Hadoop's security off there are none.
   *
   * @param paths files or folders that the job reads or writes
   */
  public static Credentials of(Collection<Path> paths, Configuration configuration)
      throws IOException {
    Credentials credentials = new Credentials();
    if (!UserGroupInformation.isSecurityEnabled()) {
      return credentials;
    }
    String renewer = YarnClientUtils.getRmPrincipal(configuration);
    Set<FileSystem> asked = new HashSet<>();
    for (Path path : paths) {
      FileSystem fileSystem = path.getFileSystem(configuration);
      if (asked.add(fileSystem)) {
        fileSystem.addDelegationTokens(renewer, credentials);
      }
    }
    return credentials;
  }
}
