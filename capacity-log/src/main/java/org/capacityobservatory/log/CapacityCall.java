package org.capacityobservatory.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One gated call, as the limiter's line {@code ocl_capacity} tells it (docs/lines.md).
 *
 * <p>A component is null when its key is missing from the line, or was there with null: "not known
 * or does not apply", never 0 or false. {@link #nullKeys} tells the two apart. Text is verbatim;
 * unknown decisions, modes, endpoints, tiers and lanes are kept as they are.
 *
 * @param decision {@code admitted}, {@code shadow-refused}, {@code refused}, {@code unavailable} or
 *     one not known yet; empty where it was no text
 * @param enforced whether this call could have been refused
 * @param semantic a kNN search
 * @param reranker the in-request rerank
 * @param rows rows in the request
 * @param singleRow {@code $match} with exactly one row: interactive
 * @param tier the caller's highest plan
 * @param userId the caller; personal data
 * @param full lanes at their limit when it arrived, in lane order; empty when none
 * @param scope the lane reported
 * @param suggested calls this user should keep in flight now
 * @param retryAfter s; what a refusal would have said
 * @param heldMs from acquire to release, ms; null when no lease was held
 * @param queueMs load balancer to view, ms, high by 0 to 999
 * @param leaseLost its leases expired while it ran
 * @param error what the limiter hit
 * @param task the API task
 * @param cid correlation id of the HTTP request; a hint for people, never a key
 */
public record CapacityCall(
    String decision,
    @Nullable String mode,
    @Nullable Boolean enforced,
    @Nullable String endpoint,
    @Nullable Boolean semantic,
    @Nullable Boolean reranker,
    @Nullable Long rows,
    @Nullable Boolean singleRow,
    @Nullable String tier,
    @Nullable Long userId,
    List<String> full,
    @Nullable String scope,
    @Nullable Long inFlight,
    @Nullable Long limit,
    @Nullable Long taskInFlight,
    @Nullable Long taskLimit,
    @Nullable Long es2KnnInFlight,
    @Nullable Long es2KnnLimit,
    @Nullable Long tierInFlight,
    @Nullable Long tierLimit,
    @Nullable Long userInFlight,
    @Nullable Long userLimit,
    @Nullable Long suggested,
    @Nullable Long retryAfter,
    @Nullable Long heldMs,
    @Nullable Long queueMs,
    @Nullable Boolean leaseLost,
    @Nullable String error,
    @Nullable String task,
    @Nullable String requestSource,
    @Nullable String algorithmId,
    @Nullable String automatchRunId,
    @Nullable String cid,
    @Nullable Long logDropped,
    List<String> nullKeys,
    String unknown,
    List<String> typeErrors)
    implements CapacityEvent {}
