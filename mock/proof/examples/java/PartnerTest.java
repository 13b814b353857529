import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

/** Against a mock that runs (partnerkit mock): java PartnerTest.java. Any test framework will do; here it is none. */
class PartnerTest {
  static final String MOCK = System.getenv().getOrDefault("PARTNERKIT_URL", "http://127.0.0.1:4010");
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Calls the control API of the mock. */
  static String control(String method, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(MOCK + "/_mock" + path))
        .header("content-type", "application/json")
        .method(method, BodyPublishers.ofString(body));
    HttpResponse<String> reply = CLIENT.send(request.build(), BodyHandlers.ofString());
    if (reply.statusCode() >= 300) throw new AssertionError(method + " " + path + ": " + reply.body());
    return reply.body();
  }

  /** The code under test: it asks again where it is told to wait. */
  static int listLabels(String key) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(MOCK + "/v1/labels")).header("x-api-key", key).build();
    int status = CLIENT.send(request, BodyHandlers.discarding()).statusCode();
    return status == 429 ? CLIENT.send(request, BodyHandlers.discarding()).statusCode() : status;
  }

  public static void main(String[] args) throws Exception {
    // A copy of acme for this test: fresh ids and keys.
    String tenant = control("POST", "/tenants", "{\"from\":\"acme\"}");
    String name = text(tenant, "\"name\":\"([^\"]+)\"");
    try {
      String mine = "{\"tenant\":\"" + name + "\",\"operationId\":\"listLabels\"";
      control("POST", "/faults", mine + ",\"reply\":{\"status\":429},\"times\":1}");
      int status = listLabels(text(tenant, "\"full\":\\{[^}]*\"secret\":\"([^\"]+)\""));
      if (status != 200) throw new AssertionError("labels are answered " + status);
      String found = control("POST", "/journal/verify", "{\"query\":" + mine + "},\"times\":2}");
      if (!found.contains("\"verified\":true")) throw new AssertionError(found);
    } finally {
      control("DELETE", "/tenants/" + name, "");
    }
    System.out.println("passed: asks again after a 429");
  }

  /** What a pattern finds in a reply; a project of yours has a library for JSON. */
  static String text(String json, String pattern) {
    var found = Pattern.compile(pattern).matcher(json);
    if (!found.find()) throw new AssertionError("no " + pattern + " in " + json);
    return found.group(1);
  }
}
