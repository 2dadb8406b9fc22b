import * as z from 'zod';

import { declareError, Failure, general, orFail } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { claimKey, generatedKey, isImportableKey, releaseKey } from '../../../kernel/storage/external-key.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { indexText } from '../../../kernel/storage/search.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { inBody, keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { MAX_CONNECTIONS, stageNewConnection } from '../../../tenancy/modules/organization-sso/public.ts';
import {
  findOrganization,
  organizationExistsCheck,
  organizationNotFound,
} from '../../../tenancy/organizations/public.ts';
import { isTested } from '../attempt/tested.ts';
import { type ConnectionRecord, connections, type SamlPart } from './entity.ts';
import { connectionNotFound, deletionInProgress, incomplete, typeNotSupported, typeNotUpdatable } from './errors.ts';
import { findConnectionOwner } from './find.ts';
import { isComplete, isDraft } from './rules.ts';
import { ConnectionSettings, settingsIn } from './settings.ts';
import { nextCheck, searchable, stageConnectionChange, summaryIn, switchedOn } from './stage.ts';
import { findProtocol } from './types.ts';
import { PresentedConnection, presentFully } from './x-schema.ts';

const keyInUse = declareError({
  status: 409,
  code: 'external_key_already_in_use',
  message:
    'Another connection or directory of this service has this external_key. Use another one, or null to keep the generated key.',
});

const CreateDraft = z
  .object({
    organization_id: z.string().min(1).max(255),
    name: z.string().trim().min(1).max(255).optional(),
    connection_type: z.string().min(1).max(64).optional(),
  })
  .meta({ id: 'CreateSsoConnectionDraft' });

const UpdateConnection = z
  .object({
    connection_type: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'The kind of identity provider, such as `OktaSAML`. It can be changed only while the connection is a draft.',
      ),
    state: z.enum(['active', 'inactive']).optional().describe('The new state of the connection.'),
    external_key: z
      .string()
      .max(128)
      .refine(isImportableKey, 'must be 4 to 128 letters, digits, "_" or "-", not in the form of a generated key')
      .nullable()
      .optional()
      .describe(
        'The key in the URLs that the identity provider already calls, if the connection was moved from another service. It is used in place of the generated key in all URLs of the connection, so nothing changes at the identity provider. Null restores the generated key.',
      ),
    settings: z
      .object(
        Object.fromEntries(
          Object.entries(ConnectionSettings.shape).map(([name, setting]) => [
            name,
            setting
              .unwrap()
              .optional()
              .describe(setting.description ?? ''),
          ]),
        ),
      )
      .optional()
      .describe('Absent fields are unchanged.'),
  })
  .meta({ id: 'UpdateSsoConnection' });

const NO_SAML: SamlPart = { idpCertificates: [], spEncryption: [] };

/**
 * Checks the type of a draft, and the options of its protocol; without a type the protocol is undecided.
 * @throws Failure
 */
function typed(type: string | undefined) {
  if (type === undefined) return { type: 'Pending', protocol: 'none', state: 'requires_type' } as const;
  const protocol = findProtocol(type);
  if (protocol === undefined) throw new Failure(typeNotSupported);
  return { type, protocol, state: 'draft', ...(protocol === 'saml' ? { saml: NO_SAML } : {}) } as const;
}

const createDraft = operation({
  id: 'sso_connections.create_draft',
  method: 'POST',
  path: '/x/connections',
  summary: 'Create a draft of a connection',
  description:
    'A draft is completed step by step with PATCH /connections/{id} and its certificates, tested, and activated with ' +
    'PATCH /x/connections/{id}. A draft without a `connection_type` must first get one with PATCH /x/connections/{id}. It emits no event until it is activated.',
  auth: keyOrGrant(inBody('organization_id')),
  operator: 'config.change',
  body: CreateDraft,
  responses: { 201: PresentedConnection },
  errors: [organizationNotFound, typeNotSupported],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const organizationId = body.organization_id;
    const organization = await orFail(findOrganization(environmentId, organizationId), () =>
      fail(organizationNotFound),
    );
    const id = newId('conn');
    const { record, write } = connections.create({
      environmentId,
      id,
      organizationId,
      name: body.name ?? organization.name,
      externalKey: generatedKey(environmentId, id),
      attributeMaps: { standard: {}, custom: {} },
      settings: {},
      ...typed(body.connection_type),
      ...nextCheck(id),
    });
    unit.stage([write, ...indexText(searchable(record), '', record.name)]);
    unit.stage(organizationExistsCheck(environmentId, organizationId));
    const many = await stageNewConnection(unit, { environmentId, organizationId, connectionId: id }, summaryIn(record));
    if (many > MAX_CONNECTIONS) {
      const message = `the organization has ${MAX_CONNECTIONS} connections, which is the limit`;
      throw invalid([{ field: 'organization_id', code: 'too_big', message }]);
    }
    return { status: 201, body: presentFully(record, organization) };
  },
});

export const showConnection = operation({
  id: 'sso_connections.get',
  method: 'GET',
  path: '/x/connections/{id}',
  summary: 'Get a connection with its options and settings',
  description: 'The response has only the last four characters of secrets, and no private keys.',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.read',
  // The domains are those of the organization.
  etag: ({ domains: _, ...connection }) => connection,
  responses: { 200: PresentedConnection },
  errors: [connectionNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await connections.get(environmentId, params.id);
    const organization = record && (await findOrganization(environmentId, record.organizationId));
    if (record === undefined || organization === undefined) throw fail(connectionNotFound);
    return { status: 200, body: presentFully(record, organization) };
  },
});

type Update = z.output<typeof UpdateConnection>;

/** Checks the type and the state after a request. @throws Failure */
function nextState(record: ConnectionRecord, { connection_type: type, state }: Update) {
  if (type !== undefined && type !== record.type && !isDraft(record)) throw new Failure(typeNotUpdatable);
  const retyped = type === undefined || type === record.type ? {} : typed(type);
  if (state === undefined) return retyped;
  const next = { ...record, ...retyped };
  if (state === 'inactive') return { ...retyped, state: 'inactive' as const, hasLapsed: undefined };
  if (!isComplete(next)) throw new Failure(incomplete);
  return { ...retyped, ...switchedOn(next) };
}

/** Stages a change of the key in a connection's URLs. */
function stageKey(unit: Pick<Unit, 'stage'>, record: ConnectionRecord, next: string | null | undefined): string {
  const own = generatedKey(record.environmentId, record.id);
  const key = next === undefined ? record.externalKey : (next ?? own);
  if (key === record.externalKey) return key;
  if (record.externalKey !== own) unit.stage(releaseKey(record, record.externalKey));
  if (key !== own) {
    unit.stage(claimKey(record, key, ownerKey('organization', record.organizationId)), new Failure(keyInUse));
  }
  return key;
}

const changeConnection = operation({
  id: 'sso_connections.update',
  method: 'PATCH',
  path: '/x/connections/{id}',
  summary: 'Activate or deactivate a connection, and change its settings',
  description:
    'Absent fields are unchanged. When the last active connection of an organization is deactivated, its members can sign in by other methods. ' +
    'When a connection is activated again, the policy of the organization (`sso_policy`) applies again.',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.change',
  ifMatch: showConnection,
  body: UpdateConnection,
  responses: { 200: PresentedConnection },
  errors: [connectionNotFound, typeNotSupported, typeNotUpdatable, deletionInProgress, incomplete, keyInUse],
  emits: ['connection.activated', 'connection.deactivated'],
  idempotency: 'none',
  async handle({ environmentId, params, body, caller, unit, fail }) {
    const record = await connections.get(environmentId, params.id);
    const organization = record && (await findOrganization(environmentId, record.organizationId));
    if (record === undefined || organization === undefined) throw fail(connectionNotFound);
    if (record.state === 'deleting') throw fail(deletionInProgress);
    if (caller.grant !== undefined && body.state === 'active' && !(await isTested(record))) {
      throw new Failure(general.forbidden, {
        message:
          'No test sign-in has succeeded since the last change of the connection. Test it, or activate it with an API key.',
      });
    }
    const changes = {
      ...nextState(record, body),
      externalKey: stageKey(unit, record, body.external_key),
      settings: { ...settingsIn(record), ...body.settings },
    };
    const changed = stageConnectionChange(unit, record, changes, organization);
    return { status: 200, body: presentFully(changed, organization) };
  },
});

export const xConnectionOperations = [createDraft, showConnection, changeConnection] as const;
