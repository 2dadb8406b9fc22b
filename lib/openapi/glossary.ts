import { BODY_GLOSSARY } from './body-glossary.ts';
import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';

/**
 * The meaning of members and parameters that have one meaning in all operations. It describes those that have no description of
 * their own (`.describe`), which comes first.
 */
const GLOSSARY: Readonly<Record<string, string>> = {
  // Records by their ids
  agent_blueprint_id: 'The id of a blueprint of agents (`agent_blueprint_…`).',
  agent_instance_id: 'The id of an instance of an agent.',
  agent_instance_session_id: 'The id of a session of an agent.',
  application_id: 'The id or client id of an application of connect.',
  attempt_id: 'The id of an attempt to sign in.',
  auditLogExportId: 'The id of an export of audit logs.',
  certificateId: 'The id of a certificate or key pair of the connection.',
  clientId: 'The client id of the environment (`client_…`).',
  connectionId: 'The id of a connection (`conn_…`).',
  connection_id: 'The id of a connection (`conn_…`).',
  contact_id: 'The id of an IT contact of the organization.',
  identity_id: 'The `id` of an account at a connection.',
  delivery_id: 'The id of a delivery of the webhook endpoint.',
  'path.external_id': 'Your own id of the record.',
  'path.id': 'The id of the record.',
  'path.slug': 'The slug of the record.',
  groupId: 'The id of a group of the organization (`group_…`).',
  group_id: 'The id of a group of an organization (`group_…`).',
  invitation_token: 'The token of an invitation, which the sign-in accepts.',
  omId: 'The id of an organization membership (`om_…`).',
  organizationId: 'The id of an organization (`org_…`).',
  organization_id: 'The id of an organization (`org_…`).',
  organization_membership_id: 'The id of an organization membership (`om_…`): a user as a member of one organization.',
  radar_auth_attempt_id:
    'The id of an attempt that Radar has assessed. Sent with the next call of the same sign-in, it makes both count as one.',
  radar_challenge_id: 'The id of the challenge of Radar, from the response that requires it.',
  registeredId: 'The client id that the registration returned.',
  resourceId: 'The id of a user (`user_…`) or of an organization (`org_…`).',
  role_assignment_id: 'The id of a role assignment.',
  session_id: 'The id of a session (`session_…`), the claim `sid` of its access tokens.',
  snapshotId: 'The id of a snapshot of the directory.',
  stripe_customer_id: 'The id of the organization’s customer at Stripe.',
  team_id: 'The id of a team.',
  tokenId: 'The id of a token of the directory.',
  userId: 'The id of a user (`user_…`).',
  user_id: 'The id of a user (`user_…`).',
  userlandUserId: 'The id of a user (`user_…`).',

  // Names in paths
  actionName: 'The name of an action of the audit logs, such as `document.shared`.',
  externalKey: 'The key in the SCIM address of the directory.',
  external_key: 'The last part of the URLs of the connection that its identity provider calls, such as `acs_url`.',
  permissionSlug: 'The slug of a permission.',
  redirect_key: 'The key in the redirect URI of the integration.',

  // Lists
  startIndex: 'The number of the first result, from 1 (SCIM).',
  'query.count': 'The maximum number of results on the page (SCIM).',
  attributes: 'The attributes to return, separated by commas (SCIM).',
  excludedAttributes: 'The attributes to leave out, separated by commas (SCIM).',
  'query.filter': 'A filter of SCIM, such as `userName eq "ada@example.com"`.',
  directory: 'The id of a directory (`directory_…`).',
  updatedAfter: 'Selects what was changed after this time; the same as `updated_after`.',
  updated_after: 'Selects what was changed after this time.',
  range_start: 'The time from which events are included.',
  range_end: 'The time until which events are included.',

  'query.before': 'The cursor of the page before this one: `list_metadata.before` of a response.',
  'query.after': 'The cursor of the next page: `list_metadata.after` of a response.',
  'query.email': 'Only records with this email address.',
  'query.domain': 'Only records of organizations with this domain.',
  'query.domains': 'Only organizations with one of these domains, separated by commas.',
  'query.statuses':
    'Only memberships with one of these statuses: `active`, `inactive`, `pending`. Without it, only active ones.',
  'query.ownership': 'Only integrations that users, or that organizations, connect to.',
  'query.group': 'The id of a directory group (`directory_group_…`): only its users.',
  'query.idp_id': 'Only the directory user with this id at the provider.',
  'query.q': 'The text to search for.',
  'query.claim_attempt_token': 'The token of the attempt, in the link that the person opens.',
  'query.claim_nonce': 'The nonce of a claim of an agent, which the sign-in continues.',
  'query.cursor': 'The cursor of the next page (RFC 9865).',
  'query.flow': 'The sign-in that the page continues.',
  'query.notice': 'The message that the page shows above its form.',
  'query.done': 'The message that the page shows after a change.',
  'query.state': 'A value that returns unchanged with the redirect.',
  'query.code': 'The code that the provider returned.',
  'query.error': 'The error that the provider returned instead of a code.',
  'query.user': 'The id of a directory user (`directory_user_…`): only the groups of this user.',
  'query.request': 'A signed request object (RFC 9101). The server accepts none, and rejects a request that has one.',
  'query.token': 'The token of the link.',
  'query.limit': 'The most records of a page.',
  'query.name': 'The name of the mail or page that is shown, one of the `names` of the response.',
  'query.provider': 'The provider of the sign-in, such as `GoogleOAuth`.',
  'query.connection': 'The id of the connection (`conn_…`).',
  'query.to': 'The page to which the browser returns.',
  'query.bounced': 'Whether the browser was redirected to this page before.',
  'path.client_id': 'The client id of the environment (`client_…`).',
  'path.token': 'The token of the link.',
  'path.environment': '`staging` or `production`: one of the two environments of the team, not an id.',
  'path.key_id': 'The id of the API key.',
  'path.key': 'The slug of the feature flag.',
  'path.name': 'The name of the object.',
  'path.part': 'The number of the part, from 1.',
  'path.provider': 'The name of the provider in the API, such as `GoogleOAuth`; for pipes its slug, such as `github`.',
  'path.step': 'The step of the set-up.',
  'path.directory_id': 'The id of the directory (`directory_…`).',
  'path.file': 'The name of the file.',
  'path.path': 'The path of the page.',
  'path.section': 'The area, or `errors` or `event-types`; for a page also `guides`.',
  'path.page': 'The name of the page in the section.',
  'path.action': '`allow` or `block`.',
  'query.client_id': 'The client id of the environment or, at the OAuth server, of an application.',
  'query.events': 'The names of the events, separated by commas.',
  'query.search': 'Words, or their beginnings, that a result has.',

  // Authorization
  permissions: 'The slugs of the permissions.',
  permission_slug: 'The slug of the permission, such as `document:edit`.',
  role_slug: 'The slug of the role.',
  'path.resource_id': 'The id of the resource (`authz_resource_…`).',
  resource_id:
    'The id of the resource in this service. Name a resource by this id, or by `resource_external_id` with `resource_type_slug`.',
  resource_external_id: 'Your own id of the resource. Its type is in `resource_type_slug`.',
  resource_type_slug: 'The slug of the resource type, such as `project`.',
  parent_resource_id:
    'The id of the parent resource in this service. Name a parent by this id, or by `parent_resource_external_id` with `parent_resource_type_slug`.',
  parent_resource_external_id: 'Your own id of the parent resource. Its type is in `parent_resource_type_slug`.',
  parent_resource_type_slug: 'The slug of the parent’s type; with `parent_resource_external_id` it names the parent.',
  invocable_as: 'The types of agents for which tokens of the blueprint are issued.',
  invocable_by: 'The roles and organizations for which tokens of the blueprint are issued.',

  // OAuth and OpenID Connect
  access_token: 'An access token.',
  assertion: 'A signed assertion of who the agent is.',
  client_assertion_type: 'Always `urn:ietf:params:oauth:client-assertion-type:jwt-bearer` (RFC 7523).',
  client_secret: 'The secret of the OAuth client. Send it from a server only.',
  code_challenge: 'The SHA-256 of the `code_verifier` in base64url (PKCE, RFC 7636).',
  code_challenge_method: 'Always `S256` (PKCE, RFC 7636).',
  code_verifier: 'The random text whose hash was sent as `code_challenge` (PKCE, RFC 7636).',
  device_code: 'The code that the device received when its authorization began (RFC 8628).',
  domain_hint: 'The domain that is passed to the identity provider, so that it does not ask for it.',
  error_description: 'The explanation of `error`, for developers.',
  grant_type:
    'What the request exchanges for tokens, such as `authorization_code` for a code. It determines which other members are required.',
  id_token_hint:
    'An ID token of the user whose session ends. It is required, and is accepted until 90 days after it expired.',
  iss: 'The issuer of the response (RFC 9207).',
  login_hint: 'The email address that is passed to the identity provider, so that the user does not have to type it.',
  logout_hint: 'The user or session whose sign-out is requested.',
  logout_token: 'The logout token that the identity provider signed (OpenID Connect Back-Channel Logout 1.0).',
  nonce: 'A random value that the ID token repeats, against replays.',
  pending_authentication_token:
    'The token of the response that requires this step. It continues the same sign-in, and expires with it.',
  post_logout_redirect_uri: 'The registered address to which the browser returns after the sign-out.',
  prompt: '`login` asks the user to sign in again.',
  provider_query_params: 'Further query parameters of the authorization URL at the provider.',
  provider_scopes: 'Further scopes that are requested from the provider.',
  redirect_uri: 'The redirect URI of this service, which must be registered with the provider.',
  refresh_token: 'A refresh token.',
  response_mode: 'How the response returns: in the query.',
  response_type: 'Always `code`.',
  return_to: 'The registered address to which the browser returns.',
  screen_hint: 'The first page that is shown: `sign-in` or `sign-up`.',
  subject_token: 'The token that is exchanged (RFC 8693).',
  subject_token_type: 'The type of `subject_token` (RFC 8693).',
  token_endpoint_auth_method: 'How the application proves who it is at the token endpoint.',
  token_type_hint: 'A hint, which is accepted and ignored.',
  ui_locales: 'The languages of the pages, the preferred one first.',
  user_code: 'The code that the user enters, or reads to the agent.',

  // Sign-in and users
  email_verified: 'Whether the user has proven that the address is theirs.',
  ip_address: 'The IP address of the user’s browser.',
  user_agent: 'The `User-Agent` of the user’s browser.',
  locale: 'The language of mails, SMS and pages for this user, such as `en-GB`.',
  magic_auth: 'Sign-in by a code that is mailed.',
  new_email: 'The address that replaces the current one when its code is confirmed.',
  new_password: 'The password that replaces the current one.',
  password_hash_type: 'The algorithm of `password_hash`.',
  signals_id: 'The id of the signals that the script of Radar has reported for the browser.',

  // Single sign-on
  sp_entity_id: 'The entity id of this service at the identity provider.',
  idp_entity_id: 'The entity id of the identity provider.',
  idp_sso_url: 'The address of the identity provider to which requests are sent.',
  idp_metadata_url: 'The address of the identity provider’s metadata, which is read daily.',
  attribute_maps: 'The attributes or claims of the identity provider from which the members of a profile are read.',
  standard_attributes: 'By the field of the profile: the name of the attribute or claim at the identity provider.',
  custom_attributes: 'The values of the custom attributes, by their names.',
  idp_signing_certs: 'The certificates with which the identity provider signs, in PEM.',
  pkce: 'Whether authorization requests to the identity provider use PKCE (RFC 7636).',
  discovery_endpoint: 'The address of the provider’s OpenID configuration.',
  saml_options: 'The identity provider of a SAML connection.',
  oidc_options: 'The identity provider of an OpenID Connect connection.',
  SAMLResponse: 'The response of the identity provider, in base64.',
  RelayState: 'The value with which the browser was sent to the identity provider.',
  allow_profiles_outside_organization:
    'Whether `POST /sso/token` also returns profiles with email addresses outside of the organization’s verified domains. It has no effect on the sign-ins of users.',

  // Connected accounts
  connected_account_id: 'The id of one of several connected accounts of the owner.',
  connection_intent:
    '`add` makes another connected account, `reauthorize` replaces the credentials of the one that `connected_account_id` names. Without `connection_intent`, the account that `connected_account_id` names gets the new credentials, or else the compatibility account, which is created if there is none.',
  connection_owner: 'Who the connected account belongs to: a user or an organization.',
  supports_multiple_connections:
    'Whether your code can handle owners with several connected accounts of the integration. If false, a call that reads, uses or disconnects an account finds only the compatibility account. A call that stores credentials then uses the account that `connected_account_id` names, or the compatibility account.',
  pkce_enabled: 'Whether authorization requests to the provider use PKCE (RFC 7636).',
  token_url: 'The address at the provider where codes are exchanged.',
  authorization_url: 'The address at the provider where users consent.',
  refresh_token_url: 'The address at the provider where tokens are refreshed, if it is not `token_url`.',
  scopes_required: 'Whether a connection needs at least one scope.',
  request_scope_separator: 'The text between the scopes of a request to the provider.',

  // Portal
  return_url: 'The registered address of the way back on every page.',
  success_url: 'The registered address to which the administrator goes after the set-up.',

  // Webhooks, audit logs, vault
  endpoint_url: 'The address to which requests are posted, with https.',
  occurred_at: 'The time at which it happened.',
  retention_period: 'The period for which events are kept.',
  retention_period_in_days: 'The number of days for which events are kept.',
  key_context:
    'The entries that select the key and are bound to the ciphertext, such as the organization of the value.',
  context_entry: 'The entry of contexts whose values are encrypted under the customer’s key.',
  key_arn: 'The ARN of the customer’s KMS key.',
  encrypted_keys: 'The encrypted form of a data key, from the call that created it.',
  version_check:
    'The `metadata.version_id` of the object that you have read. If the object has another version by now, the call is rejected with 409 and changes nothing.',
  proof: 'The value of the form that shows that this browser opened the page.',
};

/** Adds the meaning of {@link BODY_GLOSSARY} to the members of every request body without a description. */
export function describeBodies(
  requestBodies: readonly unknown[],
  find: (reference: string) => JsonSchema | undefined,
): void {
  const seen = new Set<unknown>();
  const visit = (node: unknown, parent: string): void => {
    if (node === null || typeof node !== 'object' || seen.has(node)) return;
    seen.add(node);
    if (Array.isArray(node)) return node.forEach((own) => visit(own, parent));
    const { $ref, properties } = node as JsonSchema;
    if (typeof $ref === 'string') return visit(find($ref), parent);
    if (isMap(properties)) {
      for (const [member, schema] of Object.entries(properties)) {
        describe(schema, `${parent}.${member}`, BODY_GLOSSARY);
        describe(schema, member, BODY_GLOSSARY);
        visit(schema, member);
      }
    }
    for (const [key, own] of Object.entries(node)) if (key !== 'properties') visit(own, parent);
  };
  requestBodies.forEach((body) => visit(body, ''));
}

interface Described {
  description?: unknown;
  $ref?: unknown;
}

/** Adds the meaning of the glossary to each parameter and member of a document that has no description. */
export function describeFromGlossary(node: unknown): void {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) return node.forEach(describeFromGlossary);
  const { name, in: place, properties } = node as JsonSchema;
  if (typeof name === 'string' && (place === 'path' || place === 'query')) {
    describe(node, `${place}.${name}`);
    describe(node, name);
  }
  if (isMap(properties)) Object.entries(properties).forEach(([member, schema]) => describe(schema, member));
  Object.values(node).forEach(describeFromGlossary);
}

const isMap = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

function describe(node: unknown, name: string, glossary: Readonly<Record<string, string>> = GLOSSARY): void {
  if (!isMap(node) || !Object.hasOwn(glossary, name)) return;
  const own: Described = node;
  if (own.description === undefined && own.$ref === undefined) own.description = glossary[name];
}
