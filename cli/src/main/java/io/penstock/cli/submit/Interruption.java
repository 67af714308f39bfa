package io.penstock.cli.submit;

import io.penstock.cli.console.Console;
import io.penstock.cli.console.ExitCode;
import io.penstock.coordination.JobStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when this process is asked to end (Ctrl-C) while its job is at work: the job is
 * killed, its files are removed, and the exit code says so. Runs before Hadoop's own hooks, which
 * close the file systems.
 */
final class Interruption implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Interruption.class);
  private static final int BEFORE_FILE_SYSTEMS = FileSystem.SHUTDOWN_HOOK_PRIORITY + 10;
  private static final long LONGEST_SECONDS = 25;

  private final Console console;
  private final Submitter submitter;
  private final JobStore store;
  private final AtomicBoolean armed = new AtomicBoolean(true);
  private final Runnable hook = this::interrupted;

  private Interruption(Console console, Submitter submitter, JobStore store) {
    this.console = console;
    this.submitter = submitter;
    this.store = store;
  }

  /** Arms it. */
  static Interruption guard(Console console, Submitter submitter, JobStore store) {
    Interruption interruption = new Interruption(console, submitter, store);
    ShutdownHookManager.get()
        .addShutdownHook(interruption.hook, BEFORE_FILE_SYSTEMS, LONGEST_SECONDS, TimeUnit.SECONDS);
    return interruption;
  }

  /** From now on the end of this process leaves the job alone. */
  void disarm() {
    armed.set(false);
  }

  private void interrupted() {
    if (!armed.getAndSet(false)) {
      return;
    }
    try {
      if (submitter.hasSubmitted()) {
        console.note("penstock: killing " + store.application());
        JobKill.kill(store, submitter.cluster(), "interrupted where it was submitted");
      }
      submitter.removeStaging();
    } catch (RuntimeException e) {
      LOG.debug("event=kill-failed", e);
      console.note("penstock: can't kill " + store.application() + ": " + e.getMessage());
    } catch (InterruptedException e) {
      console.note("penstock: " + store.application() + " may still be at work");
    }
    console.flush();
    Runtime.getRuntime().halt(ExitCode.KILLED.code());
  }

  @Override
  public void close() {
    disarm();
    ShutdownHookManager hooks = ShutdownHookManager.get();
    if (!hooks.isShutdownInProgress()) {
      hooks.removeShutdownHook(hook);
    }
  }
}
