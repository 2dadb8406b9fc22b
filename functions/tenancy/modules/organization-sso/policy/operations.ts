import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { operation } from '../../../../kernel/operation.ts';
import { findOrganization, organizationNotFound } from '../../../organizations/public.ts';
import { organizationSso } from './entity.ts';
import { presentPolicy, SsoPolicy } from './schema.ts';

const PATH = '/x/organizations/{organization_id}/sso_policy';

const getSsoPolicy = operation({
  id: 'sso_policy.get',
  method: 'GET',
  path: PATH,
  summary: 'Get the single sign-on policy of an organization',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: SsoPolicy },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const [organization, record] = await awaitAll([
      findOrganization(environmentId, params.organization_id),
      organizationSso.get(environmentId, params.organization_id),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    return { status: 200, body: presentPolicy(record?.policy) };
  },
});

const updateSsoPolicy = operation({
  id: 'sso_policy.update',
  method: 'PUT',
  path: PATH,
  summary: 'Replace the single sign-on policy of an organization',
  description: 'Absent fields return to their defaults. It applies from the next sign-in; sessions continue.',
  auth: apiKey,
  operator: 'config.change',
  body: SsoPolicy,
  ifMatch: getSsoPolicy,
  dryRun: true,
  responses: { 200: SsoPolicy },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const id = params.organization_id;
    const [organization, record] = await awaitAll([
      findOrganization(environmentId, id),
      organizationSso.get(environmentId, id),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    const { write } =
      record === undefined
        ? organizationSso.create({ environmentId, id, connections: {}, policy: body })
        : organizationSso.revise(record, { policy: body });
    unit.stage(write);
    return { status: 200, body };
  },
});

export const ssoPolicyOperations = [getSsoPolicy, updateSsoPolicy] as const;
