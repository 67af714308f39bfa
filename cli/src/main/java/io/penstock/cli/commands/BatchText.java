package io.penstock.cli.commands;

import io.penstock.container.slots.Slot;
import io.penstock.container.slots.SlotLayout;
import io.penstock.container.slots.StepRecord;
import io.penstock.model.DType;
import io.penstock.model.TensorSpec;
import java.nio.ByteBuffer;
import java.util.StringJoiner;
import java.util.function.Consumer;

/** Batches as people read them: of each tensor the first items of the first rows. */
final class BatchText implements BatchSink {
  private static final int ROWS_SHOWN = 4;
  private static final int ITEMS_SHOWN = 8;

  private final Consumer<String> lines;

  BatchText(Consumer<String> lines) {
    this.lines = lines;
  }

  @Override
  public void accept(Slot slot) {
    SlotLayout layout = slot.layout();
    StepRecord step = slot.record();
    lines.accept(
        "epoch %d step %d: %d rows, %d of them padding, order %s values %s"
            .formatted(
                step.epoch(),
                step.step(),
                step.rows(),
                step.padding(),
                step.order(),
                step.values()));
    for (int part = 0; part < layout.parts().size(); part++) {
      TensorSpec spec = layout.parts().get(part);
      lines.accept(
          "  %s %s %s"
              .formatted(spec.name(), spec.dtype().text(), NpyFolder.shape(spec, layout.rows())));
      for (int row = 0; row < Math.min(ROWS_SHOWN, layout.rows()); row++) {
        lines.accept("    " + items(slot.memory(), spec, layout.offset(part), row));
      }
      if (layout.rows() > ROWS_SHOWN) {
        lines.accept("    ...");
      }
    }
  }

  private static String items(ByteBuffer memory, TensorSpec spec, int offset, int row) {
    int first = offset + row * spec.rowBytes();
    if (spec.itemShape().isEmpty()) {
      return item(memory, spec.dtype(), first);
    }
    StringJoiner text = new StringJoiner(" ", "[", "]");
    for (int i = 0; i < Math.min(ITEMS_SHOWN, spec.rowElements()); i++) {
      text.add(item(memory, spec.dtype(), first + i * spec.dtype().bytes()));
    }
    if (spec.rowElements() > ITEMS_SHOWN) {
      text.add("...");
    }
    return text.toString();
  }

  private static String item(ByteBuffer memory, DType dtype, int at) {
    return switch (dtype) {
      case BOOL -> memory.get(at) == 0 ? "False" : "True";
      case UINT8 -> String.valueOf(memory.get(at) & 0xff);
      case INT8 -> String.valueOf(memory.get(at));
      case INT16 -> String.valueOf(memory.getShort(at));
      case INT32 -> String.valueOf(memory.getInt(at));
      case INT64 -> String.valueOf(memory.getLong(at));
      case FLOAT16 -> String.valueOf(halfToFloat(memory.getShort(at)));
      case FLOAT32 -> String.valueOf(memory.getFloat(at));
      case FLOAT64 -> String.valueOf(memory.getDouble(at));
    };
  }

  /** IEEE 754 binary16: 1 sign bit, 5 of exponent, 10 of fraction. */
  static float halfToFloat(short half) {
    int sign = (half & 0x8000) << 16;
    int exponent = half >> 10 & 0x1f;
    int fraction = half & 0x3ff;
    if (exponent == 0x1f) {
      return Float.intBitsToFloat(sign | 0x7f800000 | fraction << 13);
    }
    float magnitude =
        exponent == 0
            ? fraction * 0x1p-24f
            : Float.intBitsToFloat(exponent + 112 << 23 | fraction << 13);
    return sign == 0 ? magnitude : -magnitude;
  }

  @Override
  public void close() {}
}
