import com.workos.common.exceptions.BadRequestException;
import com.workos.common.exceptions.NotFoundException;
import com.workos.common.exceptions.WorkOSGenericException;
import com.workos.models.AuditLogEvent;
import com.workos.models.AuditLogEventActor;
import com.workos.models.AuditLogEventContext;
import com.workos.models.AuditLogSchemaTarget;
import com.workos.models.CustomProviderDefinition;
import com.workos.models.DataIntegrationCredentialsInput;
import com.workos.types.ConnectedAccountAuthMethod;
import com.workos.types.CreateWebhookEndpointEvents;
import com.workos.types.DataIntegrationCredentialType;
import com.workos.webhooks.Webhook;
import java.security.SignatureException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Vault, audit logs, pipes, webhooks, and lists read to their end. */
final class Data {
  private static final String RETURN_TO = "https://app.example.com/connected";

  private Data() {}

  static void vault() {
    var api = Steps.client.getVault();
    Map<String, String> context = Map.of("environment", "java");
    var made = Steps.step("vault: create", () -> api.createKv(context, "token", "first ✓"));
    Steps.check("vault: read", () -> Steps.equal("first ✓", api.getKv(made.getId()).getValue()));
    Steps.check("vault: read by name", () -> Steps.equal(made.getId(), api.getName("token").getId()));
    var error =
        Steps.rejected("vault: a name twice", WorkOSGenericException.class, () -> api.createKv(context, "token", "other"));
    Steps.check("vault: the error's status", () -> Steps.equal(409, error.status));
    var described = Steps.step("vault: describe", () -> api.listKvMetadata(made.getId()));
    String version = described.getMetadata().getVersionId();
    Steps.step("vault: update", () -> api.updateKv(made.getId(), "second", version));
    Steps.rejected(
        "vault: an update of an old version", WorkOSGenericException.class, () -> api.updateKv(made.getId(), "x", version));
    Steps.check("vault: versions", () -> Steps.equal(2, api.listKvVersions(made.getId()).getData().size()));
    Steps.check("vault: list", () -> Steps.must(!api.listKv().data.isEmpty(), ""));
    String sealed = Steps.step("vault: local encryption", () -> api.encrypt("secret ✓", context, "row 1"));
    Steps.check("vault: local decryption", () -> Steps.equal("secret ✓", api.decrypt(sealed, "row 1")));
    var pair = Steps.step("vault: a data key", () -> api.createDataKey(context));
    Steps.step("vault: rekey", () -> api.createRekey(Map.of("environment", "other"), pair.getEncryptedKeys()));
    Steps.rejected("vault: keys that are none", BadRequestException.class, () -> api.createDecrypt("AAAA"));
    Steps.check("vault: delete", () -> api.deleteKv(made.getId()));
    Steps.rejected("vault: a deleted one", NotFoundException.class, () -> api.getKv(made.getId()));
  }

  static void auditLogs() {
    var api = Steps.client.getAuditLogs();
    var organization = Steps.step("audit logs: an organization", Accounts::newOrganization);
    Steps.check(
        "audit logs: a schema",
        () ->
            Steps.equal(
                1L, api.createSchema("document.read", List.of(new AuditLogSchemaTarget("document", null))).getVersion()));
    Steps.check("audit logs: schemas", () -> Steps.equal(1, api.listActionSchemas("document.read").data.size()));
    OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
    var event =
        new AuditLogEvent(
            "document.read",
            now,
            new AuditLogEventActor("user_1", "user", null, null),
            List.of(new AuditLogEventActor("document_1", "document", null, null)),
            new AuditLogEventContext("192.0.2.1", null),
            null,
            null);
    Steps.check("audit logs: an event", () -> Steps.equal(true, api.createEvent(organization.getId(), event).getSuccess()));
    var export =
        Steps.step("audit logs: an export", () -> api.createExport(organization.getId(), now.minusDays(1), now.plusDays(1)));
    Steps.step("audit logs: the work is done", () -> Steps.local("idle?wait_ms=30000", null));
    var ready = Steps.step("audit logs: read the export", () -> api.getExport(export.getId()));
    Steps.check("audit logs: it is ready", () -> Steps.equal("ready", ready.getState().getValue()));
    Steps.check(
        "audit logs: its CSV",
        () -> {
          String csv = Steps.fetched(ready.getUrl(), null);
          Steps.must(csv.contains("document.read") && csv.contains("document_1"), csv);
        });
    Steps.check(
        "audit logs: keep for 60 days",
        () -> Steps.equal(60L, api.updateAuditLogsRetention(organization.getId(), 60L).getRetentionPeriodInDays()));
  }

  static void pipes() {
    var api = Steps.client.getPipes();
    var user = Steps.step("pipes: a user", () -> Accounts.newUser(Steps.newEmail()));
    Steps.step(
        "pipes: an integration with API keys",
        () -> api.createDataIntegration("datadog", null, true, null, List.of(ConnectedAccountAuthMethod.ApiKey)));
    var account =
        Steps.step("pipes: a key of the user", () -> api.updateDataIntegrationApiKey("datadog", user.getId(), "key-😀-1234"));
    Steps.check("pipes: its last four", () -> Steps.equal("1234", account.getApiKeyLast4()));
    Steps.check(
        "pipes: credentials",
        () ->
            Steps.equal(
                "key-😀-1234", api.createDataIntegrationCredential("datadog", user.getId()).getCredential().getValue()));
    Steps.check(
        "pipes: the connected account",
        () -> Steps.equal(account.getId(), api.getUserConnectedAccount(user.getId(), "datadog").getId()));
    Steps.check("pipes: providers of the user", () -> Steps.equal(1, api.listUserDataProviders(user.getId()).getData().size()));
    Steps.check("pipes: disconnect", () -> api.deleteUserConnectedAccount(user.getId(), "datadog"));
    Steps.rejected(
        "pipes: a disconnected one", NotFoundException.class, () -> api.getUserConnectedAccount(user.getId(), "datadog"));
    var credentials =
        new DataIntegrationCredentialsInput(DataIntegrationCredentialType.Custom, "id", "third-party-secret");
    var provider =
        new CustomProviderDefinition(
            "Third Party",
            Steps.OUTSIDE + "/provider/authorize",
            Steps.OUTSIDE + "/provider/token",
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    Steps.step(
        "pipes: an OAuth provider",
        () -> api.createDataIntegration("java-oauth", null, true, List.of("read"), null, null, credentials, null, provider));
    Steps.step("pipes: where users come back to", () -> Steps.client.getUserManagement().createRedirectUri(RETURN_TO));
    var started =
        Steps.step("pipes: authorize", () -> api.authorizeDataIntegration("java-oauth", user.getId(), null, RETURN_TO));
    Steps.check(
        "pipes: the user agrees",
        () -> {
          var location = Steps.outside("/visit", Map.of("url", started.getUrl())).path("location").asText();
          Steps.must(location.startsWith(RETURN_TO) && !location.contains("error"), location);
        });
    Steps.check(
        "pipes: the provider's token",
        () ->
            Steps.equal(
                "token-for-agreed", api.getAccessToken("java-oauth", user.getId()).getAccessToken().getAccessToken()));
  }

  static void webhooks() {
    var api = Steps.client.getWebhooks();
    var made =
        Steps.step(
            "webhooks: create",
            () -> api.createEndpoint(Steps.OUTSIDE + "/hooks/java", List.of(CreateWebhookEndpointEvents.OrganizationCreated)));
    Steps.check("webhooks: list", () -> Steps.equal(made.getId(), api.listEndpoints().data.get(0).getId()));
    var organization =
        Steps.step("webhooks: something happens", () -> Steps.client.getOrganizations().create("Rocket 🚀"));
    var arrival = Steps.step("webhooks: it arrives", () -> Steps.outside("/arrivals/java?count=1", null).get(0));
    String body = arrival.path("body").asText();
    String signature = arrival.at("/headers/workos-signature").asText();
    var event = Steps.step("webhooks: verified", () -> new Webhook().constructTypedEvent(body, signature, made.getSecret()));
    Steps.check("webhooks: the event", () -> Steps.must(event.toString().contains(organization.getId()), event));
    Steps.rejected(
        "webhooks: a changed body",
        SignatureException.class,
        () -> new Webhook().constructEvent(body + " ", signature, made.getSecret()));
    Steps.check("webhooks: delete", () -> api.deleteEndpoint(made.getId()));
  }

  static void pagesOfLists() {
    var api = Steps.client.getOrganizations();
    Steps.check(
        "lists: 25 organizations",
        () -> {
          for (int number = 0; number < 25; number += 1) api.create("Page " + number);
        });
    Steps.check(
        "lists: to the end",
        () -> {
          var seen = new HashSet<String>();
          var first = api.list(null, null, 10, null, null, "Page ");
          for (var organization : first.autoPagingIterable()) seen.add(organization.getId());
          Steps.equal(25, seen.size());
        });
  }
}
