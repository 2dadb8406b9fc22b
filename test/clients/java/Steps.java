import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.workos.WorkOS;
import com.workos.common.exceptions.WorkOSException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;

/** Plays steps and prints each as a line of JSON, which the command that started this counts. */
final class Steps {
  static final String BASE_URL = System.getenv("GATEHOUSE_BASE_URL");
  static final String API_KEY = System.getenv("GATEHOUSE_API_KEY");
  static final String CLIENT_ID = System.getenv("GATEHOUSE_CLIENT_ID");
  static final String OUTSIDE = System.getenv("GATEHOUSE_OUTSIDE");
  static final String PASSWORD = "plain tulips over kelp";

  static final WorkOS client =
      WorkOS.builder().apiKey(API_KEY).clientId(CLIENT_ID).apiBaseUrl(BASE_URL).build();

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private Steps() {}

  /** A step failed on which the rest of its area builds. */
  static final class AreaStopped extends RuntimeException {
    AreaStopped(Throwable cause) {
      super(cause);
    }
  }

  /** Work that gives nothing back. */
  interface Work {
    void run() throws Exception;
  }

  /** Runs one step. @throws AreaStopped when it fails */
  static <T> T step(String name, Callable<T> work) {
    try {
      T value = work.call();
      print(name, null);
      return value;
    } catch (Exception | AssertionError error) {
      print(name, error);
      throw new AreaStopped(error);
    }
  }

  /** The same for work that gives nothing back. */
  static void check(String name, Work work) {
    step(
        name,
        () -> {
          work.run();
          return null;
        });
  }

  /** A step whose call must end with this class of the client. @return the error */
  static <E extends Exception> E rejected(String name, Class<E> expected, Work work) {
    return step(
        name,
        () -> {
          try {
            work.run();
          } catch (Exception error) {
            must(expected == error.getClass(), error.getClass().getSimpleName() + ": " + error.getMessage());
            return expected.cast(error);
          }
          throw new AssertionError("was not rejected");
        });
  }

  /** @throws AssertionError with what was seen instead, unless a promise holds */
  static void must(boolean holds, Object seen) {
    if (!holds) throw new AssertionError("does not hold: " + seen);
  }

  /** @throws AssertionError unless two values are the same */
  static void equal(Object expected, Object seen) {
    if (!Objects.equals(expected, seen)) throw new AssertionError("expected " + expected + ", got " + seen);
  }

  static String newEmail() {
    return UUID.randomUUID() + "@java.example";
  }

  /** Calls the world outside: a browser, an authenticator app, a webhook receiver. */
  static JsonNode outside(String path, Map<String, ?> body) throws Exception {
    return JSON.readTree(fetched(OUTSIDE + path, body));
  }

  /** Calls what the local service has for tests: captured mail and its clock. */
  static JsonNode local(String path, Map<String, ?> body) throws Exception {
    return JSON.readTree(fetched(BASE_URL + "/_local/" + path, body));
  }

  /** Reads an address. @param body posted as JSON unless it is null */
  static String fetched(String url, Map<String, ?> body) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (body != null) {
      request
          .header("content-type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
    }
    HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    must(response.statusCode() < 300, url + " answered " + response.statusCode() + ": " + response.body());
    return response.body();
  }

  /** Parses JSON. */
  static JsonNode parsed(String text) throws Exception {
    return JSON.readTree(text);
  }

  private static void print(String name, Throwable error) {
    ObjectNode line = JSON.createObjectNode().put("step", name).put("ok", error == null);
    if (error != null) {
      String raw = error instanceof WorkOSException sdk && sdk.rawBody != null ? " " + sdk.rawBody : "";
      line.put("why", error.getClass().getSimpleName() + ": " + error.getMessage() + raw);
    }
    System.out.println(line);
  }
}
