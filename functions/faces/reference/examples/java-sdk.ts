/** A method of the official SDK for Java and Kotlin. */
export interface JavaMethod {
  /** The method from the client on. */
  name: string;
  /** The fields of the contract in the order of its parameters. */
  parameters: readonly string[];
  /** True if the method returns nothing. */
  isVoid?: true;
}

const returns = (name: string, ...parameters: string[]): JavaMethod => ({ name, parameters });
const isVoid = (name: string, ...parameters: string[]): JavaMethod => ({ name, parameters, isVoid: true });

/** Methods of the official SDK for Java by operation. Its list of events cannot read an event (the guide of SDKs says why). */
export const JAVA_METHODS: Readonly<Record<string, JavaMethod>> = {
  'organizations.list': returns('getOrganizations().list'),
  'organizations.create': returns('getOrganizations().create', 'name'),
  'organizations.get': returns('getOrganizations().get', 'id'),
  'organizations.get_by_external_id': returns('getOrganizations().getByExternalId', 'external_id'),
  'organizations.delete': isVoid('getOrganizations().delete', 'id'),
  'organization_domains.create': returns('getOrganizationDomains().create', 'domain', 'organization_id'),
  'organization_domains.get': returns('getOrganizationDomains().get', 'id'),
  'organization_domains.verify': returns('getOrganizationDomains().verify', 'id'),
  'organization_domains.delete': isVoid('getOrganizationDomains().delete', 'id'),
  'users.list': returns('getUserManagement().list'),
  'users.get': returns('getUserManagement().get', 'id'),
  'users.get_by_external_id': returns('getUserManagement().getByExternalId', 'external_id'),
  'users.delete': isVoid('getUserManagement().delete', 'id'),
  'users.list_identities': returns('getUserManagement().getIdentities', 'id'),
  'invitations.create': returns('getUserManagement().sendInvitation', 'email'),
  'invitations.get': returns('getUserManagement().getInvitation', 'id'),
  'invitations.get_by_token': returns('getUserManagement().findInvitationByToken', 'token'),
  'invitations.revoke': returns('getUserManagement().revokeInvitation', 'id'),
  'organization_memberships.get': returns('getOrganizationMembership().get', 'id'),
  'organization_memberships.delete': isVoid('getOrganizationMembership().delete', 'id'),
  'organization_memberships.deactivate': returns('getOrganizationMembership().deactivate', 'id'),
  'organization_memberships.reactivate': returns('getOrganizationMembership().reactivate', 'id'),
  'magic_auth.create': returns('getUserManagement().createMagicAuth', 'email'),
  'magic_auth.get': returns('getUserManagement().getMagicAuth', 'id'),
  'password_reset.create': returns('getUserManagement().resetPassword', 'email'),
  'password_reset.get': returns('getUserManagement().getPasswordReset', 'id'),
  'email_verification.send': returns('getUserManagement().sendVerificationEmail', 'id'),
  'sessions.list': returns('getUserManagement().listSessions', 'id'),
  'sessions.revoke': isVoid('getUserManagement().revokeSession', 'session_id'),
  'organization_api_keys.list': returns('getApiKeys().listOrganizationApiKeys', 'organizationId'),
  'api_keys.validate': returns('getApiKeys().createValidation', 'value'),
  'api_keys.delete': isVoid('getApiKeys().delete', 'id'),
  'webhook_endpoints.list': returns('getWebhooks().listEndpoints'),
  'webhook_endpoints.delete': isVoid('getWebhooks().deleteEndpoint', 'id'),
  'vault.objects.list': returns('getVault().listKv'),
  'vault.objects.create': returns('getVault().createKv', 'key_context', 'name', 'value'),
  'vault.objects.read': returns('getVault().getKv', 'id'),
  'vault.objects.read_by_name': returns('getVault().getName', 'name'),
  'vault.objects.update': returns('getVault().updateKv', 'id', 'value'),
  'vault.objects.delete': isVoid('getVault().deleteKv', 'id'),
  'vault.data_keys.create': returns('getVault().createDataKey', 'context'),
  'roles.list': returns('getAuthorization().listEnvironmentRoles'),
  'roles.create': returns('getAuthorization().createEnvironmentRole', 'slug', 'name'),
  'permissions.list': returns('getAuthorization().listPermissions'),
  'permissions.create': returns('getAuthorization().createPermission', 'slug', 'name'),
  'authorization.resources.get': returns('getAuthorization().getResource', 'resource_id'),
  'authorization.check': returns(
    'getAuthorization().check',
    'organization_membership_id',
    'resource_id',
    'permission_slug',
  ),
  'feature_flags.list': returns('getFeatureFlags().list'),
  'feature_flags.get': returns('getFeatureFlags().get', 'slug'),
  'feature_flags.enable': returns('getFeatureFlags().enable', 'slug'),
  'feature_flags.disable': returns('getFeatureFlags().disable', 'slug'),
  'groups.list': returns('getGroups().listOrganizationGroups', 'organizationId'),
  'groups.create': returns('getGroups().createOrganizationGroup', 'organizationId', 'name'),
  'auth_factors.get': returns('getMultiFactorAuth().getFactor', 'id'),
  'auth_factors.delete': isVoid('getMultiFactorAuth().deleteFactor', 'id'),
  'connections.list': returns('getSso().listConnections'),
  'directories.list': returns('getDirectorySync().list'),
};
