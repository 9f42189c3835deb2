package org.capacityobservatory.metrics;

import org.capacityobservatory.log.CapacityCall;
import org.jspecify.annotations.Nullable;

/** The limiter's lanes, in its own order; a call passes all that apply to it, or none. */
public enum Lane {
  /** All heavy calls, cluster-wide. */
  API_HEAVY("api_heavy"),
  /** Heavy calls of one API task. */
  API_HEAVY_TASK("api_heavy_task"),
  /** Semantic {@code $match} only. */
  ES2_KNN("es2_knn"),
  /** Calls of one tier. */
  TIER("tier"),
  /** Calls of one user. */
  USER("user");

  private final String word;

  Lane(String word) {
    this.word = word;
  }

  /** The lane's name in lines, tables and answers. */
  public String word() {
    return word;
  }

  /** The lane with a name; null when this version doesn't know it. */
  public static @Nullable Lane ofWord(String word) {
    return switch (word) {
      case "api_heavy" -> API_HEAVY;
      case "api_heavy_task" -> API_HEAVY_TASK;
      case "es2_knn" -> ES2_KNN;
      case "tier" -> TIER;
      case "user" -> USER;
      default -> null;
    };
  }

  /** Calls in flight in this lane when a call arrived; null when its line doesn't say. */
  public @Nullable Long inFlight(CapacityCall call) {
    return switch (this) {
      case API_HEAVY -> call.inFlight();
      case API_HEAVY_TASK -> call.taskInFlight();
      case ES2_KNN -> call.es2KnnInFlight();
      case TIER -> call.tierInFlight();
      case USER -> call.userInFlight();
    };
  }

  /** This lane's limit as a call saw it; null when its line doesn't say. */
  public @Nullable Long limit(CapacityCall call) {
    return switch (this) {
      case API_HEAVY -> call.limit();
      case API_HEAVY_TASK -> call.taskLimit();
      case ES2_KNN -> call.es2KnnLimit();
      case TIER -> call.tierLimit();
      case USER -> call.userLimit();
    };
  }

  /**
   * Whether a call passes this lane: {@link #ES2_KNN} where the line has its numbers or is a
   * semantic {@code $match}, every other lane always.
   */
  public boolean isPassedBy(CapacityCall call) {
    return this != ES2_KNN
        || call.es2KnnLimit() != null
        || call.es2KnnInFlight() != null
        || (Boolean.TRUE.equals(call.semantic()) && "$match".equals(call.endpoint()));
  }
}
