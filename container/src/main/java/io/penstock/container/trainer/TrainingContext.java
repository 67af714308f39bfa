package io.penstock.container.trainer;

import io.penstock.model.Cursor;
import io.penstock.model.RankSlice;
import io.penstock.model.TensorSpec;
import java.util.List;
import java.util.Map;

/**
 * What a training step knows of its run.
 *
 * @param slice this rank of how many
 * @param tensors what each batch holds, masks included
 * @param rows rows of this rank's share of a global batch
 * @param steps steps of an epoch
 * @param epochs epochs of the run
 * @param start the first step that will be delivered; later than {@link Cursor#START} after a
 *     restart
 * @param arguments the settings {@code penstock.step.*}, without that prefix
 * @param commits says that what was delivered so far is safe
 */
public record TrainingContext(
    RankSlice slice,
    List<TensorSpec> tensors,
    int rows,
    long steps,
    long epochs,
    Cursor start,
    Map<String, String> arguments,
    CommitHandle commits) {
  public TrainingContext {
    tensors = List.copyOf(tensors);
    arguments = Map.copyOf(arguments);
  }

  /** Takes the step's commits, and says when one is wanted. */
  @FunctionalInterface
  public interface CommitHandle {
    /**
     * Says that the step in work and all before it are done and safe, say in a checkpoint: after a
     * failure the run goes on behind it. Returns when the commit is stored and outlives this
     * process. A step that never calls it has its cursor committed at the end of every epoch.
     */
    void commit();

    /**
     * Whether a commit is wanted soon, because YARN is about to take a container of the job away. A
     * step that can should then write a checkpoint and commit; it stays wanted until all ranks have
     * a commit in common, so ranks that wait for each other in every step, and commit at each from
     * then on, agree within a step or two. Nothing relies on it: without it the run goes on behind
     * the last commit as always.
     */
    default boolean isWanted() {
      return false;
    }
  }
}
