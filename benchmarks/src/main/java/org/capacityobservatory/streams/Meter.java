package org.capacityobservatory.streams;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/** The clock and the CPU times of a thread, of this process and of the broker's. */
final class Meter {
  private final long brokerPid;
  private final long threadId;
  private final long beganNanos;
  private final long threadNanos;
  private final long processNanos;
  private final long brokerNanos;

  private Meter(long brokerPid, long threadId) {
    this.brokerPid = brokerPid;
    this.threadId = threadId;
    beganNanos = System.nanoTime();
    threadNanos = ofThread();
    processNanos = ofProcess();
    brokerNanos = ofBroker();
  }

  /** Starts at the times that the thread whose name matches, the process and the broker have. */
  static Meter start(long brokerPid, String threadName) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().matches(threadName)) {
        return new Meter(brokerPid, thread.getThreadId());
      }
    }
    throw new IllegalStateException("No thread " + threadName);
  }

  Figures stop(int lines) {
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    return new Figures(
        lines / seconds,
        (ofThread() - threadNanos) / 1e3 / lines,
        (ofProcess() - processNanos) / 1e3 / lines,
        (ofBroker() - brokerNanos) / 1e3 / lines);
  }

  private long ofThread() {
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(threadId);
  }

  private static long ofProcess() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private long ofBroker() {
    return ProcessHandle.of(brokerPid)
        .flatMap(broker -> broker.info().totalCpuDuration())
        .orElse(Duration.ZERO)
        .toNanos();
  }
}
