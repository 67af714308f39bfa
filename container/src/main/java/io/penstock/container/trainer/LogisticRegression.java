package io.penstock.container.trainer;

import io.penstock.model.DType;
import io.penstock.model.TensorSpec;
import io.penstock.model.UsageException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Logistic regression by stochastic gradient descent, each rank a model of its own: a training step
 * whose result depends on every delivered value and on their order, so that equal weights show
 * equal runs.
 *
 * <p>Settings: {@code penstock.step.features} (a float32 tensor, default {@code features}), {@code
 * penstock.step.label} (a float32 tensor of one number a row that is 0 or 1, default {@code
 * label}), {@code penstock.step.learning-rate} (default 0.01). Rows that are not valid are passed
 * over. All sums are float64 in row order.
 */
public final class LogisticRegression implements TrainingStep {
  private String features;
  private String label;
  private double rate;
  private double[] weights;
  private double[] gradient;
  private long epoch = -1;
  private double loss;
  private long rows;
  private final Map<String, String> report = new LinkedHashMap<>();

  @Override
  public void open(TrainingContext context) {
    StepArguments arguments = new StepArguments(context.arguments());
    features = arguments.text("features", "features");
    label = arguments.text("label", "label");
    rate = arguments.number("learning-rate", 0.01, 0, 1e6);
    arguments.refuseOthers();
    TensorSpec input = tensor(context, features);
    if (tensor(context, label).rowElements() != 1) {
      throw new UsageException("must have one number a row: penstock.step.label=" + label);
    }
    // One weight per feature, and the bias last.
    weights = new double[input.rowElements() + 1];
    gradient = new double[weights.length];
  }

  private static TensorSpec tensor(TrainingContext context, String name) {
    TensorSpec spec =
        context.tensors().stream()
            .filter(t -> t.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new UsageException(
                        "LogisticRegression needs a tensor '"
                            + name
                            + "'; the feed has "
                            + context.tensors().stream().map(TensorSpec::name).toList()));
    if (spec.dtype() != DType.FLOAT32) {
      throw new UsageException(
          "LogisticRegression needs float32: tensor=" + name + " dtype=" + spec.dtype().text());
    }
    return spec;
  }

  @Override
  public void step(Batch batch) {
    if (batch.epoch() != epoch) {
      endEpoch();
      epoch = batch.epoch();
    }
    ByteBuffer x = batch.tensor(features);
    ByteBuffer y = batch.tensor(label);
    ByteBuffer valid = batch.tensor("valid");
    int width = weights.length - 1;
    java.util.Arrays.fill(gradient, 0);
    int used = 0;
    for (int row = 0; row < batch.rows(); row++) {
      if (valid.get(row) == 0) {
        continue;
      }
      int at = row * width * Float.BYTES;
      double z = weights[width];
      for (int i = 0; i < width; i++) {
        z += weights[i] * x.getFloat(at + i * Float.BYTES);
      }
      double target = y.getFloat(row * Float.BYTES);
      double p = 1 / (1 + StrictMath.exp(-z));
      loss -= StrictMath.log(Math.max(target > 0.5 ? p : 1 - p, 1e-12));
      double error = p - target;
      for (int i = 0; i < width; i++) {
        gradient[i] += error * x.getFloat(at + i * Float.BYTES);
      }
      gradient[width] += error;
      used++;
    }
    for (int i = 0; used > 0 && i < weights.length; i++) {
      weights[i] -= rate * gradient[i] / used;
    }
    rows += used;
  }

  private void endEpoch() {
    if (rows > 0) {
      report.put("loss." + epoch, String.format(Locale.ROOT, "%.6f", loss / rows));
    }
    loss = 0;
    rows = 0;
  }

  @Override
  public Map<String, String> report() {
    if (rows > 0) {
      report.put("loss." + epoch, String.format(Locale.ROOT, "%.6f", loss / rows));
    }
    report.put("weights", digest());
    return Map.copyOf(report);
  }

  /** 16 hex digits that tell models apart. */
  private String digest() {
    ByteBuffer bytes =
        ByteBuffer.allocate(weights.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (double weight : weights) {
      bytes.putDouble(weight);
    }
    return String.format(
        "%016x", io.penstock.plan.XxHash64.hash(bytes.array(), 0, bytes.capacity(), 0));
  }
}
