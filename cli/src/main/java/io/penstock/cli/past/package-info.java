/** Past jobs as commands reach them: from their history, and from ZooKeeper where it knows more. */
package io.penstock.cli.past;
