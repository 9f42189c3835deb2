package org.capacityobservatory.calibration;

import java.util.List;

/**
 * How held time stretches with concurrency: held = base × stretch(n), stretch(1) = 1.
 *
 * @param shape the form that the lines support best
 * @param driver what n counts
 * @param groups the coefficient of each group of calls; one group when they can't be told apart
 * @param groupOfClass which group a class of calls belongs to
 * @param knee n up to which nothing stretches (hinge only), else 1
 * @param explained share of the variance of log held within classes that the stretch explains
 * @param residual standard deviation of log held that remains
 * @param samples calls fitted
 * @param lowest lowest n among them
 * @param highest highest n among them; beyond it the stretch is extrapolated
 */
public record ServiceModel(
    Shape shape,
    Driver driver,
    List<Coefficient> groups,
    List<Integer> groupOfClass,
    int knee,
    double explained,
    double residual,
    int samples,
    int lowest,
    int highest) {
  /** A form of the stretch. */
  public enum Shape {
    /** 1, whatever n. */
    FLAT,
    /** 1 + k·(n − 1). */
    LINEAR,
    /** 1 + k·max(0, n − knee). */
    HINGE,
    /** n to the power k. */
    POWER
  }

  /** What n counts, the call itself included. */
  public enum Driver {
    /** Heavy calls in flight in the cluster as the call begins. */
    CLUSTER,
    /** Heavy calls in flight on the same task as the call begins. */
    TASK,
    /** Heavy calls in flight in the cluster at every moment of the call: work is shared. */
    SHARING
  }

  /**
   * One coefficient.
   *
   * @param name the calls that it holds for
   * @param k its value
   * @param standardError of k
   */
  public record Coefficient(String name, double k, double standardError) {}

  /** Copies the lists. */
  public ServiceModel {
    groups = List.copyOf(groups);
    groupOfClass = List.copyOf(groupOfClass);
  }

  /** The model that knows no stretch. */
  static ServiceModel flat(int classes, int samples, int lowest, int highest) {
    return new ServiceModel(
        Shape.FLAT,
        Driver.CLUSTER,
        List.of(new Coefficient("all", 0, 0)),
        java.util.Collections.nCopies(classes, 0),
        1,
        0,
        0,
        samples,
        lowest,
        highest);
  }

  /** The stretch of a class of calls at a concurrency of n ≥ 1. */
  public double stretch(int stretchClass, double n) {
    return at(shape, groups.get(groupOfClass.get(stretchClass)).k(), knee, n);
  }

  static double at(Shape shape, double k, int knee, double n) {
    double many = Math.max(n, 1);
    return switch (shape) {
      case FLAT -> 1;
      case LINEAR -> 1 + k * (many - 1);
      case HINGE -> 1 + k * Math.max(0, many - knee);
      case POWER -> Math.pow(many, k);
    };
  }

  /** The same with each coefficient moved by some of its standard errors; never below 0. */
  ServiceModel moved(double standardErrors) {
    List<Coefficient> moved =
        groups.stream()
            .map(
                g ->
                    new Coefficient(
                        g.name(),
                        Math.max(0, g.k() + standardErrors * g.standardError()),
                        g.standardError()))
            .toList();
    return new ServiceModel(
        shape, driver, moved, groupOfClass, knee, explained, residual, samples, lowest, highest);
  }
}
