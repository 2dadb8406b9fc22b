import java.util.List;

/**
 * One flow for each area with the official client of Kotlin and Java, unmodified, against a service that is running.
 * Optional members are left unset: the client sends those of nested records as null. It cannot read events itself.
 */
public final class Flows {
  private Flows() {}

  public static void main(String[] arguments) {
    List<Runnable> areas =
        List.of(
            Accounts::organizations,
            Accounts::users,
            Accounts::memberships,
            Accounts::invitations,
            Accounts::apiKeys,
            Accounts::madeAgain,
            SignIn::authentication,
            SignIn::verification,
            SignIn::organizationSelection,
            SignIn::browserSignIn,
            SignIn::sessions,
            SignIn::sealedSession,
            SignIn::mfa,
            Data::vault,
            Data::auditLogs,
            Data::pipes,
            Data::webhooks,
            Data::pagesOfLists);
    for (Runnable area : areas) {
      try {
        area.run();
      } catch (Steps.AreaStopped stopped) {
        // The step has been printed; the other areas are played all the same.
      }
    }
    System.out.println("{\"end\": true}");
    System.exit(0);
  }
}
