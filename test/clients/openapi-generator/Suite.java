import java.util.LinkedHashMap;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** A client that openapi-generator generates for Java, used as its author would use it. */
public class Suite {
  interface Test {
    void run() throws Exception;
  }

  static void check(boolean holds, Object what) {
    if (!holds) throw new AssertionError(what);
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("CADASTRE_URL"));
    client.addDefaultHeader("Authorization", "Token " + System.getenv("CADASTRE_TOKEN"));
    DcimApi dcim = new DcimApi(client);
    IpamApi ipam = new IpamApi(client);

    Map<String, Test> tests = new LinkedHashMap<>();
    tests.put("creates, changes and deletes, with empty lists of tags", () -> {
      WritableSiteRequest body = new WritableSiteRequest().name("java-life").slug("java-life");
      check(body.getAddTags() != null && body.getAddTags().isEmpty(), "the client sends empty lists");
      Site site = dcim.dcimSitesCreate(new DcimSitesCreateRequest(body), null, null, null, null).getSite();
      check(site.getRegion() == null, "region");
      PatchedWritableSiteRequest change = new PatchedWritableSiteRequest().facility("B2");
      Site changed = dcim.dcimSitesPartialUpdate(site.getId(), change, null, null, null, null);
      check("B2".equals(changed.getFacility()), changed);
      check(dcim.dcimSitesRetrieve(site.getId(), null, null, null, null, null, null).getName().equals("java-life"), "name");
      dcim.dcimSitesDestroy(site.getId(), null, null, null, null);
    });
    tests.put("allocates", () -> {
      WritablePrefixRequest body = new WritablePrefixRequest().prefix("198.51.100.32/28");
      Prefix prefix = ipam.ipamPrefixesCreate(new IpamPrefixesCreateRequest(body), null, null, null, null).getPrefix();
      IpamPrefixesAvailableIpsCreateRequest wish =
          new IpamPrefixesAvailableIpsCreateRequest(new AvailableIPRequestRequest().description("java"));
      IPAddress taken =
          ipam.ipamPrefixesAvailableIpsCreate(prefix.getId(), wish, null, null, null, null).getIPAddress();
      check(taken.getAddress().equals("198.51.100.33/28"), taken);
      ipam.ipamIpAddressesDestroy(taken.getId(), null, null, null, null);
      ipam.ipamPrefixesDestroy(prefix.getId(), null, null, null, null);
    });

    int failed = 0;
    for (Map.Entry<String, Test> test : tests.entrySet()) {
      try {
        test.getValue().run();
      } catch (Throwable problem) {
        failed++;
        System.out.println("FAIL " + test.getKey());
        problem.printStackTrace(System.out);
        if (problem instanceof ApiException) System.out.println(((ApiException) problem).getResponseBody());
      }
    }
    System.out.printf("%d passed, %d failed, 0 skipped%n", tests.size() - failed, failed);
    System.exit(failed == 0 ? 0 : 1);
  }
}
