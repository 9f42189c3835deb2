package org.capacityobservatory.api;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Errors that Jetty finds before a route is looked up, as problems without any of its text. */
final class TerseErrors extends ErrorHandler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    Problem problem =
        Problem.of(
            "malformed-request", status, "Refused", "The request can't be read: see /openapi.yaml");
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.CONTENT_TYPE);
    response.write(true, ByteBuffer.wrap(Json.bytes(problem)), callback);
    return true;
  }
}
