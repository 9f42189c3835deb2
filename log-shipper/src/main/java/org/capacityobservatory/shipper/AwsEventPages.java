package org.capacityobservatory.shipper;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudwatchlogs.CloudWatchLogsClient;
import software.amazon.awssdk.services.cloudwatchlogs.CloudWatchLogsClientBuilder;
import software.amazon.awssdk.services.cloudwatchlogs.model.CloudWatchLogsException;
import software.amazon.awssdk.services.cloudwatchlogs.model.FilterLogEventsRequest;
import software.amazon.awssdk.services.cloudwatchlogs.model.FilterLogEventsResponse;
import software.amazon.awssdk.services.cloudwatchlogs.model.InvalidParameterException;

/**
 * FilterLogEvents by the AWS SDK.
 *
 * <p>The SDK's own retries are off: the tap waits between tries, so that the waits show.
 */
final class AwsEventPages implements EventPages {
  /** The most that one answer may hold. */
  private static final int LIMIT = 10_000;

  private final CloudWatchLogsClient client;
  private final String group;
  private final String where;

  AwsEventPages(FeedConfig.CloudWatch config) {
    this.group = config.group();
    this.where = "log group %s in %s".formatted(config.group(), config.region());
    CloudWatchLogsClientBuilder builder =
        CloudWatchLogsClient.builder()
            .region(Region.of(config.region()))
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(Duration.ofSeconds(5))
                    .socketTimeout(Duration.ofSeconds(30)))
            .overrideConfiguration(
                settings ->
                    settings
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        .apiCallTimeout(Duration.ofSeconds(60)));
    if (config.endpoint() != null) {
      builder.endpointOverride(config.endpoint());
    }
    this.client = builder.build();
  }

  @Override
  public Page page(long fromMillis, @Nullable String token) throws Refusal {
    FilterLogEventsRequest.Builder request =
        FilterLogEventsRequest.builder().logGroupName(group).startTime(fromMillis).limit(LIMIT);
    if (token != null) {
      request.nextToken(token);
    }
    try {
      FilterLogEventsResponse response = client.filterLogEvents(request.build());
      List<CloudWatchEvent> events =
          response.events().stream()
              .map(
                  event ->
                      new CloudWatchEvent(
                          event.eventId(),
                          event.timestamp(),
                          event.message(),
                          event.logStreamName(),
                          event.ingestionTime()))
              .toList();
      String next = response.nextToken();
      return new Page(events, next == null || next.equals(token) ? null : next);
    } catch (InvalidParameterException e) {
      throw refusal(token == null ? Refusal.Kind.LASTING : Refusal.Kind.TOKEN, e);
    } catch (CloudWatchLogsException e) {
      boolean passing = e.isThrottlingException() || e.statusCode() >= 500;
      throw refusal(passing ? Refusal.Kind.TRY_LATER : Refusal.Kind.LASTING, e);
    } catch (ApiCallTimeoutException e) {
      throw refusal(Refusal.Kind.TRY_LATER, e);
    } catch (SdkClientException e) {
      throw refusal(
          e.getCause() instanceof IOException ? Refusal.Kind.TRY_LATER : Refusal.Kind.LASTING, e);
    }
  }

  private Refusal refusal(Refusal.Kind kind, SdkException e) {
    String message =
        e instanceof CloudWatchLogsException theirs && theirs.awsErrorDetails() != null
            ? "%s: %s"
                .formatted(
                    theirs.awsErrorDetails().errorCode(), theirs.awsErrorDetails().errorMessage())
            : String.valueOf(e.getMessage());
    return new Refusal(kind, where + " can't be read: " + message, e);
  }

  @Override
  public void close() {
    client.close();
  }
}
