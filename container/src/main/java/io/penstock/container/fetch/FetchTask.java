package io.penstock.container.fetch;

import io.penstock.model.PenstockException;
import io.penstock.model.UnreachableException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A fetch that was started: what it is of, and its result, which whoever started it awaits. */
final class FetchTask<T> implements Fetch<T> {
  final KeptFile file;
  final String what;
  final FetchBody<T> body;

  /** The try that is running, or null; guarded by the fetcher's lock. */
  FetchTry current;

  /** Tries that failed; guarded by the fetcher's lock. */
  int tries;

  private final Consumer<FetchTask<?>> canceller;
  private final CompletableFuture<Object> result = new CompletableFuture<>();
  private final long startedAt = System.nanoTime();
  private final Duration patience;
  private volatile int retries; // written under the fetcher's lock alone

  /**
   * @param patience how long the result is waited for at most
   * @param canceller called when it is given up
   */
  FetchTask(
      KeptFile file,
      String what,
      FetchBody<T> body,
      Duration patience,
      Consumer<FetchTask<?>> canceller) {
    this.file = Objects.requireNonNull(file, "file");
    this.what = Objects.requireNonNull(what, "what");
    this.body = Objects.requireNonNull(body, "body");
    this.patience = patience;
    this.canceller = canceller;
  }

  void succeed(Object value) {
    result.complete(value);
  }

  void fail(Throwable failure) {
    result.completeExceptionally(failure);
  }

  @Override
  public boolean isDone() {
    return result.isDone();
  }

  /** It is to be tried once more; under the fetcher's lock. */
  void retried() {
    retries++;
  }

  @Override
  public T await() {
    long left = startedAt + patience.toNanos() - System.nanoTime();
    try {
      @SuppressWarnings("unchecked") // completed by this task's own body alone
      T value = (T) result.get(Math.max(1, left), TimeUnit.NANOSECONDS);
      return value;
    } catch (ExecutionException e) {
      throw rethrowable(e.getCause());
    } catch (TimeoutException e) {
      cancel();
      throw new UnreachableException(
          this + ": not fetched within " + StorageFailures.text(patience), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + this, e);
    }
  }

  private RuntimeException rethrowable(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof PenstockException expected) {
      return expected;
    }
    if (failure instanceof RuntimeException unexpected) {
      return unexpected;
    }
    return new IllegalStateException(this + ": " + failure, failure);
  }

  @Override
  public void cancel() {
    canceller.accept(this);
  }

  @Override
  public int retries() {
    return retries;
  }

  @Override
  public String toString() {
    return "file " + file.path() + ", " + what;
  }
}
