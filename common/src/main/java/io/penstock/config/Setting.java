package io.penstock.config;

import java.util.Objects;

/**
 * One {@code penstock.*} setting.
 *
 * @param name {@code penstock.<component>.<name>}
 * @param standard its default as text, before Hadoop's <code>${...}</code> are filled in
 * @param type how text becomes a value
 */
record Setting<T>(String name, String standard, SettingType<T> type) {
  Setting {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(standard, "standard");
    Objects.requireNonNull(type, "type");
  }
}
