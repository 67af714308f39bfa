package io.penstock.container.ordered;

/**
 * What a stage has done and where it waited, up to now. Times are nanoseconds; those of workers are
 * summed over the workers. Waits that still last are counted.
 *
 * @param taken results that the consumer has taken
 * @param consumerWaited the consumer waited for results: the stage was too slow
 * @param sourceWaited admission waited for the source's next item: what lies before was too slow
 * @param allowanceWaited admission waited for memory: the consumer had not given it back
 * @param workersIdle workers waited for an item
 * @param workersFull workers waited for room in their queue: the consumer was too slow
 * @param workersBusy workers worked
 */
public record StageStats(
    long taken,
    long consumerWaited,
    long sourceWaited,
    long allowanceWaited,
    long workersIdle,
    long workersFull,
    long workersBusy) {}
