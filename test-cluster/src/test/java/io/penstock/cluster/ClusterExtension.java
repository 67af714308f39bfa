package io.penstock.cluster;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands the {@link PenstockCluster} of the whole test run to tests that ask for one as a parameter.
 * It is started for the first of them and stopped after the last by JUnit's root store. A test that
 * stops a server starts it again before it ends.
 */
final class ClusterExtension implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ClusterExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == PenstockCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(PenstockCluster.class, key -> startCluster(), PenstockCluster.class);
  }

  private static PenstockCluster startCluster() {
    try {
      return PenstockCluster.start();
    } catch (java.io.IOException e) {
      throw new IllegalStateException("the cluster did not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the cluster started", e);
    }
  }
}
