/** A method of the official SDK for Go. */
export interface GoMethod {
  /** The package of the SDK. */
  in: string;
  name: string;
  options: string;
  /** The fields of the options by those of the contract. */
  fields: Readonly<Record<string, string>>;
  /** True if the method returns only an error. */
  isVoid?: true;
}

const organizations = (name: string, fields: GoMethod['fields'] = {}): GoMethod => ({
  in: 'organizations',
  name,
  options: `${name}Opts`,
  fields,
});

const users = (name: string, fields: GoMethod['fields'] = {}): GoMethod => ({
  in: 'usermanagement',
  name,
  options: `${name}Opts`,
  fields,
});

const vault = (name: string, options: string, fields: GoMethod['fields'] = {}): GoMethod => ({
  in: 'vault',
  name,
  options,
  fields,
});

/**
 * Methods of the official SDK for Go by operation, in the version that every module proxy serves. It has none for API keys, the
 * authorization model and webhook endpoints.
 */
export const GO_METHODS: Readonly<Record<string, GoMethod>> = {
  'organizations.list': organizations('ListOrganizations'),
  'organizations.create': organizations('CreateOrganization', { name: 'Name' }),
  'organizations.get': organizations('GetOrganization', { id: 'Organization' }),
  'organizations.get_by_external_id': organizations('GetOrganizationByExternalID', { external_id: 'ExternalID' }),
  'organizations.delete': { ...organizations('DeleteOrganization', { id: 'Organization' }), isVoid: true },
  'users.list': users('ListUsers', { limit: 'Limit' }),
  'users.create': users('CreateUser', { email: 'Email' }),
  'users.get': users('GetUser', { id: 'User' }),
  'users.get_by_external_id': users('GetUserByExternalID', { external_id: 'ExternalID' }),
  'users.delete': { ...users('DeleteUser', { id: 'User' }), isVoid: true },
  'users.list_identities': users('ListIdentities', { id: 'ID' }),
  'invitations.create': users('SendInvitation', {
    email: 'Email',
    organization_id: 'OrganizationID',
    role_slug: 'RoleSlug',
    expires_in_days: 'ExpiresInDays',
  }),
  'invitations.get': users('GetInvitation', { id: 'Invitation' }),
  'invitations.get_by_token': users('FindInvitationByToken', { token: 'InvitationToken' }),
  'invitations.revoke': users('RevokeInvitation', { id: 'Invitation' }),
  'organization_memberships.create': users('CreateOrganizationMembership', {
    user_id: 'UserID',
    organization_id: 'OrganizationID',
  }),
  'organization_memberships.get': users('GetOrganizationMembership', { id: 'OrganizationMembership' }),
  'organization_memberships.list': users('ListOrganizationMemberships', {
    user_id: 'UserID',
    organization_id: 'OrganizationID',
  }),
  'organization_memberships.delete': {
    ...users('DeleteOrganizationMembership', { id: 'OrganizationMembership' }),
    isVoid: true,
  },
  'organization_memberships.deactivate': users('DeactivateOrganizationMembership', { id: 'OrganizationMembership' }),
  'organization_memberships.reactivate': users('ReactivateOrganizationMembership', { id: 'OrganizationMembership' }),
  'magic_auth.create': users('CreateMagicAuth', { email: 'Email' }),
  'magic_auth.get': users('GetMagicAuth', { id: 'MagicAuth' }),
  'password_reset.create': users('CreatePasswordReset', { email: 'Email' }),
  'password_reset.get': users('GetPasswordReset', { id: 'PasswordReset' }),
  'sessions.revoke': { ...users('RevokeSession', { session_id: 'SessionID' }), isVoid: true },
  'vault.objects.list': vault('ListObjects', 'ListObjectsOpts'),
  'vault.objects.create': vault('CreateObject', 'CreateObjectOpts', {
    name: 'Name',
    value: 'Value',
    key_context: 'KeyContext',
  }),
  'vault.objects.read': vault('ReadObject', 'ReadObjectOpts', { id: 'Id' }),
  'vault.objects.read_by_name': vault('ReadObjectByName', 'ReadObjectByNameOpts', { name: 'Name' }),
  'vault.objects.update': vault('UpdateObject', 'UpdateObjectOpts', { id: 'Id', value: 'Value' }),
  'vault.objects.delete': vault('DeleteObject', 'DeleteObjectOpts', { id: 'Id' }),
  'vault.data_keys.create': vault('CreateDataKey', 'CreateDataKeyOpts', { context: 'KeyContext' }),
  'auth_factors.get': { in: 'mfa', name: 'GetFactor', options: 'GetFactorOpts', fields: { id: 'FactorID' } },
  'auth_factors.delete': {
    in: 'mfa',
    name: 'DeleteFactor',
    options: 'DeleteFactorOpts',
    fields: { id: 'FactorID' },
    isVoid: true,
  },
  'events.list': { in: 'events', name: 'ListEvents', options: 'ListEventsOpts', fields: { events: 'Events' } },
};
