package io.penstock.container.ordered;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A source of given items that remembers what was admitted. */
class TestingSource<I> implements Source<I> {
  final List<I> admitted = new CopyOnWriteArrayList<>();
  volatile boolean stopped;
  private final Iterator<I> items;

  TestingSource(List<I> items) {
    this.items = items.iterator();
  }

  @Override
  public I next() throws Exception {
    return items.hasNext() ? items.next() : null;
  }

  @Override
  public void admitted(I item) throws Exception {
    admitted.add(item);
  }

  @Override
  public void stop() {
    stopped = true;
  }
}
