import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client as a partner might write it, with java.net.http and no JSON library: labels a conversation and its site. Right unless
 * DEFECT names what it does wrong.
 */
public class Client {
  static final String DEFECT = System.getenv().getOrDefault("DEFECT", "");
  static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static String env(String name) {
    return System.getenv().getOrDefault("PARTNERKIT_" + name, "");
  }

  static void pause(int attempt, String retryAfter) throws InterruptedException {
    double asked = DEFECT.equals("retry-after-ignored") ? 0 : Double.parseDouble(retryAfter);
    double own = (1 << attempt) * 0.08 * (1 + Math.random());
    Thread.sleep((long) (1000 * Math.max(asked + 0.05 * Math.random(), own)));
  }

  static String call(String method, String path) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(env("URL") + path))
        .timeout(Duration.ofSeconds(10))
        .method(method, HttpRequest.BodyPublishers.noBody());
    if (DEFECT.equals("bearer")) request.header("Authorization", "Bearer " + env("KEY"));
    else request.header("x-api-key", env("KEY"));
    for (int attempt = 0; ; attempt++) {
      boolean last = attempt == 4;
      HttpResponse<String> reply;
      try {
        reply = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
      } catch (IOException error) {
        if (last || DEFECT.equals("no-retry-of-lost-replies")) throw error;
        pause(attempt, "0");
        continue;
      }
      int status = reply.statusCode();
      if (!last && (status == 429 || status == 503)) {
        pause(attempt, reply.headers().firstValue("Retry-After").orElse("0"));
        continue;
      }
      if (status >= 300) throw new IOException(method + " " + path + ": " + status);
      return reply.body();
    }
  }

  /** The id beside a name, whichever of them comes first and however much else stands between. */
  static String idOf(String name, String json) throws IOException {
    if (DEFECT.equals("id-before-name")) {
      Matcher found = Pattern.compile("\"id\":\"([^\"]+)\",\"name\":\"" + Pattern.quote(name) + "\"").matcher(json);
      if (found.find()) return found.group(1);
      throw new IOException("there is no such label");
    }
    Matcher named = Pattern.compile("\"name\"\\s*:\\s*\"" + Pattern.quote(name) + "\"").matcher(json);
    if (!named.find()) throw new IOException("there is no such label");
    int from = named.start();
    for (int depth = 0; from > 0; from--) {
      char c = json.charAt(from);
      if (c == '}') depth++;
      if (c == '{' && depth-- == 0) break;
    }
    Matcher id = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"").matcher(json);
    if (!id.find(from)) throw new IOException("a label without an id");
    return id.group(1);
  }

  public static void main(String[] args) throws Exception {
    String label = idOf(env("LABEL_NAME"), call("GET", "/v1/labels"));
    call("GET", "/v1/conversation/" + env("CONVERSATION") + "/context");
    call("PUT", "/v1/conversation/" + env("CONVERSATION") + "/label/" + label);
    call("PUT", "/v1/site/" + java.net.URLEncoder.encode(env("SITE"), "UTF-8").replace("+", "%20") + "/label/" + label);
  }
}
