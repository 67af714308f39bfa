package io.penstock.yarn;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/** Makes the launch contexts of a job's processes. */
public final class Launches {
  private Launches() {}

  /**
   * A launch context.
   *
   * @param user whose files the process reads where Hadoop has no security
   */
  public static ContainerLaunchContext context(
      JavaProcess process, Map<String, LocalResource> files, Credentials credentials, String user)
      throws IOException {
    Map<String, String> variables = new LinkedHashMap<>(process.variables());
    if (!UserGroupInformation.isSecurityEnabled()) {
      variables.put("HADOOP_USER_NAME", user);
    }
    return ContainerLaunchContext.newInstance(
        files, variables, process.command(), null, tokens(credentials), null);
  }

  /**
   * What a process needs of the job's staging folder and the distribution.
   *
   * @param fileSystem the staging folder's
   * @return by link in the working folder
   */
  public static Map<String, LocalResource> files(
      FileSystem fileSystem, JobRequest request, Configuration configuration) throws IOException {
    Map<String, LocalResource> files = new LinkedHashMap<>();
    for (FileStatus status : fileSystem.listStatus(new Path(request.staging()))) {
      if (status.isFile()) {
        files.put(
            status.getPath().getName(),
            resource(status, LocalResourceType.FILE, LocalResourceVisibility.APPLICATION));
      }
    }
    Path archive = new Path(request.distribution());
    FileSystem holder = archive.getFileSystem(configuration);
    files.put(
        JobFiles.DISTRIBUTION,
        resource(
            holder.getFileStatus(archive), LocalResourceType.ARCHIVE, visibility(holder, archive)));
    return files;
  }

  /** PUBLIC if everybody may read a file and enter all folders above it; else PRIVATE. */
  public static LocalResourceVisibility visibility(FileSystem fileSystem, Path file)
      throws IOException {
    if (!fileSystem.getFileStatus(file).getPermission().getOtherAction().implies(FsAction.READ)) {
      return LocalResourceVisibility.PRIVATE;
    }
    for (Path folder = file.getParent(); folder != null; folder = folder.getParent()) {
      if (!fileSystem
          .getFileStatus(folder)
          .getPermission()
          .getOtherAction()
          .implies(FsAction.EXECUTE)) {
        return LocalResourceVisibility.PRIVATE;
      }
    }
    return LocalResourceVisibility.PUBLIC;
  }

  /** What a container may have of this process's credentials: all but the ResourceManager's. */
  public static Credentials forContainers(Credentials credentials) {
    Credentials given = new Credentials(credentials);
    given.getAllTokens().stream()
        .filter(token -> token.getKind().equals(AMRMTokenIdentifier.KIND_NAME))
        .map(token -> token.getService())
        .toList()
        .forEach(service -> given.removeToken(service));
    return given;
  }

  private static LocalResource resource(
      FileStatus status, LocalResourceType type, LocalResourceVisibility visibility) {
    return LocalResource.newInstance(
        URL.fromPath(status.getPath()),
        type,
        visibility,
        status.getLen(),
        status.getModificationTime());
  }

  private static ByteBuffer tokens(Credentials credentials) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    credentials.writeTokenStorageToStream(out);
    return ByteBuffer.wrap(out.getData(), 0, out.getLength());
  }
}
