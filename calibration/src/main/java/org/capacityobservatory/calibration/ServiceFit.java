package org.capacityobservatory.calibration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.capacityobservatory.calibration.ServiceModel.Coefficient;
import org.capacityobservatory.calibration.ServiceModel.Driver;
import org.capacityobservatory.calibration.ServiceModel.Shape;

/**
 * Fits how held time stretches with concurrency, from the lines alone.
 *
 * <p>log held = mean of the class + log stretch(n) + noise, by least squares within classes. Shape,
 * driver and whether endpoints stretch alike are chosen by the Bayesian information criterion, so a
 * richer form must earn its parameters.
 */
final class ServiceFit {
  /** A criterion must be better by this to leave the simpler form ("strong", Kass and Raftery). */
  private static final double STRONG = 6;

  private static final int MAX_KNEE = 32;
  private static final int MIN_SAMPLES = 20;
  private static final double MAX_K = 8;

  /**
   * The calls to fit.
   *
   * @param stretchClass class of each
   * @param logHeld log of held ms of each
   * @param n per driver, concurrency of each
   */
  @SuppressWarnings("ArrayRecordComponent") // Plain columns; nobody compares them.
  record Samples(int[] stretchClass, double[] logHeld, Map<Driver, double[]> n) {}

  private final Samples samples;
  private final List<String> classNames;
  private final List<String> classEndpoints;
  private final int count;

  private ServiceFit(Samples samples, List<String> classNames, List<String> classEndpoints) {
    this.samples = samples;
    this.classNames = classNames;
    this.classEndpoints = classEndpoints;
    this.count = samples.logHeld().length;
  }

  static ServiceModel fit(Samples samples, List<String> classNames, List<String> classEndpoints) {
    return new ServiceFit(samples, classNames, classEndpoints).best();
  }

  private record Fitted(ServiceModel model, double criterion) {}

  private ServiceModel best() {
    if (count < MIN_SAMPLES) {
      return flat();
    }
    List<List<Integer>> groupings = groupings();
    double flatError = error(Shape.FLAT, Driver.CLUSTER, 1, 0, all());
    ServiceModel best = flat();
    double bestCriterion = criterion(flatError, 0);
    for (Driver driver : Driver.values()) {
      for (List<Integer> groupOfClass : groupings) {
        for (Shape shape : List.of(Shape.LINEAR, Shape.POWER, Shape.HINGE)) {
          Fitted fitted = fit(shape, driver, groupOfClass, flatError);
          if (fitted != null && fitted.criterion() < bestCriterion - margin(fitted, best)) {
            best = fitted.model();
            bestCriterion = fitted.criterion();
          }
        }
      }
    }
    return best;
  }

  private ServiceModel flat() {
    double[] n = samples.n().getOrDefault(Driver.CLUSTER, new double[0]);
    return ServiceModel.flat(
        classNames.size(),
        count,
        (int) java.util.Arrays.stream(n).min().orElse(0),
        (int) java.util.Arrays.stream(n).max().orElse(0));
  }

  /** Between equals in size the better fit wins; more parameters must be strongly better. */
  private static double margin(Fitted fitted, ServiceModel best) {
    return parameters(fitted.model()) > parameters(best) ? STRONG : 0;
  }

  private static int parameters(ServiceModel model) {
    return model.shape() == Shape.FLAT
        ? 0
        : model.groups().size() + (model.shape() == Shape.HINGE ? 1 : 0);
  }

  private double criterion(double error, int parameters) {
    return count * Math.log(Math.max(error, 1e-9) / count) + parameters * Math.log(count);
  }

  /** All alike; by endpoint; by class. */
  private List<List<Integer>> groupings() {
    List<List<Integer>> groupings = new ArrayList<>();
    groupings.add(java.util.Collections.nCopies(classNames.size(), 0));
    Map<String, Integer> endpoints = new TreeMap<>();
    List<Integer> byEndpoint = new ArrayList<>();
    for (String endpoint : classEndpoints) {
      byEndpoint.add(endpoints.computeIfAbsent(endpoint, e -> endpoints.size()));
    }
    if (endpoints.size() > 1) {
      groupings.add(byEndpoint);
    }
    if (classNames.size() > endpoints.size()) {
      List<Integer> byClass = new ArrayList<>();
      for (int i = 0; i < classNames.size(); i++) {
        byClass.add(i);
      }
      groupings.add(byClass);
    }
    return groupings;
  }

  private @org.jspecify.annotations.Nullable Fitted fit(
      Shape shape, Driver driver, List<Integer> groupOfClass, double flatError) {
    double[] n = samples.n().get(driver);
    if (n == null) {
      return null;
    }
    double lowest = Double.MAX_VALUE;
    double highest = 0;
    for (double one : n) {
      lowest = Math.min(lowest, one);
      highest = Math.max(highest, one);
    }
    if (highest - lowest < 1) {
      return null;
    }
    int lastKnee = shape == Shape.HINGE ? (int) Math.min(MAX_KNEE, highest - 1) : 1;
    Fitted best = null;
    for (int knee = shape == Shape.HINGE ? 2 : 1; knee <= lastKnee; knee++) {
      Fitted fitted = fitGroups(shape, driver, groupOfClass, knee, flatError, lowest, highest);
      if (best == null || fitted.criterion() < best.criterion()) {
        best = fitted;
      }
    }
    return best;
  }

  private Fitted fitGroups(
      Shape shape,
      Driver driver,
      List<Integer> groupOfClass,
      int knee,
      double flatError,
      double lowest,
      double highest) {
    int groups = groupOfClass.stream().mapToInt(g -> g).max().orElse(0) + 1;
    List<Coefficient> coefficients = new ArrayList<>();
    double sum = 0;
    for (int group = 0; group < groups; group++) {
      boolean[] member = members(groupOfClass, group);
      double k = minimum(shape, driver, knee, member);
      double error = error(shape, driver, knee, k, member);
      sum += error;
      coefficients.add(
          new Coefficient(
              groups == 1 ? "all" : nameOf(groupOfClass, group),
              k,
              standardError(shape, driver, knee, k, member)));
    }
    ServiceModel model =
        new ServiceModel(
            shape,
            driver,
            coefficients,
            groupOfClass,
            knee,
            flatError <= 0 ? 0 : 1 - sum / flatError,
            Math.sqrt(sum / Math.max(1, count - groups)),
            count,
            (int) Math.floor(lowest),
            (int) Math.ceil(highest));
    return new Fitted(model, criterion(sum, parameters(model)));
  }

  private String nameOf(List<Integer> groupOfClass, int group) {
    List<String> names = new ArrayList<>();
    for (int c = 0; c < classNames.size(); c++) {
      if (groupOfClass.get(c) == group) {
        names.add(classNames.get(c));
      }
    }
    return String.join(", ", names);
  }

  private boolean[] members(List<Integer> groupOfClass, int group) {
    boolean[] member = new boolean[classNames.size()];
    for (int c = 0; c < member.length; c++) {
      member[c] = groupOfClass.get(c) == group;
    }
    return member;
  }

  private boolean[] all() {
    boolean[] member = new boolean[classNames.size()];
    java.util.Arrays.fill(member, true);
    return member;
  }

  /** Golden-section search; the error has one minimum in k for every shape here. */
  private double minimum(Shape shape, Driver driver, int knee, boolean[] member) {
    double golden = (Math.sqrt(5) - 1) / 2;
    double low = 0;
    double high = MAX_K;
    double a = high - golden * (high - low);
    double b = low + golden * (high - low);
    double errorA = error(shape, driver, knee, a, member);
    double errorB = error(shape, driver, knee, b, member);
    while (high - low > 1e-6) {
      if (errorA <= errorB) {
        high = b;
        b = a;
        errorB = errorA;
        a = high - golden * (high - low);
        errorA = error(shape, driver, knee, a, member);
      } else {
        low = a;
        a = b;
        errorA = errorB;
        b = low + golden * (high - low);
        errorB = error(shape, driver, knee, b, member);
      }
    }
    double middle = (low + high) / 2;
    return middle < 1e-5 ? 0 : middle;
  }

  /** Sum of squares within classes of log held − log stretch. */
  private double error(Shape shape, Driver driver, int knee, double k, boolean[] member) {
    double[] n = samples.n().get(driver);
    int classes = classNames.size();
    double[] sum = new double[classes];
    double[] squares = new double[classes];
    int[] number = new int[classes];
    for (int i = 0; i < count; i++) {
      int c = samples.stretchClass()[i];
      if (member[c]) {
        double rest = samples.logHeld()[i];
        if (shape != Shape.FLAT && n != null) {
          rest -= Math.log(ServiceModel.at(shape, k, knee, n[i]));
        }
        sum[c] += rest;
        squares[c] += rest * rest;
        number[c]++;
      }
    }
    double error = 0;
    for (int c = 0; c < classes; c++) {
      if (number[c] > 0) {
        error += Math.max(0, squares[c] - sum[c] * sum[c] / number[c]);
      }
    }
    return error;
  }

  /** From the curvature of the error at its minimum: the usual Gauss–Newton figure. */
  private double standardError(Shape shape, Driver driver, int knee, double k, boolean[] member) {
    double[] n = samples.n().get(driver);
    if (n == null) {
      return 0;
    }
    int classes = classNames.size();
    double step = 1e-4;
    double[] sum = new double[classes];
    double[] squares = new double[classes];
    int[] number = new int[classes];
    int fitted = 0;
    for (int i = 0; i < count; i++) {
      int c = samples.stretchClass()[i];
      if (member[c]) {
        double slope =
            (Math.log(ServiceModel.at(shape, k + step, knee, n[i]))
                    - Math.log(ServiceModel.at(shape, k, knee, n[i])))
                / step;
        sum[c] += slope;
        squares[c] += slope * slope;
        number[c]++;
        fitted++;
      }
    }
    double information = 0;
    for (int c = 0; c < classes; c++) {
      if (number[c] > 0) {
        information += squares[c] - sum[c] * sum[c] / number[c];
      }
    }
    double variance = error(shape, driver, knee, k, member) / Math.max(1, fitted - 1);
    return information <= 0 ? 0 : Math.sqrt(variance / information);
  }
}
